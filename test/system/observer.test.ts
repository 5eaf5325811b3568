import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Nanos, nanos } from '../../src/measure/time.ts';
import { type ObservedFigures, summarize } from '../../src/system/observed-figures.ts';
import { observe, Sampler } from '../../src/system/observer.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { processGroupLauncher } from '../../src/system/process-group.ts';
import { Procfs } from '../../src/system/procfs.ts';
import { FakeProc, type FakeProcess, type FakeThread } from './fake-proc.ts';

const MS = 1e6;
const PID = 100;

let proc: FakeProc;
let now: number;
const clock = { now: (): Nanos => nanos(now) };

beforeEach(() => {
  proc = new FakeProc();
  now = 1e12;
});
afterEach(() => proc.dispose());

const sampler = (): Sampler => new Sampler(PID, new Procfs(proc.root), clock);

/** Samples every 100 ms: at each step the table is set as the function says. */
function sampleOver(steps: number, at: (step: number) => void, thorough = false) {
  at(0);
  const taken = sampler();
  for (let step = 0; step < steps; step++) {
    if (step > 0) {
      now += 100 * MS;
      at(step);
    }
    taken.sample(thorough || step === 0 || step === steps - 1);
  }
  return taken.finish();
}

const figures = (observation: ReturnType<Sampler['finish']>, fromMs: number, toMs: number): ObservedFigures =>
  summarize(observation, 1e12 + fromMs * MS, 1e12 + toMs * MS)!;

const oneThread = (cpuMs: number, more: Partial<FakeProcess> = {}): FakeProcess => ({
  threads: { [PID]: { cpuMs } },
  ...more,
});

