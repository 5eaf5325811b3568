/**
 * An audit document as a real audit would leave it, made from a small queue model: our client as two processes, a single-loop
 * asyncio script, a client that drifts and so sends too little, one whose TTFT is the time to headers, one that fails at high rates,
 * one that is not installed. Figures are from the shapes seen with real clients; nothing here is random but for a seeded stream.
 */
import type { ClientFacts, ClientReport, Definitions } from '../../adapters/contract.ts';
import { onMachine, QUIET, schedule } from '../../scripts/arrival-power/simulate.ts';
import type {
  AuditDocument,
  ClientEntry,
  Finding,
  Outcome,
  RateFinding,
  Trial,
  TrialBias,
  Truth,
} from '../../src/audit/document.ts';
import { identifyArrivals } from '../../src/measure/arrival-process/identify.ts';
import { decompose, type RequestFigure } from '../../src/measure/decomposition.ts';
import { METRICS, type MetricTable, STATISTICS, type Summary } from '../../src/measure/metrics.ts';
import { normal, uniform } from '../../src/measure/random.ts';

export const REFERENCE_TARGET: AuditDocument['plan']['target'] = {
  kind: 'reference',
  url: null,
  remote: false,
  version: null,
  path: null,
  model: 'tare-reference',
};

const RATES = [50, 100, 200, 400, 800, 1600];
const TOKENS = 16;

interface Model {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly origin: string;
  readonly definitions?: Partial<Definitions>;
  readonly architecture: string;
  readonly processes: number;
  readonly threads: number;
  /** Requests/s that its busiest event loop can serve. */
  readonly mu: number;
  /** ms that each request's schedule drifts. */
  readonly drift_ms?: number;
  /** It gives no figure above this rate. */
  readonly failsAbove?: number;
  readonly missing?: { reason: string; remedy: string };
  /** Metrics that it does not print. */
  readonly without?: readonly (typeof METRICS)[number][];
}

const MODELS: readonly Model[] = [
  {
    name: 'tare-multi',
    title: 'tare load, 2 processes',
    version: '0.1.0',
    origin: 'part of Tare',
    architecture: 'm worker processes, one event loop and one connection pool each',
    processes: 3,
    threads: 33,
    mu: 12_000,
  },
  {
    name: 'asyncio',
    title: 'asyncio script (aiohttp)',
    version: '1.0 (aiohttp 3.13.2, Python 3.11.2)',
    origin: 'set up by tare setup',
    architecture: 'one process, one asyncio event loop',
    processes: 1,
    threads: 3,
    mu: 1720,
  },
  {
    name: 'drifter',
    title: 'relative sleeps',
    version: '0.5.23',
    origin: "the user's own",
    architecture: 'one process, one asyncio event loop, sleeps each gap',
    processes: 1,
    threads: 5,
    mu: 1500,
    drift_ms: 0.8,
  },
  {
    name: 'k6',
    title: 'k6',
    version: '2.2.0',
    origin: "the user's own",
    definitions: {
      ttft: 'headers',
      tpot: 'none',
      itl: 'none',
      ntpot: 'none',
      end: 'responseEnd',
      t0Detail: 'after the connection is acquired',
    },
    architecture: 'one process, a goroutine a virtual user, as many threads as cores',
    processes: 1,
    threads: 11,
    mu: 4200,
    without: ['itl', 'tpot', 'ntpot'],
  },
  {
    name: 'genai-perf',
    title: 'GenAI-Perf',
    version: '0.0.16 (perf_analyzer 2.60.0)',
    origin: "the user's own",
    definitions: { tokenSource: 'clientTokenizer', failures: 'abortRun' },
    architecture: 'Python parent, C++ perf_analyzer with 4 sender threads',
    processes: 2,
    threads: 15,
    mu: 2600,
    failsAbove: 400,
  },
  {
    name: 'vllm-bench',
    title: 'vLLM bench (Python)',
    version: '',
    origin: '',
    architecture: 'one process, one asyncio event loop',
    processes: 1,
    threads: 4,
    mu: 1200,
    missing: { reason: 'no vllm in PATH, and no client-only set-up', remedy: 'tare setup vllm-bench' },
  },
];

