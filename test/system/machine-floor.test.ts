import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { machineWords } from '../../reports/machine-words.ts';
import { nanos } from '../../src/measure/time.ts';
import type { HostSources } from '../../src/system/host.ts';
import type { Launcher, LaunchResult, LaunchSpec } from '../../src/system/launcher.ts';
import { measureMachine } from '../../src/system/machine-floor.ts';
import { clockCost, type ProbeResult, parseProbe, spreadOf } from '../../src/system/probe-result.ts';

const probe: ProbeResult = {
  clock: { resolution_ns: 20, read_ns: 41 },
  to_target_us: [20, 24, 28],
  to_client_us: [30, 31, 35],
  wake_up_us: [60, 70, 400],
};
const ended = (exitCode: number): LaunchResult => ({
  end: 'exited',
  exitCode,
  signal: null,
  failure: null,
  startedNs: 0,
  endedNs: 1,
  leftovers: 0,
  stdoutBytes: 0,
  stderrBytes: 0,
  truncated: false,
  argv: [],
});

/** The answering end gives its port at once; the asking one prints `answer` and ends with `exitCode`. */
function fakeLauncher(answer: string, exitCode = 0) {
  const launched: LaunchSpec[] = [];
  let stopped = 0;
  const launcher: Launcher = {
    launch(spec) {
      launched.push(spec);
      const isEcho = spec.argv.includes('echo');
      writeFileSync(spec.stdoutFile, isEcho ? '40123\n' : answer);
      return {
        pid: 1,
        done: Promise.resolve(ended(isEcho ? 0 : exitCode)),
        stop: () => void stopped++,
      };
    },
  };
  return { launcher, launched, stopped: () => stopped };
}

function sources(files: Record<string, string>): HostSources {
  let reads = 0;
  return {
    readText(path) {
      if (path === '/proc/stat' && files[path] !== undefined) {
        reads += 1;
        return reads === 1 ? 'cpu  100 0 100 800 0 0 0 4 0 0\ncpu0 1\n' : 'cpu  140 0 120 938 0 0 0 6 0 0\n';
      }
      return files[path] ?? null;
    },
    run: async () => null,
    which: () => null,
  };
}
let now = 0;
const clock = {
  now() {
    now += 50;
    return nanos(now);
  },
};
const measure = (launcher: Launcher, files: Record<string, string> = {}) =>
  measureMachine({ launcher, targetCpus: [0], clientCpus: [1], clock, sources: sources(files) });

describe('measureMachine', () => {
  it('starts both ends on their cores, and sums up what the asking one saw', async () => {
    const { launcher, launched, stopped } = fakeLauncher(`${JSON.stringify(probe)}\n`);
    const machine = await measure(launcher, {
      '/proc/stat': 'yes',
      '/sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc\n',
      '/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor': 'powersave\n',
    });
    expect(machine).toMatchObject({
      clock: { read_ns: expect.closeTo(50, 1) },
      clock_of_client: { resolution_ns: 20, read_ns: 41 },
      clock_source: 'tsc',
      cpu_governor: 'powersave',
      to_target: { n: 3, p50_us: 24, max_us: 28 },
      to_client: { n: 3, p50_us: 31 },
      wake_up: { p50_us: 70, max_us: 400 },
      steal_share: 0.01,
      note: '',
    });
    expect(launched.map(({ cpus, argv }) => [cpus, argv.slice(2, 4)])).toEqual([
      [[0], ['echo']],
      [[1], ['ask', '40123']],
    ]);
    expect(stopped()).toBe(1);
    expect(machineWords(machine)).toBe(
      'loopback one way 24 µs (p99 28 µs) to the target and 31 µs (p99 35 µs) back; a sleep of 1 ms ends 70 µs (p99 393 µs) late; clock tsc, 50 ns a reading, steps of ' +
        `${machine.clock.resolution_ns >= 10 ? Math.round(machine.clock.resolution_ns) : Number(machine.clock.resolution_ns.toFixed(1))} ns; steal 1.0 % meanwhile; CPU governor powersave`,
    );
  });

  it.each([
    ['a process that fails', fakeLauncher('', 1), 'the asking process ended with 1'],
    ['no result', fakeLauncher('{"clock":{}}\n'), 'the asking process printed no result'],
    ['what is no JSON', fakeLauncher('Segmentation fault'), 'the asking process printed no result'],
  ])('%s leaves the rest, with the reason', async (_, { launcher, stopped }, note) => {
    const machine = await measure(launcher);
    expect(machine).toMatchObject({
      to_target: null,
      wake_up: null,
      clock_of_client: null,
      steal_share: null,
      note,
    });
    expect(machine.clock.read_ns).toBeGreaterThan(0);
    expect(stopped()).toBe(1);
    expect(machineWords(machine)).toContain(`loopback not measured (${note})`);
  });

  it('ends at once when it is interrupted before the answering end is up', async () => {
    const silent: Launcher = { launch: () => ({ pid: 1, done: Promise.resolve(ended(0)), stop: () => {} }) };
    const machine = await measureMachine({
      launcher: silent,
      targetCpus: null,
      clientCpus: null,
      sources: sources({}),
      signal: AbortSignal.abort(),
    });
    expect(machine.note).toBe('the answering process did not start');
  });
});

it('a probe is read only when it is whole', () => {
  expect(parseProbe(JSON.stringify(probe))).toEqual(probe);
  expect(parseProbe(JSON.stringify({ ...probe, to_client_us: [1, null] }))).toBeNull();
  expect(parseProbe('null')).toBeNull();
  expect(spreadOf([])).toBeNull();
});

it('the cost of a clock is that of a reading', () => {
  let at = 0;
  expect(
    clockCost(
      () => (at += 25),
      () => 7,
    ),
  ).toEqual({ resolution_ns: 7, read_ns: expect.closeTo(25, 2) });
});
