import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LaunchSpec } from '../../src/system/launcher.ts';
import { liveCount, stopAll } from '../../src/system/live-groups.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { processGroupLauncher } from '../../src/system/process-group.ts';
import { withArgument, withEnvironment } from './process-table.ts';

const client = (name: string): string => join(packageRoot, 'test/clients', name);
const node = (name: string, ...args: string[]): string[] => [process.execPath, client(name), ...args];

let folder: string;
let tag: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tare-control-'));
  tag = `TARE_TEST=${randomUUID()}`;
});

afterEach(() => {
  const left = withEnvironment(tag);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
  expect(left).toEqual([]);
  expect(liveCount()).toBe(0);
});

function launch(argv: readonly string[], more: Partial<LaunchSpec> = {}) {
  return processGroupLauncher.launch({
    argv,
    cwd: folder,
    stdoutFile: join(folder, 'stdout'),
    stderrFile: join(folder, 'stderr'),
    deadlineMs: 20_000,
    graceMs: 200,
    ...more,
    env: { TARE_TEST: tag.slice('TARE_TEST='.length), ...more.env },
  });
}

const stdout = (): Buffer => readFileSync(join(folder, 'stdout'));
/** Until the client has said so: what it does next is under way. */
const ready = () => vi.waitFor(() => expect(stdout().toString()).toContain('ready'), 10_000);

describe('a program that ends by itself', () => {
  it('gives its exit code, output and times', async () => {
    const { end, exitCode, signal, leftovers, truncated, startedNs, endedNs, argv } = await launch([
      '/bin/sh',
      '-c',
      'echo out; echo error >&2; exit 7',
    ]).done;
    expect({ end, exitCode, signal, leftovers, truncated }).toEqual({
      end: 'exited',
      exitCode: 7,
      signal: null,
      leftovers: 0,
      truncated: false,
    });
    expect(stdout().toString()).toBe('out\n');
    expect(readFileSync(join(folder, 'stderr'), 'utf8')).toBe('error\n');
    expect(endedNs).toBeGreaterThan(startedNs);
    expect(argv).toEqual(['/bin/sh', '-c', 'echo out; echo error >&2; exit 7']);
  });

  it('does not read our standard input', async () => {
    expect((await launch(['/bin/cat']).done).exitCode).toBe(0);
  });

  it('gives the signal that it died by', async () => {
    expect(await launch(node('segfaults.mjs')).done).toMatchObject({
      end: 'exited',
      exitCode: null,
      signal: 'SIGSEGV',
    });
  });

  it('keeps bytes that are no text as they are', async () => {
    await launch(node('not-utf8.mjs')).done;
    expect([...stdout()]).toEqual([0x66, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]);
  });

  it.each([
    ['honest.mjs', 0],
    ['no-result.mjs', 0],
    ['half-json.mjs', 0],
    ['writes-nan.mjs', 0],
    ['writes-infinity.mjs', 0],
    ['fails.mjs', 3],
  ])('%s: whatever it wrote, the outcome is its exit code', async (name, code) => {
    const result = await launch(node(name, '--result', join(folder, 'result.json'))).done;
    expect(result).toMatchObject({ end: 'exited', exitCode: code, leftovers: 0 });
  });

  it('gets the environment asked for: added, removed, marked, and no proxy before loopback', async () => {
    vi.stubEnv('TARE_REMOVED', 'yes');
    vi.stubEnv('NO_PROXY', 'example.org');
    await launch(['/usr/bin/env'], { env: { ADDED: 'a=b c', TARE_REMOVED: null } }).done;
    vi.unstubAllEnvs();
    const lines = stdout().toString().split('\n');
    expect(lines).toContain('ADDED=a=b c');
    expect(lines).toContain('NO_PROXY=example.org,127.0.0.1,localhost,::1');
    expect(lines.filter((line) => line.startsWith('TARE_REMOVED'))).toEqual([]);
    expect(lines.filter((line) => /^TARE_TRIAL=.*tare-[0-9a-f]{16}\.\d+$/.test(line))).toHaveLength(1);
  });
});

