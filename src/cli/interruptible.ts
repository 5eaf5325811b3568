/** Ctrl-C for commands that run clients. */
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
