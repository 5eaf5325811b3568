/**
 * The shape of audit.json for checking what is read from disk, and the source of the JSON Schema that is published with the
 * package. Unknown fields are kept: a later version of the same schema may add some.
 */
import { z } from 'zod';
import { ASPECTS } from '../../adapters/contract.ts';
import { DEPARTURE_UNITS, DEPARTURES, PROCESSES } from '../measure/arrival-process/types.ts';
import { STAGES } from '../measure/decomposition.ts';
import { FAULT_KINDS, FAULT_UNITS, type FaultKind } from '../measure/diagnosis/fault.ts';
import { METRICS, STATISTICS } from '../measure/metrics.ts';
import { AUDIT_SCHEMA, type AuditDocument, TARGET_KINDS } from './document.ts';

const figure = z.number().nullable();
const whole = z.int();
const text = z.string();
const cpus = z.array(whole).nullable();

const summary = z
  .looseObject({
    n: figure,
    mean_ms: figure,
    p50_ms: figure,
    p90_ms: figure,
    p99_ms: figure,
    absent: text.optional(),
  })
  .meta({ id: 'Summary' });
const byMetric = <T extends z.ZodType>(value: T) =>
  z.looseObject(
    Object.fromEntries(METRICS.map((metric) => [metric, value])) as Record<(typeof METRICS)[number], T>,
  );
const byStatistic = <T extends z.ZodType>(value: T) =>
  z.looseObject(
    Object.fromEntries(STATISTICS.map((name) => [name, value])) as Record<(typeof STATISTICS)[number], T>,
  );
const metricTable = byMetric(summary).meta({ id: 'MetricTable' });

const definitions = z
  .looseObject({
    t0: z.enum(['scheduled', 'sent']),
    t0Detail: text,
    ttft: z.enum(['firstContent', 'firstChunk', 'headers', 'none']),
    itl: z.enum(['chunkGaps', 'tpot', 'none']),
    tpot: z.enum(['standard', 'betweenTokens', 'none']),
    ntpot: z.enum(['standard', 'toLastToken', 'none']),
    end: z.enum(['lastToken', 'responseEnd']),
    tokenSource: z.enum(['usage', 'clientTokenizer', 'requested', 'chunks']),
    throughput: z.enum(['firstSendToLastEnd', 'firstGapToLastEnd', 'sendWindow', 'sendGaps', 'none']),
    throughputOf: z.enum(['completed', 'all']),
    failures: z.enum(['excluded', 'counted', 'abortRun']),
    warmupRequests: z.number(),
    percentiles: z.enum(['interpolated', 'nextValue', 'nearestRank', 'rounded']).optional(),
  })
  .meta({ id: 'Definitions' });

const client = z
  .looseObject({
    name: text,
    title: text,
    found: z.discriminatedUnion('state', [
      z.looseObject({
        state: z.literal('found'),
        version: text,
        path: text,
        origin: text,
        notes: z.array(text),
        handle: z.record(text, text),
      }),
      z.looseObject({ state: z.literal('missing'), reason: text, remedy: text }),
    ]),
    facts: z.looseObject({
      definitions,
      architecture: text,
      runtime: z.enum(['asyncio', 'uvloop', 'gevent', 'tokio', 'goroutines', 'libuv', 'threads']),
      processes: text,
      connections: z.enum(['kept', 'one a request', 'one a user']),
      joins: z.enum(['requestId', 'responseId', 'connectionOrder', 'none']),
      arrivals: z.array(z.enum(['constant', 'poisson', 'gamma', 'trace'])),
      constantIsPoisson: z.boolean().optional(),
      openLoop: z.boolean(),
      version: text,
      evidence: z.array(z.looseObject({ about: z.enum(ASPECTS), what: text, where: text })),
      startupS: z.number(),
      teardownS: z.number(),
    }),
  })
  .meta({ id: 'ClientEntry' });