describe('what a program leaves behind', () => {
  it('children that hold its output: ended, counted, and not waited for', async () => {
    const result = await launch(node('leaves-children.mjs', '--result', join(folder, 'result.json'))).done;
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, leftovers: 2 });
    expect(existsSync(join(folder, 'result.json'))).toBe(true);
  });

  it('a daemon in a session of its own, a child of nobody, without our files', async () => {
    expect(await launch(node('leaves-daemon.mjs')).done).toMatchObject({ end: 'exited', leftovers: 1 });
  });

  it('a process that has shed environment, session and parent, and kept the output', async () => {
    const duration = `600.${Date.now()}`;
    const result = await launch([client('sheds-marks.sh'), duration]).done;
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, leftovers: 1 });
    expect(withArgument(duration)).toEqual([]);
  });

  it('children that end by themselves shortly after it are no leftovers', async () => {
    const script = '(while [ -d /proc/$$ ]; do :; done) & exit 0'; // lives until its parent has gone
    expect(await launch(['/bin/sh', '-c', script]).done).toMatchObject({ end: 'exited', leftovers: 0 });
  });

  it('more processes than can be looked at one by one', async () => {
    const script = 'i=0; while [ $i -lt 60 ]; do setsid sleep 600 & i=$((i + 1)); done; exit 0';
    const result = await launch(['/bin/sh', '-c', script]).done;
    expect(result.end).toBe('exited');
    expect(result.leftovers).toBeGreaterThanOrEqual(60);
  });
});

describe('the deadline', () => {
  it('ends what hangs by SIGTERM', async () => {
    expect(await launch(['/bin/sleep', '600'], { deadlineMs: 50 }).done).toMatchObject({
      end: 'timedOut',
      exitCode: null,
      signal: 'SIGTERM',
      leftovers: 0,
    });
  });

  it('ends what ignores SIGTERM by SIGKILL, its children too', async () => {
    const script = 'trap "" TERM; sleep 600 & wait; while :; do sleep 600; done';
    const result = await launch(['/bin/sh', '-c', script], { deadlineMs: 300, graceMs: 100 }).done;
    expect(result).toMatchObject({ end: 'timedOut', exitCode: null, signal: 'SIGKILL', leftovers: 1 });
  });

  it('ends what has closed its output', async () => {
    expect((await launch(node('closes-output.mjs'), { deadlineMs: 300 }).done).end).toBe('timedOut');
  });

  it('ends what is stopped and cannot hear SIGTERM', async () => {
    const result = await launch(['/bin/sh', '-c', 'kill -STOP $$'], { deadlineMs: 50 }).done;
    expect(result).toMatchObject({ end: 'timedOut', signal: 'SIGTERM' });
  });

  it('ends a daemon that left the group while its parent still runs', async () => {
    const script = 'setsid sh -c "trap : TERM; while :; do sleep 600; done" & exec sleep 600';
    const result = await launch(['/bin/sh', '-c', script], { deadlineMs: 200, graceMs: 50 }).done;
    expect(result.end).toBe('timedOut');
    expect(result.leftovers).toBeGreaterThanOrEqual(1);
  });
});

describe('a flood of output', () => {
  it('is capped in both files, counted, and ended at the deadline', async () => {
    const result = await launch(node('floods-stdout.mjs'), { deadlineMs: 300, maxOutputBytes: 1_000_003 })
      .done;
    expect(result).toMatchObject({ end: 'timedOut', truncated: true });
    expect(statSync(join(folder, 'stdout')).size).toBe(1_000_003);
    expect(statSync(join(folder, 'stderr')).size).toBe(1_000_003);
    expect(result.stdoutBytes).toBeGreaterThan(1_000_003);
    expect(result.stderrBytes).toBeGreaterThan(1_000_003);
  });

  it('does not block a program that writes 64 times what is kept', async () => {
    const result = await launch(node('floods-then-ends.mjs'), { maxOutputBytes: 1 << 20 }).done;
    expect(result).toMatchObject({
      end: 'exited',
      exitCode: 0,
      stdoutBytes: 64 << 20,
      stderrBytes: 0,
      truncated: true,
    });
    expect(statSync(join(folder, 'stdout')).size).toBe(1 << 20);
  });

  it('onto a full disk: the program goes on, and the result says so', async () => {
    const result = await launch(['/bin/sh', '-c', 'echo lost; echo kept >&2'], { stdoutFile: '/dev/full' })
      .done;
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, stdoutBytes: 5, truncated: true });
    expect(result.notes).toEqual(['cannot write /dev/full: the disk is full']);
  });
});