const definitions = (model: Model): Definitions => ({
  t0: 'sent',
  t0Detail: 'just before the request is written, after the pool',
  ttft: 'firstContent',
  itl: 'chunkGaps',
  tpot: 'standard',
  ntpot: 'standard',
  end: 'lastToken',
  tokenSource: 'usage',
  throughput: 'firstSendToLastEnd',
  throughputOf: 'completed',
  failures: 'excluded',
  warmupRequests: 1,
  ...model.definitions,
});

const facts = (model: Model): ClientFacts => ({
  definitions: definitions(model),
  architecture: model.architecture,
  runtime: 'asyncio',
  processes: '1',
  connections: 'kept',
  joins: 'requestId',
  arrivals: ['constant', 'poisson'],
  openLoop: true,
  version: model.version,
  evidence: [{ about: 't0', what: 't0 just before the request', where: 'benchmark.py:120' }],
  startupS: 1,
  teardownS: 0.5,
});

const summary = (mean: number, p50: number, p90: number, p99: number, n = 4000): Summary => ({
  n,
  mean_ms: mean,
  p50_ms: p50,
  p90_ms: p90,
  p99_ms: p99,
});

const without = (reason: string): Summary => ({
  n: null,
  mean_ms: null,
  p50_ms: null,
  p90_ms: null,
  p99_ms: null,
  absent: reason,
});

/** The target's own table: 50 ms to the first token, 10 ms a token, and a little lateness that grows with the rate. */
function realizedTable(rate: number): MetricTable {
  const late = 0.05 + rate / 40_000;
  return {
    ttft: summary(50 + late, 50 + late * 0.8, 50 + late * 1.5, 50 + late * 4),
    itl: summary(10, 10, 10.02, 10.1 + late),
    tpot: summary(10, 10, 10.01, 10.04),
    ntpot: summary(12.5, 12.5, 12.51, 12.6),
    e2e: summary(200 + late, 200 + late * 0.8, 200 + late * 1.5, 200 + late * 4),
  };
}

/** What the client's own queue adds: a wait of M/G/1 form, and a linear excess beyond saturation. */
function wait(model: Model, rate: number): number {
  const rho = rate / model.mu;
  if (rho >= 0.97) return 60 + (rho - 0.97) * 500;
  return (1000 / model.mu) * (0.08 + (2.2 * rho) / (1 - rho) / 2);
}