const arrivals = z
  .discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('constant') }),
    z.looseObject({ kind: z.literal('poisson') }),
    z.looseObject({ kind: z.literal('gamma'), cv2: z.number() }),
    z.looseObject({ kind: z.literal('trace'), file: text }),
  ])
  .meta({ id: 'Arrivals' });

const outcome = z
  .discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('measured') }),
    ...(['saturated', 'clientFailed', 'timedOut', 'incomplete', 'unparsable', 'clientMissing'] as const).map(
      (kind) => z.looseObject({ kind: z.literal(kind), reason: text }),
    ),
  ])
  .meta({ id: 'Outcome' });

const ledgerMeta = z
  .looseObject({
    version: z.literal(1),
    seed: z.number(),
    latency: text,
    pacing: z.enum(['spin', 'block', 'none']),
    lostRows: z.number(),
    role: z.enum(['merged', 'separate', 'early']).optional(),
    tailNs: z.number().optional(),
    refuseShare: z.number().optional(),
    breakShare: z.number().optional(),
    lostTokens: z.number(),
    lostIds: z.number().optional(),
    windowNs: z.number(),
    cpuNs: z.number(),
    eventLoopUtilization: z.number(),
    peakInFlight: z.number(),
    bodyBytes: z.number().optional(),
    connections: z.number(),
    unserved: z.array(z.looseObject({ asked: text, requests: z.number() })).optional(),
    clockResolutionNs: z.number(),
    pid: z.number(),
    nodeVersion: text,
  })
  .meta({ id: 'LedgerMeta' });

const arrivalIdentity = z
  .looseObject({
    requests: z.number(),
    rate_rps: figure,
    rate_low_rps: figure,
    rate_high_rps: figure,
    cv2: figure,
    cv2_low: figure,
    cv2_high: figure,
    dispersion: z.array(
      z.looseObject({ window_s: z.number(), index: z.number(), low: z.number(), high: z.number() }),
    ),
    poisson: z
      .looseObject({
        lewis_ks: z.number(),
        lewis_p: z.number(),
        uniform_ks: z.number(),
        uniform_p: z.number(),
        p: z.number(),
      })
      .nullable(),
    process: z.enum(PROCESSES),
    cv2_of_gamma: figure,
    agrees: z.boolean().nullable(),
    departures: z.array(
      z.looseObject({
        kind: z.enum(DEPARTURES),
        size: z.number(),
        unit: z.enum(DEPARTURE_UNITS),
        evidence: text,
      }),
    ),
  })
  .meta({ id: 'ArrivalIdentity' });

const truth = z
  .looseObject({
    requests: z.number(),
    warmup_requests: z.number(),
    arrival_rps: figure,
    completion_rps: figure,
    rate_fidelity: figure,
    gap_cv2: figure,
    arrivals: arrivalIdentity.optional(),
    peak_in_flight: z.number(),
    outcomes: z.record(text, z.number()),
    injected: metricTable,
    realized: metricTable,
    expected: metricTable,
    expected_run: z.looseObject({
      completed: z.number(),
      failed: z.number(),
      output_tokens: z.number(),
      achieved_rps: figure,
    }),
    lateness_p50_ms: figure,
    lateness_p99_ms: figure,
    lateness_max_ms: figure,
    target: ledgerMeta,
  })
  .meta({ id: 'Truth' });

const clientSide = z
  .looseObject({
    source: z.enum(['records', 'printed', 'none']),
    how: text,
    requests: figure,
    sent_rps: figure,
    completion_rps: figure,
    rate_fidelity: figure,
    gap_cv2: figure,
    peak_in_flight: figure,
    exported: z
      .looseObject({ requests: z.number(), ttft_mean_ms: figure, e2e_mean_ms: figure, where: text })
      .nullable(),
  })
  .meta({ id: 'ClientSide' });

