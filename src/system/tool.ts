/**
 * Runs a tool that works for long and starts others (pip, cargo, npm), so that nothing of it outlives this process: it gets a process group
 * of its own, which ends with stopAll(), at this process's end, and by the watchdog where this process is killed without a word.
 */
import { execa } from 'execa';
import { addLive } from './live-groups.ts';
import { MARKER_VARIABLE, markerValue, nextMarker } from './trial-marker.ts';
import { Interrupted } from './user-error.ts';
import { ensureWatchdog, forgetGroup, watchGroup } from './watchdog.ts';

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 2000;

export interface ToolOptions {
  readonly cwd?: string;
  /** Added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Every line that it prints, as it comes. */
  readonly onLine?: (line: string) => void;
}

export interface ToolEnd {
  readonly failed: boolean;
  readonly timedOut: boolean;
  /** null where a signal ended it, or it could not be started. */
  readonly exitCode: number | null;
  /** What it printed, both streams in one, and why it could not be started. */
  readonly output: string;
}

/** @throws Interrupted where stopAll() ended it. A tool that fails is a result, no exception. */
export async function runTool(file: string, args: readonly string[], options: ToolOptions): Promise<ToolEnd> {
  ensureWatchdog();
  const child = execa(file, args, {
    reject: false,
    all: true,
    stdin: 'ignore',
    detached: true, // a session of its own: the terminal's Ctrl-C comes to us alone
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...options.env, [MARKER_VARIABLE]: markerValue(nextMarker(), process.env[MARKER_VARIABLE]) },
  });
  const { pid } = child;
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (pid !== undefined) process.kill(-pid, name);
    } catch {} // nothing of the group is left
  };
  let kill: NodeJS.Timeout | undefined;
  const end = (): void => {
    signal('SIGTERM');
    kill ??= setTimeout(signal, GRACE_MS, 'SIGKILL');
  };
  let timedOut = false;
  let stopped = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    end();
  }, options.timeoutMs);
  const done = child.then((result) => {
    clearTimeout(deadline);
    clearTimeout(kill);
    // What it left running, should it have ended before its own children.
    signal('SIGKILL');
    if (pid !== undefined) forgetGroup(pid);
    return result;
  });
  if (pid !== undefined) {
    watchGroup(pid);
    addLive({
      done,
      stop() {
        stopped = true;
        end();
      },
      killNow: () => signal('SIGKILL'),
    });
  }
  if (options.onLine !== undefined)
    for await (const line of child.iterable({ from: 'all' })) options.onLine(line);
  const result = await done;
  if (stopped) throw new Interrupted();
  const said = result.all ?? '';
  return {
    failed: result.failed || timedOut,
    timedOut,
    exitCode: result.exitCode ?? null,
    output: said === '' && pid === undefined ? (result.shortMessage ?? '') : said,
  };
}
