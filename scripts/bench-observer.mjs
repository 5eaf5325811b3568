// What watching costs: CPU time a sample of the observer, in the rhythm of a trial, on a program with 200 threads of which one works.
// Run after `npm run build`: node scripts/bench-observer.mjs [seconds]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock } from '../dist/src/system/clock.js';
import { Sampler } from '../dist/src/system/observer.js';
import { processGroupLauncher } from '../dist/src/system/process-group.js';
import { Procfs } from '../dist/src/system/procfs.js';

const PROGRAM = `
  const { pbkdf2 } = require('node:crypto');
  for (let i = 0; i < 200; i++) pbkdf2('a', 'b', 1000, 32, 'sha256', () => {});
  setInterval(() => { const until = performance.now() + 30; while (performance.now() < until); }, 100);
`;
const seconds = Number(process.argv[2] ?? 10);
const folder = mkdtempSync(join(tmpdir(), 'tare-bench-'));
const running = processGroupLauncher.launch({
  argv: [process.execPath, '-e', PROGRAM],
  cwd: folder,
  env: { UV_THREADPOOL_SIZE: '200' },
  stdoutFile: join(folder, 'stdout'),
  stderrFile: join(folder, 'stderr'),
  deadlineMs: (seconds + 30) * 1000,
});
await sleep(2000);

const sampler = new Sampler(running.pid, new Procfs(), monotonicClock);
const costs = [];
for (let i = 0; i < seconds * 10; i++) {
  const before = process.cpuUsage();
  sampler.sample(i === 0);
  const { user, system } = process.cpuUsage(before);
  costs.push((user + system) / 1000);
  await sleep(100);
}
const { threads } = sampler.finish();
running.stop();
await running.done;
rmSync(folder, { recursive: true });

const [first, ...later] = costs;
const mean = later.reduce((sum, ms) => sum + ms, 0) / later.length;
later.sort((a, b) => a - b);
const round = (ms) => Math.round(ms * 100) / 100;
process.stdout.write(
  `${JSON.stringify({
    threads: Math.max(...threads),
    samples: costs.length,
    first_sample_cpu_ms: round(first),
    mean_cpu_ms: round(mean),
    p50_cpu_ms: round(later[later.length >> 1]),
    p99_cpu_ms: round(later[Math.floor(later.length * 0.99)]),
    share_of_a_core: round(mean) / 100,
  })}\n`,
);