const reported = z
  .looseObject({
    metrics: metricTable,
    achievedRps: figure,
    durationS: figure,
    completed: figure,
    failed: figure,
    outputTokens: figure,
    dropped: figure,
    notes: z.array(text),
  })
  .meta({ id: 'ClientReport' });

const observed = z
  .looseObject({
    processes_peak: z.number(),
    threads_peak: z.number(),
    rss_peak_mb: z.number(),
    busiest_thread_share: figure,
    busiest_thread: text.nullable(),
    cpu_share: figure,
    threads: z.array(
      z.looseObject({ pid: z.number(), tid: z.number(), name: text, share: z.number(), wait_share: figure }),
    ),
    core_wait_share: figure,
    steal_share: figure,
    system_part: figure.optional(),
    threads_working: figure.optional(),
    processes_working: figure.optional(),
    architecture: z
      .looseObject({
        shape: z.enum(['one', 'equal', 'uneven', 'idle']),
        carriers: whole,
        carried_share: z.number(),
        carrier_processes: whole,
      })
      .nullable()
      .optional(),
    switches_per_s: figure.optional(),
    open_files_peak: figure.optional(),
    sockets_peak: figure.optional(),
    open_files_nearest: z.looseObject({ open: whole, limit: whole }).nullable().optional(),
    machine: z
      .looseObject({
        work_share: figure,
        harness_share: figure,
        observer_share: figure,
        time_wait_peak: figure,
        memory_available_min_mb: figure,
        swap_used_from_mb: figure,
        swap_used_to_mb: figure,
        memory_stall_share: figure,
      })
      .nullable()
      .optional(),
  })
  .meta({ id: 'Observed' });

const metric = z.enum(METRICS);
const statistic = z.enum(STATISTICS);

const trialBias = z
  .looseObject({
    metric,
    statistic,
    injected_ms: figure,
    realized_ms: figure,
    expected_ms: figure,
    reported_ms: figure,
    definition_bias_ms: figure,
    queueing_bias_ms: figure,
    total_bias_ms: figure,
    within_low_ms: figure,
    within_high_ms: figure,
    within_reason: z.string().nullable().optional(),
    paired_ms: figure,
    paired_low_ms: figure,
    paired_high_ms: figure,
    paired_reason: z.string().nullable().optional(),
    paired_worst_tenth_ms: figure.optional(),
  })
  .meta({ id: 'TrialBias' });

const stage = z.enum(STAGES);
const stageFigures = z
  .looseObject({
    told: whole,
    mean_ms: figure,
    p50_ms: figure,
    p99_ms: figure,
    tail_mean_ms: figure,
    share: figure,
    held_by: stage.nullable(),
    reason: text.nullable(),
  })
  .meta({ id: 'StageFigures' });
const figureDecomposition = z
  .looseObject({
    requests: whole,
    left_out: whole.optional(),
    reported_mean_ms: z.number(),
    injected_mean_ms: z.number(),
    bias_mean_ms: z.number(),
    bias_p50_ms: z.number(),
    bias_p99_ms: z.number(),
    bias_tail_mean_ms: z.number(),
    stages: z.looseObject(
      Object.fromEntries(STAGES.map((name) => [name, stageFigures])) as Record<
        (typeof STAGES)[number],
        typeof stageFigures
      >,
    ),
    impossible: whole,
  })
  .meta({ id: 'FigureDecomposition' });
const decomposition = z
  .looseObject({
    clock: z.enum(['monotonic', 'wall', 'unknown']),
    clock_offset_ns: figure,
    clock_how: text,
    wire: z.boolean(),
    ttft: figureDecomposition.nullable(),
    e2e: figureDecomposition.nullable(),
  })
  .meta({ id: 'Decomposition' });
const spread = z.looseObject({ n: whole, p50_ms: figure, p99_ms: figure }).meta({ id: 'Spread' });
const ttftAndE2e = z.looseObject({ ttft: summary, e2e: summary });

