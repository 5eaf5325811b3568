/** Ctrl-C for commands that run other programs. */
import { stopAll } from '../system/live-groups.ts';
import { EXIT } from '../system/user-error.ts';

/** The first Ctrl-C ends what runs and reports; the second ends Tare at once. */
export function interruptible(): AbortController {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      void stopAll().finally(() => process.exit(EXIT.crash));
      return;
    }
    process.stderr.write(
      `\n${signal}: ending the trial under way, then reporting what is finished (again to stop at once)\n`,
    );
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return controller;
}

/** Ctrl-C for `tare setup`: the tool under way ends with all that it started, and Tare after it. */
export function endSetUpOnSignal(): void {
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    if (signals++ === 0)
      process.stderr.write(
        `\n${signal}: the set-up ends here; what is half-made counts as not installed, and the same command makes it anew\n`,
      );
    void stopAll().finally(() => process.exit(EXIT.crash));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}
