/** Captures one port of loopback with tcpdump, the kernel's own time stamps beside each packet, into a file. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Launcher, LaunchResult } from './launcher.ts';
import { EXIT, UserError } from './user-error.ts';

export interface CaptureOptions {
  readonly launcher: Launcher;
  readonly port: number;
  /** Must end in `.pcap`: where AppArmor confines tcpdump it may write no other. */
  readonly file: string;
  /** What tcpdump says goes here. */
  readonly stderrFile: string;
  readonly deadlineMs: number;
}

/** tcpdump's own account of a capture; null where it gave none. */
export interface CaptureCounts {
  readonly captured: number | null;
  /** By the kernel, for want of room: the ring was full. */
  readonly dropped: number | null;
}

export interface RunningCapture {
  /** Ends it, once what has passed so far is in the file. */
  stop(): Promise<CaptureCounts>;
  /** Ends it at once, whatever has passed. */
  abandon(): Promise<void>;
}

/** Bytes kept of each packet: heads and the first tokens, not whole prompts. */
export const SNAPLEN = 1024;
/** Room for packets that tcpdump has not taken yet, KiB: it runs at the lowest priority, so that it takes no time from client or target. */
const RING_KIB = 32_768;
const READY_MS = 5000;
const STOP_MS = 5000;
/**
 * How long it may take until what has passed is in tcpdump's hands: the kernel hands over a block of packets when it is full, or after a
 * second. (--immediate-mode would hand over each at once, for six times the CPU time: scripts/bench-wire.ts.)
 */
const SETTLE_MS = 1500;
const LOWEST_PRIORITY = 19;

/** The command line. */
export function captureCommand(port: number, file: string, isRoot: boolean): string[] {
  return [
    'tcpdump',
    ...['-i', 'lo'],
    '-n',
    ...['-s', String(SNAPLEN)],
    ...['-B', String(RING_KIB)],
    '--time-stamp-precision=nano',
    // Debian's tcpdump becomes another user before it opens the file, which that user may not.
    ...(isRoot ? ['-Z', 'root'] : []),
    ...['-w', file],
    `tcp port ${port}`,
  ];
}

const count = (text: string, what: RegExp): number | null => {
  const found = what.exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

/** Reads what tcpdump says at its end. */
export const parseCounts = (stderr: string): CaptureCounts => ({
  captured: count(stderr, /^(\d+) packets? captured$/m),
  dropped: count(stderr, /^(\d+) packets? dropped by kernel$/m),
});

/** Why it does not capture, and what to do, of what tcpdump said. */
export function captureProblem(failure: string | null, stderr: string): string {
  if (failure !== null)
    return `--wire needs tcpdump, and it could not be started (${failure}): install it (apt-get install tcpdump), or leave --wire away.`;
  const words = stderr.trim().split('\n').slice(-2).join(' ');
  if (/permission|not permitted/i.test(words))
    return `--wire may not capture on loopback (${words}): run as root, or once \`setcap cap_net_raw,cap_net_admin=eip "$(command -v tcpdump)"\` as root, or leave --wire away.`;
  return `--wire cannot capture on loopback: tcpdump said "${words || 'nothing'}". Leave --wire away to audit without it.`;
}

/** Starts a capture and waits until it really listens. @throws UserError where it does not: what to install, or to allow. */
export async function startCapture(options: CaptureOptions, settleMs = SETTLE_MS): Promise<RunningCapture> {
  const { file, stderrFile } = options;
  const running = options.launcher.launch({
    argv: captureCommand(options.port, file, process.getuid?.() === 0),
    cwd: tmpdir(),
    // Its words are looked for.
    env: { LC_ALL: 'C' },
    stdoutFile: `${stderrFile}.out`,
    stderrFile,
    deadlineMs: options.deadlineMs,
    graceMs: STOP_MS,
  });
  let result: LaunchResult | null = null;
  const done = running.done.then((value) => {
    result = value;
  });
  const said = () => readFile(stderrFile, 'utf8').catch(() => '');
  const isOver = () => result !== null;
  const cleanUp = () => rm(`${stderrFile}.out`, { force: true });
  const end = async (): Promise<void> => {
    running.stop();
    await done;
    await cleanUp();
  };
  const until = Date.now() + READY_MS;
  while (!/^(tcpdump: )?listening on /m.test(await said())) {
    if (!isOver() && Date.now() < until) {
      await sleep(10);
      continue;
    }
    await end();
    const { failure } = result as unknown as LaunchResult;
    throw new UserError(captureProblem(failure, await said()), EXIT.usage);
  }
  try {
    if (running.pid !== null) setPriority(running.pid, LOWEST_PRIORITY);
  } catch {} // it has ended, or belongs to another user by setcap: it then runs as everyone does
  return {
    async stop() {
      if (!isOver()) await sleep(settleMs);
      await end();
      return parseCounts(await said());
    },
    abandon: end,
  };
}

/** Whether captures work here, before anything depends on it. @throws UserError */
export async function checkCapture(launcher: Launcher): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tare-wire-'));
  try {
    const capture = await startCapture({
      launcher,
      port: 9,
      file: join(folder, 'probe.pcap'),
      stderrFile: join(folder, 'stderr.txt'),
      deadlineMs: READY_MS + STOP_MS,
    });
    await capture.abandon();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