describe('shares', () => {
  it('are CPU time over time, by thread, busiest first, to the nanosecond', () => {
    const observation = sampleOver(11, (step) => {
      proc.set(PID, {
        threads: {
          100: { name: 'main', cpuMs: 500 + 90.000_001 * step },
          101: { name: 'helper (1)', cpuMs: 7 + 25 * step },
        },
      });
      proc.machine(step, 19 * step);
    });
    const seen = figures(observation, 0, 1000);
    expect(seen.busiest_thread).toBe('main');
    expect(seen.busiest_thread_share).toBeCloseTo(0.900_000_01, 9);
    expect(seen.cpu_share).toBeCloseTo(1.15, 6);
    expect(seen.threads.map(({ tid, name }) => [tid, name])).toEqual([
      [100, 'main'],
      [101, 'helper (1)'],
    ]);
    expect(seen.steal_share).toBeCloseTo(0.05, 9);
    expect(observation.resolutionNs).toBe(1);
  });

  it('say how long a thread was ready and had no core, the greatest of all threads first of all', () => {
    const observation = sampleOver(11, (step) => {
      proc.set(PID, {
        threads: {
          100: { cpuMs: 60 * step, waitMs: 3 + 5 * step },
          101: { cpuMs: 10 * step, waitMs: 40 * step },
        },
      });
    });
    const seen = figures(observation, 0, 1000);
    expect(seen.threads.map(({ wait_share }) => wait_share)).toEqual([
      expect.closeTo(0.05, 9),
      expect.closeTo(0.4, 9),
    ]);
    expect(seen.core_wait_share).toBeCloseTo(0.4, 9);
  });

  it('are of the samples nearest to the instants, and say which', () => {
    const observation = sampleOver(11, (step) => proc.set(PID, oneThread(step <= 5 ? 0 : 50 * (step - 5))));
    const seen = figures(observation, 540, 960);
    expect([seen.covered_from_ns, seen.covered_to_ns]).toEqual([1e12 + 500 * MS, 1e12 + 1000 * MS]);
    expect(seen.busiest_thread_share).toBeCloseTo(0.5, 9);
    expect(figures(observation, 0, 500).busiest_thread_share).toBe(0);
    expect(figures(observation, -5000, 99_000).covered_to_ns).toBe(1e12 + 1000 * MS);
  });

  it('are null, not zero, where both instants are nearest to one sample', () => {
    const observation = sampleOver(3, (step) => proc.set(PID, oneThread(step * 100)));
    expect(figures(observation, 90, 110)).toMatchObject({
      busiest_thread_share: null,
      busiest_thread: null,
      cpu_share: null,
      steal_share: null,
      threads: [],
      threads_peak: 1,
    });
  });

  it('of a thread that is born and ends between the instants are those up to its last sample', () => {
    const observation = sampleOver(11, (step) => {
      const threads: Record<number, FakeThread> = { 100: { cpuMs: 0 } };
      if (step >= 3 && step < 6) threads[130] = { cpuMs: 40 * (step - 2) };
      proc.set(PID, { threads });
    });
    const seen = figures(observation, 0, 1000);
    expect(seen.threads[0]).toMatchObject({ tid: 130, share: expect.closeTo(0.12, 9) });
  });

  it('of a whole program count threads that came and went unseen, by the total of their process', () => {
    const observation = sampleOver(11, (step) => proc.set(PID, oneThread(10 * step, { cpuMs: 70 * step })));
    expect(figures(observation, 0, 1000).busiest_thread_share).toBeCloseTo(0.1, 9);
    expect(figures(observation, 0, 1000).cpu_share).toBeCloseTo(0.7, 9);
  });

  it('fall back to ticks of 10 ms where the kernel keeps no schedstat', () => {
    proc.dispose();
    proc = new FakeProc(false);
    const observation = sampleOver(11, (step) => proc.set(PID, oneThread(33 * step)));
    expect(observation.resolutionNs).toBe(10_000_000);
    expect(figures(observation, 0, 1000).busiest_thread_share).toBeCloseTo(0.33, 9);
    expect(figures(observation, 0, 1000).core_wait_share).toBeNull();
  });

  it('of a process that took the pid of another do not begin with the CPU time of that one', () => {
    const observation = sampleOver(11, (step) => {
      proc.set(PID, oneThread(0));
      if (step < 4) proc.set(200, { parent: PID, startTicks: 120, threads: { 200: { cpuMs: 10 * step } } });
      else if (step === 4) proc.remove(200);
      else proc.set(200, { parent: PID, startTicks: 140, threads: { 201: { cpuMs: 20 * (step - 4) } } });
    });
    // 30 ms of the first and 120 ms of the second.
    expect(figures(observation, 0, 1000).cpu_share).toBeCloseTo(0.15, 9);
  });

  it('of a thread that wakes up are of the sample that it woke in, however long it had idled', () => {
    const observation = sampleOver(40, (step) => {
      const woke = Math.max(0, step - 25) * 60;
      proc.set(PID, {
        threads: { 100: { cpuMs: 20 * step }, 101: { cpuMs: woke }, 102: { cpuMs: 0 } },
      });
    });
    const pool = observation.threadSeries.find(({ tid }) => tid === 101)!;
    expect(pool.cpuNs[25]).toBe(0);
    expect(pool.cpuNs[26]).toBe(60 * MS);
    expect(figures(observation, 2500, 2600).busiest_thread_share).toBeCloseTo(0.6, 9);
  });

  it('lose nothing of threads that idle, at any pattern of work, to reading them less often', () => {
    const work = fc.array(fc.array(fc.constantFrom(0, 0, 0, 5, 100), { minLength: 12, maxLength: 12 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(work, (threads) => {
        const total = (step: number, thread: number[]): number =>
          thread.slice(0, step).reduce((sum, ms) => sum + ms, 0);
        now = 1e12;
        const observation = sampleOver(13, (step) =>
          proc.set(PID, {
            threads: Object.fromEntries(
              threads.map((thread, i) => [PID + i, { cpuMs: total(step, thread) }]),
            ),
          }),
        );
        const expected = threads.map((thread) => total(12, thread)).reduce((sum, ms) => sum + ms, 0) / 1200;
        expect(figures(observation, 0, 1200).cpu_share).toBeCloseTo(expected, 9);
        for (const series of observation.threadSeries) {
          expect(series.cpuNs).toEqual([...series.cpuNs].sort((a, b) => a - b));
          expect(series.first + series.cpuNs.length).toBe(13);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('children that come and go', () => {
  const child = (cpuMs: number, more: Partial<FakeProcess> = {}): FakeProcess => ({
    parent: PID,
    startTicks: 120,
    threads: { 200: { cpuMs } },
    ...more,
  });

  it('between two looks are in the CPU share, by what their parent reaped', () => {
    // As a shell that starts a program of 50 ms three times a second.
    const observation = sampleOver(61, (step) =>
      proc.set(PID, oneThread(step, { reapedMs: 400 + 50 * Math.floor((step * 7) / 10) })),
    );
    // 42 of 50 ms, and the parent's own 60 ms, in 6 s.
    expect(figures(observation, 0, 6000).cpu_share).toBeCloseTo((42 * 0.05 + 0.06) / 6, 6);
  });

  it('are counted once where they were seen: their parent’s account brings only the rest', () => {
    const observation = sampleOver(21, (step) => {
      // Seen with 100 to 500 ms, and reaped two samples after its end with 570 ms.
      proc.set(PID, oneThread(0, { reapedMs: step < 9 ? 0 : 570 }));
      if (step >= 2 && step < 7) proc.set(200, child(100 * (step - 1)));
      else if (step === 7) proc.remove(200);
    });
    const seen = (observation.processSeries.find(({ pid }) => pid === 200)?.cpuNs.at(-1) ?? 0) / MS;
    expect(seen).toBeGreaterThan(0);
    expect(figures(observation, 0, 2000).cpu_share).toBeCloseTo(0.57 / 2, 6);
    expect(figures(observation, 0, 800).cpu_share).toBeCloseTo(seen / 800, 6);
    expect(figures(observation, 1000, 2000).cpu_share).toBe(0);
  });

  it('of a child that was seen are that child’s, however deep, until it is reaped itself', () => {
    const observation = sampleOver(21, (step) => {
      // The grandchild, never seen: 300 ms. The child takes 20 ms and ends, so that the leader reaps both.
      proc.set(PID, oneThread(0, { reapedMs: step < 12 ? 0 : 320 }));
      if (step > 0 && step < 12) proc.set(200, child(20, { reapedMs: step < 5 ? 0 : 300 }));
      else if (step === 12) proc.remove(200);
    });
    expect(figures(observation, 0, 1000).cpu_share).toBeCloseTo(0.32, 6);
    expect(figures(observation, 0, 2000).cpu_share).toBeCloseTo(0.16, 6);
  });

  it('and were reaped within the very sample that still saw them are not counted twice', () => {
    const observation = sampleOver(11, (step) => {
      proc.set(PID, oneThread(0, { reapedMs: step < 6 ? 0 : 200 }));
      if (step < 7) proc.set(200, child(200));
      else if (step === 7) proc.remove(200);
    });
    expect(figures(observation, 300, 1000).cpu_share).toBe(0);
  });
});

describe('peaks', () => {
  it('are of the time asked for: processes, threads, memory by the size of a page', () => {
    const observation = sampleOver(10, (step) => {
      proc.set(PID, oneThread(0, { rssPages: step < 5 ? 64 : 6400 }));
      if (step === 3) {
        proc.set(200, {
          parent: PID,
          startTicks: 120,
          rssPages: 6400,
          threads: { 200: { cpuMs: 0 }, 201: { cpuMs: 0 } },
        });
      }
      if (step === 5) proc.remove(200);
    });
    expect(figures(observation, 0, 200)).toMatchObject({
      processes_peak: 1,
      threads_peak: 1,
      rss_peak_mb: 1,
    });
    expect(figures(observation, 0, 900)).toMatchObject({
      processes_peak: 2,
      threads_peak: 3,
      rss_peak_mb: expect.closeTo(101, 9),
    });
  });

  it('list at most eight threads of two hundred, and count them all', () => {
    const threads = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [PID + i, { cpuMs: i }]));
    const observation = sampleOver(2, (step) => {
      proc.set(PID, { threads: step === 0 ? { [PID]: { cpuMs: 0 } } : threads });
    });
    const seen = figures(observation, 0, 100);
    expect(seen.threads_peak).toBe(200);
    expect(seen.threads).toHaveLength(8);
    expect(seen.threads[0]!.tid).toBe(PID + 199);
  });

  it('leave out the dead and what is not of the program', () => {
    const observation = sampleOver(2, () => {
      proc.set(PID, oneThread(0));
      proc.set(300, { startTicks: 200, threads: { 300: { cpuMs: 50 } } });
      proc.set(301, { parent: PID, state: 'Z', startTicks: 200, threads: { 301: { cpuMs: 50 } } });
    });
    expect(figures(observation, 0, 100)).toMatchObject({ processes_peak: 1, threads_peak: 1 });
  });
});

describe('file descriptors', () => {
  const files = (others: number, sockets: number): string[] => [
    ...Array.from({ length: others }, (_, i) => `pipe:[${i}]`),
    ...Array.from({ length: sockets }, (_, i) => `socket:[${i}]`),
  ];

  it('are counted over all processes, and told from sockets; the limit is that of the process nearest to its own', () => {
    const observation = sampleOver(11, (step) => {
      proc.set(PID, oneThread(step, { files: files(5, 40 + 4 * step), filesLimit: 1024 }));
      proc.set(200, {
        parent: PID,
        startTicks: 120,
        files: files(3, step),
        filesLimit: 20,
        threads: { 200: { cpuMs: 0 } },
      });
    });
    expect(figures(observation, 0, 1000)).toMatchObject({
      open_files_peak: 98,
      sockets_peak: 90,
      open_files_nearest: { open: 13, limit: 20 },
    });
    // Not all processes are counted at every sample: the second one was at the one before.
    expect(figures(observation, 0, 200)).toMatchObject({ open_files_peak: 57, sockets_peak: 49 });
  });

  it('are held against the limit that a program gave itself after its start', () => {
    const observation = sampleOver(5, (step) =>
      proc.set(PID, oneThread(step, { files: files(4, 30 * step), filesLimit: step === 0 ? 64 : 512 })),
    );
    expect(figures(observation, 0, 400).open_files_nearest).toEqual({ open: 124, limit: 512 });
  });

  it('beyond what is looked at one by one are sockets but for the others seen before', () => {
    const observation = sampleOver(3, (step) =>
      proc.set(PID, oneThread(step, { files: files(7, step === 0 ? 10 : 2100), filesLimit: 4096 })),
    );
    expect(figures(observation, 0, 200)).toMatchObject({ open_files_peak: 2107, sockets_peak: 2100 });
  });

  it('that may not be looked at are null, not none', () => {
    const observation = sampleOver(3, (step) => proc.set(PID, oneThread(step)));
    expect(figures(observation, 0, 200)).toMatchObject({
      open_files_peak: null,
      sockets_peak: null,
      open_files_nearest: null,
    });
  });
});

describe('architecture', () => {
  it('is who worked and how much of the whole, with turns on a core a second and the part in the kernel', () => {
    const observation = sampleOver(11, (step) => {
      proc.set(
        PID,
        oneThread(0, {
          cpuMs: 98 * step,
          systemMs: 24.5 * step,
          threads: {
            100: { name: 'loop', cpuMs: 96 * step, turns: 7 + 120 * step },
            101: { cpuMs: 2 * step, turns: 30 * step },
            102: { cpuMs: 0, turns: 1 },
          },
        }),
      );
    });
    expect(figures(observation, 0, 1000)).toMatchObject({
      threads_working: 2,
      processes_working: 1,
      architecture: { shape: 'one', carriers: 1, carried_share: expect.closeTo(96 / 98, 6) },
      switches_per_s: expect.closeTo(1500, 6),
      system_part: expect.closeTo(0.24 / 0.98, 6),
    });
  });
});

describe('the machine', () => {
  it('is told by what its programs used, waited for and left', () => {
    let ownNs = 0;
    proc.machine(0, 0);
    proc.set(PID, oneThread(0));
    const taken = new Sampler(PID, new Procfs(proc.root), clock, () => ownNs);
    for (let step = 0; step <= 20; step++) {
      proc.machine(0, 5 * step, 15 * step);
      proc.state({
        timeWaits: 100 * step,
        availableMb: 900 - 10 * step,
        swapUsedMb: step,
        stallMs: 2 * step,
      });
      taken.sample(step === 0 || step === 20);
      ownNs += 3 * MS;
      now += 100 * MS;
    }
    expect(figures(taken.finish(), 0, 2000).machine).toEqual({
      work_share: expect.closeTo(1.5, 9),
      harness_share: expect.closeTo(0.03, 9),
      observer_share: 0,
      time_wait_peak: 2000,
      memory_available_min_mb: 700,
      swap_used_from_mb: 0,
      swap_used_to_mb: 20,
      memory_stall_share: expect.closeTo(0.02, 9),
    });
  });

  it('that says nothing of itself is null throughout', () => {
    const observation = sampleOver(3, (step) => proc.set(PID, oneThread(step)));
    expect(figures(observation, 0, 200).machine).toMatchObject({
      time_wait_peak: null,
      memory_available_min_mb: null,
      swap_used_to_mb: null,
      memory_stall_share: null,
    });
  });
});

describe('nothing to see', () => {
  it('a program that was gone before the first sample gives no figures', () => {
    const observation = sampleOver(3, () => {});
    expect(summarize(observation, 0, 1e15)).toBeNull();
  });

  it('a program that ends while watched keeps its last values', () => {
    const observation = sampleOver(11, (step) => {
      if (step <= 4) proc.set(PID, oneThread(100 * step));
      else if (step === 5) proc.remove(PID);
    });
    expect(figures(observation, 0, 400).busiest_thread_share).toBeCloseTo(1, 9);
    expect(figures(observation, 0, 1000).busiest_thread_share).toBeCloseTo(0.4, 9);
  });
});

describe('observe', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('samples at once, every 100 ms, and once more when stopped', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    proc.set(PID, oneThread(0));
    const observing = observe(PID, { procRoot: proc.root, clock });
    vi.advanceTimersByTime(1050);
    const observation = observing.stop();
    expect(observation.atNs).toHaveLength(12);
    vi.advanceTimersByTime(1000);
    expect(observing.stop()).toBe(observation);
    expect(observation.atNs).toHaveLength(12);
  });

  it.each([
    [0.5, 51],
    [0.79, 51],
    [1.6, 27],
    [20, 13],
  ])(
    'samples that take %f ms of CPU come so seldom that they stay below 1 %% of a core',
    (costMs, samples) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      proc.set(PID, oneThread(0));
      let ownNs = 0;
      let calls = 0;
      // Read twice a sample for its cost, once between for the machine's columns.
      const ownCpu = () => {
        calls += 1;
        if (calls % 3 === 0) ownNs += costMs * MS;
        return ownNs;
      };
      const observing = observe(PID, { procRoot: proc.root, clock, ownCpu });
      vi.advanceTimersByTime(5000);
      const { length } = observing.stop().atNs;
      expect(length).toBeGreaterThanOrEqual(samples - 1);
      expect(length).toBeLessThanOrEqual(samples + 6);
    },
  );

  it('sees two hundred threads of a real program, and closes what it opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tare-observe-'));
    const stdoutFile = join(folder, 'stdout');
    const running = processGroupLauncher.launch({
      argv: [process.execPath, join(packageRoot, 'test/clients/many-threads.mjs')],
      env: { UV_THREADPOOL_SIZE: '200' },
      cwd: folder,
      stdoutFile,
      stderrFile: join(folder, 'stderr'),
      deadlineMs: 20_000,
    });
    await vi.waitFor(() => expect(readFileSync(stdoutFile, 'utf8')).toBe('ready\n'), 10_000);
    const before = readdirSync('/proc/self/fd').length;
    const observation = observe(running.pid!).stop();
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
    running.stop();
    await running.done;
    rmSync(folder, { recursive: true });
    expect(observation.processes).toEqual([1, 1]);
    expect(observation.threads[1]).toBeGreaterThan(200);
    expect(observation.threadSeries.length).toBeGreaterThan(200);
    const main = observation.threadSeries.find(({ tid }) => tid === running.pid)!;
    expect(main.cpuNs[0]).toBeGreaterThan(0);
    expect(main.name).toBe('node');
  });
});
