// What watching costs: CPU time a sample of the observer, in the rhythm of a trial, on programs of three shapes whose threads hold open sockets.
// Run after `npm run build`: node scripts/bench-observer.mjs [seconds a shape]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock } from '../dist/src/system/clock.js';
import { summarize } from '../dist/src/system/observed-figures.js';
import { Sampler } from '../dist/src/system/observer.js';
import { processGroupLauncher } from '../dist/src/system/process-group.js';
import { Procfs } from '../dist/src/system/procfs.js';

// A Python program, since its threads are as many as it is told. One thread of each process works for a hundredth of the time.
const PROGRAM = `
import os, socket, sys, threading, time
processes, threads, sockets = map(int, sys.argv[1:])
for i in range(processes - 1):
    if os.fork() == 0:
        break
held = [socket.socket() for _ in range(sockets)]
for i in range(threads - 1):
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
while True:
    until = time.perf_counter() + 0.001
    while time.perf_counter() < until:
        pass
    time.sleep(0.099)
`;
const SHAPES = [
  { processes: 1, threads: 4, sockets: 50 },
  { processes: 1, threads: 200, sockets: 800 },
  { processes: 20, threads: 10, sockets: 40 },
];
const seconds = Number(process.argv[2] ?? 7);
const round = (value, digits = 2) => Number(value.toFixed(digits));

for (const shape of SHAPES) {
  const folder = mkdtempSync(join(tmpdir(), 'tare-bench-'));
  const running = processGroupLauncher.launch({
    argv: ['python3', '-c', PROGRAM, ...Object.values(shape).map(String)],
    cwd: folder,
    stdoutFile: join(folder, 'stdout'),
    stderrFile: join(folder, 'stderr'),
    deadlineMs: (seconds + 30) * 1000,
  });
  await sleep(1500);
  const sampler = new Sampler(running.pid, new Procfs(), monotonicClock);
  const costs = [];
  const pauses = [];
  const startNs = monotonicClock.now();
  for (let i = 0; monotonicClock.now() - startNs < seconds * 1e9; i++) {
    const before = process.cpuUsage();
    sampler.sample(i === 0);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
    const pauseMs = sampler.pauseMs();
    pauses.push(pauseMs);
    await sleep(pauseMs);
  }
  const figures = summarize(sampler.finish(), startNs, monotonicClock.now());
  running.stop();
  await running.done;
  rmSync(folder, { recursive: true });

  const [first, ...later] = costs;
  const mean = later.reduce((sum, ms) => sum + ms, 0) / later.length;
  later.sort((a, b) => a - b);
  process.stdout.write(
    `${JSON.stringify({
      processes: figures.processes_peak,
      threads: figures.threads_peak,
      sockets: figures.sockets_peak,
      first_sample_cpu_ms: round(first),
      mean_cpu_ms: round(mean),
      p50_cpu_ms: round(later[later.length >> 1]),
      p99_cpu_ms: round(later[Math.floor(later.length * 0.99)]),
      every_ms: Math.round(pauses.reduce((sum, ms) => sum + ms, 0) / pauses.length),
      share_of_a_core: round(figures.machine.observer_share, 4),
    })}\n`,
  );
}
