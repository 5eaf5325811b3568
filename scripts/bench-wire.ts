/**
 * What a capture costs at 1,000 requests/s of 16 tokens: tcpdump's own CPU time, the target's with and without it, and reading the
 * file. Runs in turn with and without, so that drift of the machine falls on both alike.
 *
 *   npm run build && node dist/scripts/bench-wire.js [requests/s] [seconds] [pairs]
 *
 * One JSON document on stdout. Needs tcpdump and the permission to capture, and taskset for pinning. Nothing else should run.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import type { Launcher } from '../src/system/launcher.ts';
import { SNAPLEN, startCapture } from '../src/system/packet-capture.ts';
import { processGroupLauncher } from '../src/system/process-group.ts';
import { Procfs } from '../src/system/procfs.ts';
import { joinedOffset, realtimeOffset, toMonotonic } from '../src/system/realtime-offset.ts';
import { readLedger } from '../src/truth/ledger-file.ts';
import { readCapture } from '../src/truth/wire/capture-reader.ts';
import { openLoop } from './bench-target/open-loop.ts';
import { startTarget } from './bench-target/target-process.ts';

/** Clock ticks a second of /proc, on every Linux that Node runs on. */
const TICKS_PER_S = 100;
const [rate, seconds, pairs] = [process.argv[2] ?? 1000, process.argv[3] ?? 5, process.argv[4] ?? 3].map(
  Number,
);
const dir = mkdtempSync(join(tmpdir(), 'tare-bench-wire-'));
const targetCpu = availableParallelism() > 1 ? 0 : null;
const procfs = new Procfs();
const cpuS = (pid: number): number => (procfs.stat(pid)?.cpuTicks ?? Number.NaN) / TICKS_PER_S;

type Figures = Record<string, number>;

async function once(withCapture: boolean): Promise<Figures> {
  const ledgerFile = join(dir, 'ledger.arrow');
  const flags = ['--latency', 'ttft=50ms,itl=10ms', '--ledger', ledgerFile, '--pacing', 'block'];
  const target = await startTarget(flags, targetCpu);
  const port = Number(new URL(target.url).port);
  const file = join(dir, 'wire.pcap');
  let pid = 0;
  const launcher: Launcher = {
    launch(spec) {
      const running = processGroupLauncher.launch(spec);
      pid = running.pid ?? 0;
      return running;
    },
  };
  const options = { launcher, port, file, stderrFile: join(dir, 'stderr.txt'), deadlineMs: 120_000 };
  const capture = withCapture ? await startCapture(options) : null;
  const before = realtimeOffset();
  const failed = await openLoop(target.url, rate!, seconds!, false);
  const figures: Figures = { failed };
  if (capture !== null) {
    figures.tcpdump_core_percent = (100 * cpuS(pid)) / seconds!;
    const { captured, dropped } = await capture.stop();
    Object.assign(figures, { packets: captured, dropped, capture_mb: statSync(file).size / 1e6 });
    const { ns } = joinedOffset(before, realtimeOffset());
    const start = performance.now();
    const read = await readCapture(file, port, toMonotonic(ns));
    figures.read_ms = performance.now() - start;
    figures.requests = read.requests.length;
    figures.unseen_bytes = read.unseenBytes;
  }
  await target.stop();
  const { meta, rows } = await readLedger(ledgerFile);
  figures.target_us_per_request = meta.cpuNs / rows / 1e3;
  figures.target_loop_utilization = meta.eventLoopUtilization;
  return figures;
}

const runs: { with: Figures[]; without: Figures[] } = { with: [], without: [] };
for (let i = 0; i < pairs!; i++) {
  runs.without.push(await once(false));
  runs.with.push(await once(true));
}
rmSync(dir, { recursive: true });
const medians = (all: readonly Figures[]): Figures =>
  Object.fromEntries(Object.keys(all[0]!).map((key) => [key, median(all.map((one) => one[key]!))]));
process.stdout.write(
  `${JSON.stringify({ rate_rps: rate, seconds, pairs, snaplen: SNAPLEN, load_1m: loadavg()[0], with: medians(runs.with), without: medians(runs.without), runs }, null, 2)}\n`,
);