function trialOf(model: Model, rate: number, repetition: number, order: number, seed: number): Trial {
  const u = uniform(seed, order, repetition);
  const noise = () => 1 + 0.06 * normal(u);
  const sent = Math.min(
    model.drift_ms === undefined ? rate : 1000 / (1000 / rate + model.drift_ms),
    model.mu * 0.93,
  );
  const truthTable = realizedTable(sent);
  const added = wait(model, sent) * noise();
  const headers = model.definitions?.ttft === 'headers';
  const expectedTable: MetricTable = headers
    ? { ...truthTable, ttft: summary(0.4, 0.38, 0.5, 1.1) }
    : truthTable;
  const shifted = (s: Summary, scale: number): Summary =>
    summary(
      s.mean_ms! + added * scale,
      s.p50_ms! + added * scale * 0.85,
      s.p90_ms! + added * scale * 2,
      s.p99_ms! + added * scale * 3.6 * noise(),
    );
  const metrics = Object.fromEntries(
    METRICS.map((metric) => [
      metric,
      model.without?.includes(metric)
        ? without('the client does not print it')
        : shifted(expectedTable[metric], metric === 'itl' || metric === 'tpot' ? 0.02 : 1),
    ]),
  ) as unknown as MetricTable;
  const failed = model.failsAbove !== undefined && rate > model.failsAbove;
  const fidelity = sent / rate;
  const outcome: Outcome = failed
    ? { kind: 'clientFailed', reason: 'exit code 1: "Connection reset by peer", no export' }
    : fidelity < 0.98
      ? { kind: 'saturated', reason: `sent ${(fidelity * 100).toFixed(1)} % of what was asked` }
      : { kind: 'measured' };
  const truth: Truth = {
    requests: Math.round(sent * 8),
    warmup_requests: 1,
    arrival_rps: sent * (1 + 0.001 * normal(u)),
    completion_rps: sent * 0.98,
    rate_fidelity: fidelity,
    arrivals: identifyArrivals(
      onMachine(
        schedule({ kind: 'poisson' }, sent, Math.min(400, Math.round(sent * 8)), rate + repetition),
        QUIET,
        1,
      ),
      { arrivals: { kind: 'poisson' }, rateRps: rate },
    ),
    gap_cv2: 1 + (sent / model.mu) ** 4 * 12 * noise(),
    peak_in_flight: Math.round(sent * 0.2 * 1.4) + 2,
    outcomes: { complete: Math.round(sent * 8) },
    injected: realizedTable(0),
    realized: truthTable,
    expected: expectedTable,
    expected_run: {
      completed: Math.round(sent * 8),
      failed: 0,
      output_tokens: Math.round(sent * 8) * TOKENS,
      achieved_rps: sent * 0.987,
    },
    lateness_p50_ms: 0.05,
    lateness_p99_ms: 0.4,
    lateness_max_ms: 2.1,
    target: {
      version: 1,
      seed,
      latency: 'ttft=50ms,itl=10ms',
      pacing: 'spin',
      lostRows: 0,
      lostTokens: 0,
      windowNs: 8e9,
      cpuNs: 3e9,
      eventLoopUtilization: 0.4,
      peakInFlight: Math.round(sent * 0.3),
      connections: 40,
      clockResolutionNs: 42,
      pid: 4242,
      nodeVersion: 'v20.20.2',
    },
  };
  const reported: Omit<ClientReport, 'records'> = {
    metrics,
    achievedRps: sent * 0.985,
    durationS: 8.2,
    completed: truth.requests,
    failed: 0,
    outputTokens: truth.requests * TOKENS,
    dropped: null,
    notes: [],
  };
  const share = Math.min(0.99, 0.04 + sent / model.mu);
  return {
    id: `${String(order).padStart(3, '0')}-${model.name}-${rate}-${repetition}`,
    client: model.name,
    repetition,
    order,
    workload: {
      rateRps: rate,
      requests: rate * 8,
      durationS: 8,
      arrivals: { kind: 'poisson' },
      promptTokens: 32,
      outputTokens: TOKENS,
      latency: 'ttft=50ms,itl=10ms',
      seed: seed + repetition,
    },
    started_at: new Date(Date.UTC(2025, 10, 29, 12, 0, order * 9)).toISOString(),
    elapsed_s: 8.9,
    command: [
      'taskset',
      '-c',
      '1',
      'python3',
      `/opt/clients/${model.name}/bench.py`,
      '--rate',
      String(rate),
      '--prompt',
      "it's one",
    ],
    exit_code: failed ? 1 : 0,
    outcome,
    truth: truth,
    client_side: null,
    reported: failed ? null : reported,
    observed: {
      processes_peak: model.processes,
      threads_peak: model.threads,
      rss_peak_mb: 80 * model.processes,
      busiest_thread_share: share,
      busiest_thread: model.processes > 1 ? 'node' : 'python3',
      cpu_share: share * 1.1,
      threads: [{ pid: 100, tid: 100, name: 'python3', share, wait_share: 0.01 }],
      core_wait_share: 0.01,
      steal_share: 0.001,
      system_part: 0.24,
      threads_working: 1,
      processes_working: 1,
      architecture: { shape: 'one', carriers: 1, carried_share: 0.9, carrier_processes: 1 },
      switches_per_s: sent * 7.5,
      open_files_peak: 60,
      sockets_peak: 40,
      open_files_nearest: { open: 60, limit: 1024 },
    },
    joined: null,
    bias: failed ? [] : biasOf(truth, metrics),
    warnings: [],
    decomposition: failed || model.missing !== undefined ? null : stagesOf(model, added, order),
  };
}