describe('stop()', () => {
  it('lets a program end in order', async () => {
    const result = join(folder, 'result.json');
    const running = launch(node('tidies-up.mjs', '--result', result), { graceMs: 10_000 });
    await ready();
    running.stop();
    expect(await running.done).toMatchObject({ end: 'interrupted', exitCode: 143, leftovers: 0 });
    expect(existsSync(result)).toBe(true);
  });

  it('called twice, does not wait for the grace', async () => {
    const running = launch(node('ignores-sigterm.mjs'), { graceMs: 600_000 });
    await ready();
    running.stop();
    running.stop();
    setImmediate(() => running.stop());
    expect(await running.done).toMatchObject({ end: 'interrupted', signal: 'SIGKILL' });
  });

  it('right after the start, and again after the end, is harmless', async () => {
    const running = launch(['/bin/sleep', '600']);
    running.stop();
    expect((await running.done).end).toBe('interrupted');
    running.stop();
    expect((await running.done).end).toBe('interrupted');
  });

  it('stopAll ends every program', async () => {
    const all = [launch(['/bin/sleep', '600']), launch(node('hangs.mjs')), launch(node('leaves-daemon.mjs'))];
    await stopAll();
    expect(withEnvironment(tag)).toEqual([]);
    for (const running of all) await running.done;
  });
});

describe('a program that cannot be started', () => {
  const failure = async (argv: readonly string[], more: Partial<LaunchSpec> = {}) => {
    const running = launch(argv, more);
    expect(running.pid).toBeNull();
    running.stop();
    const result = await running.done;
    expect(result).toMatchObject({ end: 'notStarted', exitCode: null, signal: null, leftovers: 0 });
    return result.failure;
  };

  it('says that it is not there', async () => {
    expect(await failure(['tare-no-such-program'])).toBe(
      'there is no program "tare-no-such-program" on the PATH (ENOENT)',
    );
    expect(await failure(['./gone'])).toBe(`there is no file ${join(folder, 'gone')} (ENOENT)`);
    expect(await failure([])).toBe('the command line is empty');
  });

  it('says that it may not be executed, is a folder, or lacks its interpreter', async () => {
    const file = join(folder, 'script');
    writeFileSync(file, '#!/no/such/interpreter\n');
    expect(await failure([file])).toContain('may not be executed (EACCES');
    expect(await failure([folder])).toBe(`${folder} is not a program but a folder`);
    chmodSync(file, 0o755);
    expect(await failure([file])).toContain('the interpreter that its first line names is not (ENOENT)');
  });

  it('says that its folder or its output file cannot be had', async () => {
    expect(await failure(['/bin/true'], { cwd: '/no/such/folder' })).toBe(
      'there is no folder /no/such/folder to run it in',
    );
    expect(await failure(['/bin/true'], { stderrFile: '/no/such/file' })).toBe(
      'cannot write /no/such/file: it does not exist',
    );
  });

  it('says that the command line is too long', async () => {
    expect(await failure(['/bin/true', 'x'.repeat(4 << 20)])).toContain('too long (E2BIG)');
  });
});

describe('cores', () => {
  it('runs on those asked for, and shows the command line as run', async () => {
    const result = await launch(['/bin/grep', 'Cpus_allowed_list', '/proc/self/status'], { cpus: [0] }).done;
    expect(result.argv.slice(0, 3)).toEqual(['taskset', '-c', '0']);
    expect(stdout().toString().trim()).toMatch(/\t0$/);
  });

  it('that the machine lacks: not started, in the words of taskset', async () => {
    const result = await launch(['/bin/true'], { cpus: [4095] }).done;
    expect(result.end).toBe('notStarted');
    expect(result.failure).toMatch(/^taskset: failed to set/);
  });

  it('are left to the system, with a note, where there is no taskset', async () => {
    const result = await launch(['/bin/true'], { cpus: [0], env: { PATH: folder } }).done;
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, argv: ['/bin/true'] });
    expect(result.notes).toEqual(['not pinned: there is no taskset on the PATH']);
  });
});
