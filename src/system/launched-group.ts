/**
 * One launched program and all that it starts, from its start until nothing of it is left. Everything that waits here has a bound, so that
 * `done` settles whatever the processes do.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CappedOutput } from './capped-output.ts';
import { nowNs } from './clock.ts';
import type { LaunchResult, LaunchSpec, Running } from './launcher.ts';
import { addLive } from './live-groups.ts';
import { Members } from './members.ts';
import { Procfs } from './procfs.ts';
import { forgetGroup, watchGroup } from './watchdog.ts';

const DEFAULT_GRACE_MS = 2000;
/** How often new descendants are looked for while a program runs. */
const LOOK_EVERY_MS = 200;
/** How long what is left after a program's own end may take to end by itself (Python's resource tracker does). */
const SETTLE_MS = 200;
/** How long killing may take, and emptying the pipes after it. Only what cannot be killed takes so long. */
const KILL_BOUND_MS = 2000;
const DRAIN_BOUND_MS = 500;
/** How soon the output must be at its end once nothing is left that could write to it. */
const EOF_MS = 50;
const POLL_MS = 10;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly atNs: number;
}

/** Signals a process, or a group by its negated number; false where there is none. */
function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

/** Waits for `promise`, at most so long; false when that was too short. */
async function within(boundMs: number, promise: Promise<unknown>): Promise<boolean> {
  const giveUp = new AbortController();
  const bound = sleep(boundMs, false, { signal: giveUp.signal }).catch(() => false);
  const settled = await Promise.race([promise.then(() => true), bound]);
  giveUp.abort();
  return settled;
}

export interface GroupParts {
  /** Started, with a pid; its event loop turn is not over. */
  readonly child: ChildProcess;
  readonly spec: LaunchSpec;
  /** As run. */
  readonly argv: readonly string[];
  /** stdout, stderr. */
  readonly outputs: readonly [CappedOutput, CappedOutput];
  readonly marker: string;
  readonly startedNs: number;
  readonly notes: readonly string[];
}

export class LaunchedGroup implements Running {
  readonly pid: number;
  readonly done: Promise<LaunchResult>;
  private readonly parts: GroupParts;
  private readonly members: Members;
  /** The program's ends of its output, as it began with them. */
  private readonly pipes: ReadonlySet<string>;
  private readonly notes: string[];
  private readonly exit: Promise<Exit>;
  private exited: Exit | null = null;
  private stops = 0;
  private wake: () => void = () => {};

  constructor(parts: GroupParts) {
    const { child } = parts;
    this.pid = child.pid!;
    this.parts = parts;
    this.notes = [...parts.notes];
    const procfs = new Procfs();
    // Not reaped before the event loop turns, so that its stat is there even if it has ended.
    const startTicks = procfs.stat(this.pid)?.startTicks ?? 0;
    // Its standard output and error alone, which we made for it. Other pipes that it inherited (a jobserver's, a terminal's) others have,
    // too, and they must not be taken for its descendants.
    const outputs = [1, 2].map((fd) => procfs.openFile(this.pid, fd));
    this.pipes = new Set(outputs.filter((file) => file !== null && /^(socket|pipe):/.test(file)) as string[]);
    this.members = new Members(procfs, { pid: this.pid, startTicks }, parts.marker);
    watchGroup(this.pid);
    this.exit = new Promise((resolve) => {
      child.on('exit', (code, signal) => {
        this.exited = { code, signal, atNs: nowNs() };
        resolve(this.exited);
      });
    });
    this.done = this.supervise();
    addLive(this);
  }

  stop(): void {
    this.stops += 1;
    this.wake();
  }