/** A third of what it adds on the way there, the rest on the way back; the clock of the one that drifts is not known. */
function stagesOf(model: Model, added: number, order: number): NonNullable<Trial['decomposition']> {
  const u = uniform(order, 7);
  const known = model.name !== 'drifter';
  const figures = (injectedMs: number, definition: number) =>
    Array.from({ length: 40 }, (): RequestFigure => {
      const realizedMs = injectedMs + 0.05 + 0.1 * u();
      const own = added * (0.5 + u());
      const expectedMs = realizedMs + definition;
      const t0Ns = known ? 1e12 : Number.NaN;
      return {
        injectedMs,
        realizedMs,
        expectedMs,
        reportedMs: expectedMs + own,
        arrivalNs: 1e12 + (own / 3) * 1e6,
        t0Ns,
        sentNs: t0Ns,
        wireRequestNs: Number.NaN,
        wireSeenNs: Number.NaN,
      };
    });
  const sent = { held_by: null, reason: 'its figures count from sending' };
  const lost = { held_by: 'unknown', reason: 'its stamps are of a clock of its own' } as const;
  const untold = {
    schedule_lag: sent,
    before_send: known ? ({ held_by: 'to_target', reason: 'no capture of the wire' } as const) : lost,
    ...(known ? {} : { to_target: lost, read: lost }),
    back: known ? ({ held_by: 'read', reason: 'no capture of the wire' } as const) : lost,
  };
  const atHead = model.definitions?.ttft === 'headers';
  return {
    clock: known ? 'monotonic' : 'unknown',
    clock_offset_ns: known ? 0 : null,
    clock_how: known ? 'CLOCK_MONOTONIC, as the ledger' : 'neither CLOCK_MONOTONIC nor the wall clock',
    wire: false,
    ttft: decompose(figures(50, atHead ? -49.6 : 0), untold),
    e2e: decompose(figures(200, model.definitions?.end === 'responseEnd' ? 0.1 : 0), untold),
  };
}

function biasOf(truth: Truth, metrics: MetricTable): TrialBias[] {
  const less = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b);
  return METRICS.flatMap((metric) =>
    STATISTICS.map((statistic): TrialBias => {
      const field = `${statistic}_ms` as const;
      const [injected, realized, expected, reported] = [
        truth.injected,
        truth.realized,
        truth.expected,
        metrics,
      ].map((table) => table[metric][field]) as [number | null, number | null, number | null, number | null];
      const queueing = less(reported, expected);
      return {
        metric,
        statistic,
        injected_ms: injected,
        realized_ms: realized,
        expected_ms: expected,
        reported_ms: reported,
        definition_bias_ms: less(expected, realized),
        queueing_bias_ms: queueing,
        total_bias_ms: less(reported, realized),
        within_low_ms: queueing === null ? null : queueing * 0.9 - 0.1,
        within_high_ms: queueing === null ? null : queueing * 1.1 + 0.1,
        paired_ms: null,
        paired_low_ms: null,
        paired_high_ms: null,
      };
    }),
  );
}

const mean = (values: readonly (number | null)[]): number | null => {
  const present = values.filter((value): value is number => value !== null);
  return present.length === 0 ? null : present.reduce((a, b) => a + b, 0) / present.length;
};

