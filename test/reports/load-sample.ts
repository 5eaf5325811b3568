/** A load run with known requests, through the real recorder, spool and report. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildReport } from '../../src/load/build-report.ts';
import { EVENT } from '../../src/load/event-kind.ts';
import type { Seen } from '../../src/load/faults/fault.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../src/load/options.ts';
import { OUTCOME, type Outcome } from '../../src/load/outcome.ts';
import { Recorder } from '../../src/load/recorder.ts';
import type { LoadReport } from '../../src/load/report.ts';
import { strataSpec } from '../../src/load/requests/spec.ts';
import { Strata } from '../../src/load/requests/strata.ts';
import { type RequestRecord, readSpool, SpoolWriter } from '../../src/load/spool.ts';
import type { HostInfo } from '../../src/system/host.ts';

const MS = 1e6;
/** CLOCK_MONOTONIC of a machine that has been up for 100 days. */
export const START_NS = 8.64e15;

export interface SampleRequest {
  readonly index: number;
  /** ms after the start. */
  readonly scheduledMs: number;
  readonly sentMs?: number | null;
  readonly tokenMs: readonly number[];
  readonly endMs?: number | null;
  readonly outcome?: Outcome;
  readonly status?: number;
  readonly id?: string;
  readonly usage?: number;
  readonly failure?: string;
}

const at = (ms: number | null | undefined): number =>
  ms === null || ms === undefined ? Number.NaN : START_NS + Math.round(ms * MS);

function seen(r: SampleRequest): Seen {
  const stamps = Float64Array.from(r.tokenMs.map((ms) => at(ms)));
  const id = new TextEncoder().encode(r.id ?? `cmpl-${r.index}`).subarray(0, 64);
  const sentNs = r.sentMs === null ? Number.NaN : at(r.sentMs ?? r.scheduledMs + 0.05);
  return {
    index: r.index,
    scheduledNs: at(r.scheduledMs),
    sentNs,
    headersNs: stamps[0] ?? Number.NaN,
    firstNs: stamps[0] ?? Number.NaN,
    firstAnswerNs: stamps[0] ?? Number.NaN,
    lastNs: stamps.at(-1) ?? Number.NaN,
    endNs: r.endMs === null ? Number.NaN : at(r.endMs ?? (r.tokenMs.at(-1) ?? r.scheduledMs) + 0.1),
    kinds: EVENT.content | EVENT.finish | EVENT.done,
    completionTokens: r.usage ?? stamps.length,
    promptTokens: 8,
    tokens: stamps.length,
    stamps,
    stampCount: stamps.length,
    status: r.status ?? 200,
    outcome: OUTCOME[r.outcome ?? 'complete'],
    failure: r.failure ?? '',
    retryAfter: '',
    answerDate: '',
    tries: 1,
    firstSentNs: Number.NaN,
    scanner: { id, idLength: id.length },
  };
}

export const HOST: HostInfo = {
  os: 'Debian GNU/Linux 12',
  kernel: '6.1',
  arch: 'x64',
  cpu_model: 'A CPU',
  cores: 2,
  allowed_cpus: [0, 1],
  memory_mb: 1000,
  swap_used_mb: 0,
  cpu_governor: null,
  load_1m: 0,
  open_files_limit: 1024,
  ephemeral_ports: 28_232,
  glibc: null,
  node: '20.20.0',
  python: null,
  taskset: null,
};

export interface Sample {
  readonly report: LoadReport;
  readonly records: readonly RequestRecord[];
}

/** The run of these requests, in the order in which they are given. */
export function sampleRun(requests: readonly SampleRequest[], change: Partial<LoadOptions> = {}): Sample {
  const options: LoadOptions = {
    ...LOAD_DEFAULTS,
    url: 'http://127.0.0.1:8000',
    arrivals: { kind: 'constant' },
    rateRps: 100,
    requests: Math.max(1, requests.length),
    outputTokens: 3,
    ...change,
  };
  const spec = strataSpec(options);
  const recorder = new Recorder(options.outputTokens, spec === null ? null : new Strata(spec));
  const dir = mkdtempSync(join(tmpdir(), 'tare-sample-'));
  try {
    const spool = new SpoolWriter(join(dir, 'spool'));
    for (const request of requests) {
      recorder.take(seen(request));
      spool.append(seen(request));
    }
    spool.close();
    const lastMs = Math.max(1, ...requests.map((r) => r.endMs ?? r.tokenMs.at(-1) ?? r.scheduledMs));
    const plan = planLoad(options, { allowed: [0, 1], total: 2, taskset: false });
    const report = buildReport(options, plan, {
      state: 'complete',
      reason: null,
      startedAt: '2026-11-30T08:00:00.000Z',
      startNs: START_NS,
      endNs: START_NS + (lastMs + 20) * MS,
      launchedNs: START_NS - 1e9,
      tareVersion: '0.1.0',
      workers: [
        {
          worker: 0,
          pid: 1,
          cpus: null,
          state: 'done',
          exitCode: 0,
          signal: null,
          figures: recorder.snapshot(),
          vitals: null,
        },
      ],
    });
    return { report, records: [...readSpool(join(dir, 'spool'), options.idPrefix)] };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A steady run of `n` requests at 100/s, each with three tokens after 20 ms and more; every tenth fails where asked. */
export const steady = (n: number, failing = false): SampleRequest[] =>
  Array.from({ length: n }, (_, index) => {
    const scheduledMs = index * 10;
    const first = scheduledMs + 20 + (index % 7);
    return failing && index % 10 === 9
      ? {
          index,
          scheduledMs,
          tokenMs: [],
          endMs: scheduledMs + 5,
          outcome: 'httpError',
          status: 503,
          failure: 'status 503: busy',
        }
      : { index, scheduledMs, tokenMs: [first, first + 2, first + 5 + (index % 3)] };
  });