  killNow(): void {
    for (let round = 0; round < 20; round++) {
      if (this.exited === null) send(-this.pid, 'SIGKILL');
      const alive = this.members.look(true);
      if (alive.length === 0) return;
      for (const { pid } of alive) send(pid, 'SIGKILL');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS / 2);
    }
  }

  private async supervise(): Promise<LaunchResult> {
    const drained = Promise.all([
      this.parts.outputs[0].drain(this.parts.child.stdout!),
      this.parts.outputs[1].drain(this.parts.child.stderr!),
    ]);
    const ending = await this.untilEnding();
    if (ending === 'exited') await this.goneWithin(SETTLE_MS, () => false);
    else await this.terminate();
    let leftovers = await this.killRest();
    if (!(await within(EOF_MS, drained))) {
      // Someone still holds the output: one that has shed all other signs of where it comes from.
      this.members.adoptHolders(this.pipes);
      leftovers += await this.killRest();
      await within(DRAIN_BOUND_MS, drained);
    }
    this.parts.child.stdout!.destroy();
    this.parts.child.stderr!.destroy();
    forgetGroup(this.pid);
    return this.result(ending, leftovers);
  }

  /** What ends it: itself, the deadline, or stop(). Meanwhile its descendants are looked up, so that they are known when they leave. */
  private async untilEnding(): Promise<'exited' | 'timedOut' | 'interrupted'> {
    const looking = setInterval(() => this.members.look(), LOOK_EVERY_MS);
    let deadline: NodeJS.Timeout | undefined;
    try {
      return await Promise.race([
        this.exit.then(() => 'exited' as const),
        new Promise<'timedOut'>((resolve) => {
          deadline = setTimeout(
            () => resolve('timedOut'),
            Math.min(this.parts.spec.deadlineMs, MAX_TIMEOUT_MS),
          );
        }),
        new Promise<'interrupted'>((resolve) => {
          this.wake = () => resolve('interrupted');
          if (this.stops > 0) this.wake();
        }),
      ]);
    } finally {
      clearInterval(looking);
      clearTimeout(deadline);
    }
  }

  /** SIGTERM to all, and the grace, which ends early when nothing is left or stop() is called (again). */
  private async terminate(): Promise<void> {
    const stopsBefore = this.stops;
    const outside = this.members.look(true).filter((stat) => stat.group !== this.pid);
    for (const signal of ['SIGTERM', 'SIGCONT'] as const) {
      send(-this.pid, signal);
      for (const { pid } of outside) send(pid, signal);
    }
    await this.goneWithin(this.parts.spec.graceMs ?? DEFAULT_GRACE_MS, () => this.stops > stopsBefore);
  }

  /** Waits until nothing is alive, at most so long. */
  private async goneWithin(boundMs: number, giveUp: () => boolean): Promise<void> {
    const until = performance.now() + boundMs;
    while (this.exited === null || this.members.look().length > 0) {
      if (performance.now() >= until || giveUp()) return;
      await sleep(POLL_MS);
    }
  }

  /** Kills until nothing is left; how many there were besides the program itself. */
  private async killRest(): Promise<number> {
    const killed = new Set<string>();
    const until = performance.now() + KILL_BOUND_MS;
    for (;;) {
      const alive = this.members.look(true);
      if (alive.length === 0 && this.exited !== null) return killed.size;
      if (performance.now() >= until) {
        const names = alive.map(({ pid, name }) => `${pid} (${name})`).join(', ');
        this.notes.push(`could not be ended: process ${names}`);
        return killed.size;
      }
      // At once for the whole group: a program that forks faster than it is looked at cannot get away.
      if (this.exited === null || alive.some(({ group }) => group === this.pid)) send(-this.pid, 'SIGKILL');
      for (const { pid, startTicks } of alive) {
        send(pid, 'SIGKILL');
        if (pid !== this.pid) killed.add(`${pid} ${startTicks}`);
      }
      await sleep(POLL_MS);
    }
  }

  private result(end: LaunchResult['end'], leftovers: number): LaunchResult {
    const [stdout, stderr] = this.parts.outputs;
    const failures = [stdout.failure, stderr.failure].filter((failure) => failure !== null);
    return {
      end,
      exitCode: this.exited?.code ?? null,
      signal: this.exited?.signal ?? null,
      failure: null,
      startedNs: this.parts.startedNs,
      endedNs: this.exited?.atNs ?? nowNs(),
      leftovers,
      stdoutBytes: stdout.bytes,
      stderrBytes: stderr.bytes,
      truncated: stdout.truncated || stderr.truncated,
      argv: this.parts.argv,
      notes: [...this.notes, ...failures],
    };
  }
}