function findingOf(
  client: string,
  rate: number,
  trials: readonly Trial[],
  index: number,
  floor: number,
): Finding {
  const { metric, statistic } = {
    metric: METRICS[Math.floor(index / STATISTICS.length)]!,
    statistic: STATISTICS[index % STATISTICS.length]!,
  };
  const biases = trials.flatMap((trial) =>
    trial.bias.filter((b) => b.metric === metric && b.statistic === statistic),
  );
  const queueing = mean(biases.map((b) => b.queueing_bias_ms));
  const values = biases.map((b) => b.queueing_bias_ms ?? 0);
  const spread = queueing === null ? 0 : Math.max(...values.map((value) => Math.abs(value - queueing)));
  const between = biases.length > 1;
  const half = between ? spread * 1.6 + 0.03 : Math.abs(queueing ?? 0) * 0.1 + 0.1;
  const low = queueing === null ? null : queueing - half;
  const high = queueing === null ? null : queueing + half;
  const clear = low !== null && high !== null && (low > floor || high < -floor);
  const inside = low !== null && high !== null && low >= -floor && high <= floor;
  return {
    client,
    rate_rps: rate,
    metric,
    statistic,
    trials: biases.length,
    realized_ms: mean(biases.map((b) => b.realized_ms)),
    expected_ms: mean(biases.map((b) => b.expected_ms)),
    reported_ms: mean(biases.map((b) => b.reported_ms)),
    definition_bias_ms: mean(biases.map((b) => b.definition_bias_ms)),
    queueing_bias_ms: queueing,
    total_bias_ms: mean(biases.map((b) => b.total_bias_ms)),
    bias_ms: queueing,
    bias_by: 'figures',
    joined_share: null,
    low_ms: low,
    high_ms: high,
    interval: queueing === null ? 'none' : between ? 'between trials' : 'within a trial',
    floor_ms: floor,
    verdict: clear ? 'found' : inside ? 'none above the floor' : 'undetermined',
    reason:
      queueing === null
        ? 'the client does not print it'
        : clear
          ? 'the interval is outside of the floor'
          : inside
            ? 'the interval is within the floor'
            : 'the interval reaches into the floor',
  };
}

const FLOOR = { mean: 0.06, p50: 0.05, p90: 0.2, p99: 0.6 } as const;

function rateFindingOf(client: string, rate: number, trials: readonly Trial[]): RateFinding {
  const fidelity = mean(trials.map((trial) => trial.truth?.rate_fidelity ?? null));
  const outcomes: Record<string, number> = {};
  for (const trial of trials) outcomes[trial.outcome.kind] = (outcomes[trial.outcome.kind] ?? 0) + 1;
  return {
    client,
    rate_rps: rate,
    trials: trials.length,
    source: 'ledger',
    achieved_rps: mean(trials.map((trial) => trial.truth?.arrival_rps ?? null)),
    expected_rps: mean(trials.map((trial) => trial.truth?.expected_run.achieved_rps ?? null)),
    reported_rps: mean(trials.map((trial) => trial.reported?.achievedRps ?? null)),
    fidelity,
    fidelity_low: fidelity === null ? null : fidelity * 0.995,
    fidelity_high: fidelity === null ? null : fidelity * 1.005,
    gap_cv2: mean(trials.map((trial) => trial.truth?.gap_cv2 ?? null)),
    peak_in_flight: Math.max(0, ...trials.map((trial) => trial.truth?.peak_in_flight ?? 0)),
    busiest_thread_share: mean(trials.map((trial) => trial.observed?.busiest_thread_share ?? null)),
    outcomes,
  };
}

export interface SampleOptions {
  readonly repetitions?: number;
  readonly rates?: readonly number[];
  /** Names of the models to keep. */
  readonly clients?: readonly string[];
  /** Replaces every text that comes from a client or an adapter. */
  readonly hostile?: string;
  readonly seed?: number;
}

