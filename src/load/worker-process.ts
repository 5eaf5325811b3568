/** A worker process as its coordinator sees it. */
import { execa } from 'execa';
import { entry } from '../system/package-root.ts';
import { withTaskset } from '../system/pinning.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** How a process ended. */
export interface WorkerExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What it wrote to stderr (its end), or why it could not be started. */
  readonly stderr: string;
}

export interface WorkerProcess {
  readonly pid: number | null;
  /** Never throws: a process that is gone shows in `exited`. */
  send(message: ToWorker): void;
  onMessage(listener: (message: FromWorker) => void): void;
  readonly exited: Promise<WorkerExit>;
  kill(): void;
}

/** Starts worker number `worker` on `cpus` (null: unpinned). */
export type StartWorker = (worker: number, cpus: readonly number[] | null) => WorkerProcess;

/**
 * A young generation of 16 MB: with 2 MB single collections are shorter, but take 5 % of the time, and token by token the median overhead is
 * several times higher. One helper thread of V8 instead of four: they share the core where the worker is pinned, and four at once leave it a fifth of it.
 */
const NODE_FLAGS = ['--max-semi-space-size=16', '--v8-pool-size=1'];
/** Characters of stderr that are kept, from its end. */
const STDERR_KEPT = 2000;

/** The real thing: `node dist/src/load/worker.js`, ended when this process ends. */
export const startWorkerProcess: StartWorker = (_worker, cpus) => {
  const plain = [process.execPath, ...NODE_FLAGS, entry('src/load/worker.js')];
  const [file, ...args] = cpus === null ? plain : withTaskset(plain, cpus);
  const child = execa(file!, args, {
    ipc: true,
    buffer: { ipc: false },
    reject: false,
    cleanup: true,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  return {
    pid: child.pid ?? null,
    send: (message) => {
      child.sendMessage(message as never).catch(() => {});
    },
    onMessage: (listener) => {
      child.on('message', (message) => listener(message as unknown as FromWorker));
    },
    exited: child.then((result) => ({
      exitCode: result.exitCode ?? null,
      signal: result.signal ?? null,
      stderr: (result.exitCode === undefined && result.signal === undefined
        ? (result.originalMessage ?? '')
        : (result.stderr ?? '')
      )
        .trim()
        .slice(-STDERR_KEPT),
    })),
    kill: () => void child.kill('SIGKILL'),
  };
};