const wire = z
  .looseObject({
    requests: whole,
    joined: whole.nullable(),
    joined_share: figure,
    unfinished: whole.optional(),
    is_truncated: z.boolean().optional(),
    other_requests: whole,
    connections: whole,
    not_understood: z.record(text, z.number()),
    packets: whole,
    dropped: whole.nullable(),
    loss_share: figure,
    unseen_bytes: whole,
    capture_bytes: whole,
    clock_uncertainty_us: z.number(),
    against: z
      .looseObject({
        request_to_arrival_ms: spread,
        first_to_wire_ms: spread,
        wire_to_end_ms: spread,
        ttft_apart_ms: spread,
        e2e_apart_ms: spread,
        ledger: ttftAndE2e,
        wire: ttftAndE2e,
        impossible: whole,
      })
      .nullable(),
    realized: ttftAndE2e,
    client_minus_wire: z.looseObject({ ttft_ms: spread, e2e_ms: spread }).nullable(),
    statement: text,
  })
  .meta({ id: 'WireFigures' });

const fault = z
  .looseObject({
    kind: z.enum(Object.keys(FAULT_KINDS) as [FaultKind, ...FaultKind[]]),
    size: z.number(),
    unit: z.enum(FAULT_UNITS),
    low: z.number(),
    high: z.number(),
    evidence: text,
  })
  .meta({ id: 'Fault' });

const trial = z
  .looseObject({
    id: text,
    client: text,
    repetition: whole,
    order: whole,
    workload: z.looseObject({
      rateRps: z.number(),
      requests: whole,
      durationS: z.number(),
      arrivals,
      promptTokens: z.number(),
      outputTokens: z.number(),
      latency: text,
      seed: z.number(),
    }),
    started_at: text,
    elapsed_s: z.number(),
    command: z.array(text),
    exit_code: whole.nullable(),
    outcome,
    truth: truth.nullable(),
    client_side: clientSide.nullable(),
    reported: reported.nullable(),
    observed: observed.nullable(),
    joined: z
      .looseObject({
        by: z.enum(['requestId', 'responseId', 'connectionOrder']).nullable(),
        records: whole,
        joined: whole,
        share: z.number(),
        reason: text.nullable(),
      })
      .nullable(),
    faults: z.array(fault).nullable().optional(),
    bias: z.array(trialBias),
    warnings: z.array(text),
    decomposition: decomposition.nullable().optional(),
    wire: wire.nullable().optional(),
  })
  .meta({ id: 'Trial' });

const finding = z
  .looseObject({
    client: text,
    rate_rps: z.number(),
    metric,
    statistic,
    trials: whole,
    realized_ms: figure,
    expected_ms: figure,
    reported_ms: figure,
    definition_bias_ms: figure,
    queueing_bias_ms: figure,
    total_bias_ms: figure,
    bias_ms: figure,
    bias_by: z.enum(['pairs', 'figures']),
    joined_share: figure,
    low_ms: figure,
    high_ms: figure,
    interval: z.enum(['between trials', 'within a trial', 'none']),
    floor_ms: figure,
    verdict: z.enum(['found', 'none above the floor', 'undetermined']),
    reason: text,
  })
  .meta({ id: 'Finding' });

const rateFinding = z
  .looseObject({
    client: text,
    rate_rps: z.number(),
    trials: whole,
    source: z.enum(['ledger', 'records', 'printed']).nullable(),
    achieved_rps: figure,
    reported_rps: figure,
    expected_rps: figure,
    fidelity: figure,
    fidelity_low: figure,
    fidelity_high: figure,
    gap_cv2: figure,
    peak_in_flight: figure,
    busiest_thread_share: figure,
    outcomes: z.record(text, z.number()),
  })
  .meta({ id: 'RateFinding' });