/** A finished audit. Same options, same document. */
export function sampleDocument(options: SampleOptions = {}): AuditDocument {
  const { repetitions = 3, rates = RATES, seed = 7, hostile } = options;
  const models = MODELS.filter((model) => options.clients?.includes(model.name) ?? true).map((model) =>
    hostile === undefined
      ? model
      : {
          ...model,
          name: `${model.name}${hostile}`,
          title: hostile,
          version: model.version + hostile,
          origin: hostile,
          architecture: hostile,
        },
  );
  const entries: ClientEntry[] = models.map((model) => ({
    name: model.name,
    title: model.title,
    facts: facts(model),
    found: model.missing
      ? { state: 'missing', ...model.missing }
      : {
          state: 'found',
          version: model.version,
          path: `/opt/clients/${model.name}`,
          origin: model.origin,
          notes: hostile ? [hostile] : [],
          handle: {},
        },
  }));
  const trials: Trial[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++)
    for (const rate of rates)
      for (const model of models)
        if (!model.missing) {
          const trial = trialOf(model, rate, repetition, trials.length, seed);
          trials.push(
            hostile === undefined
              ? trial
              : {
                  ...trial,
                  warnings: [hostile],
                  command: [...trial.command, hostile],
                  outcome:
                    trial.outcome.kind === 'measured' ? trial.outcome : { ...trial.outcome, reason: hostile },
                },
          );
        }
  const of = (client: string, rate: number) =>
    trials.filter((trial) => trial.client === client && trial.workload.rateRps === rate);
  const present = models.filter((model) => !model.missing);
  const table = Object.fromEntries(
    METRICS.map((metric) => [
      metric,
      metric === 'tpot' || metric === 'itl' ? { mean: 0.01, p50: 0.01, p90: 0.03, p99: 0.08 } : FLOOR,
    ]),
  );
  return {
    schema: 'tare-audit/1',
    tare_version: '0.1.0',
    started_at: '2025-11-29T12:00:00.000Z',
    finished_at: '2025-11-29T12:04:31.000Z',
    state: 'finished',
    host: {
      os: 'Debian GNU/Linux 12',
      kernel: '6.1.0-28-amd64',
      arch: 'x64',
      cpu_model: 'AMD EPYC 7B13',
      cores: 2,
      allowed_cpus: [0, 1],
      memory_mb: 24_100,
      swap_used_mb: 0,
      cpu_governor: null,
      load_1m: 0.4,
      open_files_limit: 1_048_576,
      ephemeral_ports: 28_232,
      glibc: '2.36',
      node: 'v20.20.2',
      python: '3.11.2',
      taskset: '/usr/bin/taskset',
    },
    plan: {
      target: REFERENCE_TARGET,
      clients: models.map((model) => model.name),
      rates_rps: rates,
      repetitions,
      duration_s: 8,
      arrivals: 'poisson',
      arrivals_otherwise: {},
      latency: 'ttft=50ms,itl=10ms',
      prompt_tokens: 32,
      output_tokens: TOKENS,
      seed,
      workers: null,
      target_cpus: [0],
      client_cpus: [1],
      pinning_note: 'by taskset',
      estimated_s: 270,
    },
    floor: {
      how: 'bare loopback client, median of 5',
      rate_rps: 100,
      requests: 1000,
      floor_ms: table as unknown as NonNullable<AuditDocument['floor']>['floor_ms'],
      clock_resolution_ns: 42,
    },
    clients: entries,
    trials,
    findings: present.flatMap((model) =>
      rates.flatMap((rate) =>
        Array.from({ length: METRICS.length * STATISTICS.length }, (_, index) => {
          const metric = METRICS[Math.floor(index / STATISTICS.length)]!;
          const statistic = STATISTICS[index % STATISTICS.length]!;
          return findingOf(
            model.name,
            rate,
            of(model.name, rate),
            index,
            (table[metric] as typeof FLOOR)[statistic],
          );
        }),
      ),
    ),
    rates: present.flatMap((model) =>
      rates.map((rate) => rateFindingOf(model.name, rate, of(model.name, rate))),
    ),
    warnings: [
      {
        code: 'shared-core',
        evidence: 'load average was 0.4 before the first trial',
        remedy: 'stop other work on this machine and run the audit again',
      },
      ...(hostile === undefined ? [] : [{ code: 'hostile', evidence: hostile, remedy: hostile }]),
    ],
  };
}