export const host = z
  .looseObject({
    os: text,
    kernel: text,
    arch: text,
    cpu_model: text,
    cores: z.number(),
    allowed_cpus: z.array(whole),
    memory_mb: z.number(),
    swap_used_mb: figure,
    cpu_governor: text.nullable(),
    load_1m: figure,
    open_files_limit: figure,
    ephemeral_ports: figure,
    glibc: text.nullable(),
    node: text,
    python: text.nullable(),
    taskset: text.nullable(),
  })
  .meta({ id: 'HostInfo' });

const delaySpread = z
  .looseObject({ n: whole, p50_us: z.number(), p99_us: z.number(), max_us: z.number() })
  .meta({ id: 'DelaySpread' });
const clockCost = z.looseObject({ resolution_ns: z.number(), read_ns: z.number() }).meta({ id: 'ClockCost' });

const machineFloor = z
  .looseObject({
    clock: clockCost,
    clock_of_client: clockCost.nullable(),
    clock_source: text.nullable(),
    cpu_governor: text.nullable(),
    to_target: delaySpread.nullable(),
    to_client: delaySpread.nullable(),
    wake_up: delaySpread.nullable(),
    steal_share: figure,
    target_cpus: cpus,
    client_cpus: cpus,
    elapsed_ms: z.number(),
    note: text,
  })
  .meta({ id: 'MachineFloor' });

/** audit.json. */
export const auditDocumentSchema = z.looseObject({
  schema: z.literal(AUDIT_SCHEMA),
  tare_version: text,
  tare_commit: text.nullable().optional(),
  started_at: text,
  finished_at: text.nullable(),
  state: z.enum(['finished', 'interrupted']),
  host,
  plan: z.looseObject({
    target: z
      .looseObject({
        kind: z.enum(TARGET_KINDS),
        url: text.nullable(),
        remote: z.boolean(),
        version: text.nullable(),
        path: text.nullable(),
        model: text,
      })
      .meta({ id: 'TargetInfo' }),
    clients: z.array(text),
    rates_rps: z.array(z.number().positive()),
    repetitions: whole,
    duration_s: z.number(),
    arrivals: text,
    arrivals_otherwise: z.record(text, text),
    latency: text,
    prompt_tokens: z.number(),
    output_tokens: z.number(),
    seed: z.number(),
    workers: figure,
    target_cpus: cpus,
    client_cpus: cpus,
    pinning_note: text,
    estimated_s: z.number(),
    wire: z.enum(['read', 'keep']).optional(),
  }),
  floor: z
    .looseObject({
      how: text,
      rate_rps: z.number(),
      requests: z.number(),
      floor_ms: byMetric(byStatistic(figure)),
      clock_resolution_ns: z.number(),
      target_lateness_p50_ms: figure.optional(),
      target_lateness_p99_ms: figure.optional(),
      steal_share: figure.optional(),
      wire_apart_ms: z.looseObject({ p50: z.number(), p99: z.number() }).nullable().optional(),
      against_itself: z
        .looseObject({
          figures: whole,
          beyond: whole,
          most: z
            .looseObject({
              metric: z.enum(METRICS),
              statistic: z.enum(STATISTICS),
              difference_ms: z.number(),
              allowed_ms: z.number(),
            })
            .nullable(),
        })
        .optional(),
      machine: machineFloor.nullable().optional(),
    })
    .nullable(),
  machine: machineFloor.nullable().optional(),
  clients: z.array(client),
  trials: z.array(trial),
  findings: z.array(finding),
  rates: z.array(rateFinding),
  warnings: z.array(z.looseObject({ code: text, evidence: text, remedy: text })),
});

/** Fails to compile when the schema lacks a field of the document or has it of another type. */
const asDocument = (value: z.infer<typeof auditDocumentSchema>): AuditDocument => value;

/** Checks a value read from audit.json; throws a ZodError. */
export const parseAuditDocument = (value: unknown): AuditDocument =>
  asDocument(auditDocumentSchema.parse(value));
