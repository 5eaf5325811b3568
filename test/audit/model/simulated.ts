/**
 * Audits of clients whose queue is known: a loop is simulated event by event, and what it adds stands in an audit document as trials would leave
 * it. The simulation is the test's own: it shares nothing with the formulas under test.
 */
import type { AuditDocument, Outcome, Trial, TrialBias } from '../../../src/audit/document.ts';
import { findings, rateFindings } from '../../../src/audit/findings.ts';
import { METRICS, STATISTICS } from '../../../src/measure/metrics.ts';
import { normal, uniform } from '../../../src/measure/random.ts';
import { sampleDocument } from '../../reports/sample.ts';

export interface SimulatedLoop {
  /** Service time of one of a request's `tokens`, ms. */
  readonly tokenMs: (u: () => number) => number;
  /** Before the first token and after: what is added without a queue, ms. */
  readonly baseMs: number;
  /** A turn of the loop costs this besides; 0: it serves one by one. */
  readonly turnMs?: number;
}

export interface SimulatedAudit {
  readonly loop: SimulatedLoop;
  readonly rates: readonly number[];
  readonly tokens?: number;
  readonly loops?: number;
  readonly durationS?: number;
  readonly repetitions?: number;
  readonly seed?: number;
  readonly latency?: string;
  /** `token`: the tokens of a request come far apart from one another. */
  readonly grain?: 'request' | 'token';
  /** A loop that is behind sends late: its requests come to the target no faster than it serves them. */
  readonly late?: boolean;
}

interface Waits {
  readonly ttftMs: readonly number[];
  readonly e2eMs: readonly number[];
}

const exponential = (u: () => number): number => -Math.log(1 - u());

/** A loop that takes one request after the other, or with `turnMs` all that wait in a turn. Arrivals at `rate`/s for `seconds`. */
export function simulateLoop(
  { tokenMs, baseMs, turnMs = 0 }: SimulatedLoop,
  rate: number,
  tokens: number,
  seconds: number,
  u: () => number,
): Waits {
  const arrivals: number[] = [];
  for (let t = (1000 * exponential(u)) / rate; t < seconds * 1000; t += (1000 * exponential(u)) / rate)
    arrivals.push(t);
  const ttftMs: number[] = [];
  const e2eMs: number[] = [];
  let free = 0;
  for (let next = 0; next < arrivals.length; ) {
    const begin = Math.max(free, arrivals[next]!);
    let end = next + 1;
    if (turnMs > 0) while (end < arrivals.length && arrivals[end]! <= begin) end++;
    let at = begin + turnMs;
    for (; next < end; next++) {
      for (let token = 0; token < tokens; token++) {
        at += tokenMs(u);
        if (token === 0) ttftMs.push(at - arrivals[next]! + baseMs);
      }
      e2eMs.push(at - arrivals[next]! + baseMs);
    }
    free = at;
  }
  return { ttftMs, e2eMs };
}

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Half a 95 % interval of the mean of what is not independent, by 20 blocks. */
function half(values: readonly number[]): number {
  const size = Math.floor(values.length / 20);
  const means = Array.from({ length: 20 }, (_, i) => meanOf(values.slice(i * size, (i + 1) * size)));
  const centre = meanOf(means);
  return 1.96 * Math.sqrt(means.reduce((sum, value) => sum + (value - centre) ** 2, 0) / 19 / 20);
}

/** Mean of each figure with its interval, as paired with the ledger. */
function biasOf(waits: Waits, template: readonly TrialBias[]): TrialBias[] {
  return METRICS.flatMap((metric) =>
    STATISTICS.map((statistic): TrialBias => {
      const row = template.find((one) => one.metric === metric && one.statistic === statistic)!;
      const values = metric === 'ttft' ? waits.ttftMs : metric === 'e2e' ? waits.e2eMs : null;
      if (values === null || statistic !== 'mean')
        return { ...row, queueing_bias_ms: null, paired_ms: null, paired_low_ms: null, paired_high_ms: null };
      const value = meanOf(values);
      const reach = half(values);
      return {
        ...row,
        queueing_bias_ms: value,
        paired_ms: value,
        paired_low_ms: value - reach,
        paired_high_ms: value + reach,
      };
    }),
  );
}

/** An audit of one client, `asyncio`, with Poisson arrivals, whose loops are simulated. */
export function simulatedAudit(options: SimulatedAudit): AuditDocument {
  const { loop, rates, tokens = 16, loops = 1, durationS = 60, repetitions = 3, seed = 1 } = options;
  const { latency = 'zero', grain = 'request', late = false } = options;
  const sample = sampleDocument({ clients: ['asyncio'], rates, repetitions });
  const trials = sample.trials.map((trial, index): Trial => {
    const rate = trial.workload.rateRps;
    const u = uniform(seed, index);
    const pieces = grain === 'token' ? tokens : 1;
    const parts = Array.from({ length: loops }, () =>
      simulateLoop(loop, (rate * pieces) / loops, tokens / pieces, durationS, u),
    );
    const waits = { ttftMs: parts.flatMap((one) => one.ttftMs), e2eMs: parts.flatMap((one) => one.e2eMs) };
    const requests = Math.round(waits.ttftMs.length / pieces);
    const arrivalRps = requests / durationS;
    const costMs = tokens * meanOf(Array.from({ length: 2000 }, () => loop.tokenMs(u)));
    const seenRps = late ? Math.min(arrivalRps, (1000 * loops) / costMs) : arrivalRps;
    // A thread's share of a core, with the noise of 100 samples a trial.
    const share = Math.min(1, ((arrivalRps / loops) * costMs) / 1000) * (1 + 0.01 * normal(u));
    const outcome: Outcome =
      (arrivalRps * costMs) / loops >= 1000
        ? { kind: 'saturated', reason: `it sent less than ${rate}/s` }
        : { kind: 'measured' };
    return {
      ...trial,
      outcome,
      workload: { ...trial.workload, durationS, outputTokens: tokens, latency },
      truth: {
        ...trial.truth!,
        requests,
        arrival_rps: seenRps,
        gap_cv2: 1,
        lateness_p99_ms: 0.1,
        expected_run: { ...trial.truth!.expected_run, completed: requests, output_tokens: requests * tokens },
        realized: { ...trial.truth!.realized, e2e: { ...trial.truth!.realized.e2e, mean_ms: 0.2 } },
      },
      observed: {
        ...trial.observed!,
        busiest_thread_share: share,
        threads: Array.from({ length: loops }, (_, i) => ({
          pid: 100 + i,
          tid: 100 + i,
          name: 'python3',
          share,
          wait_share: 0.01,
        })),
        architecture:
          loops === 1
            ? { shape: 'one', carriers: 1, carried_share: 0.95, carrier_processes: 1 }
            : { shape: 'equal', carriers: loops, carried_share: 0.95, carrier_processes: loops },
      },
      joined: { by: 'requestId', records: requests, joined: requests, share: 1, reason: null },
      bias: biasOf(waits, trial.bias),
    };
  });
  return {
    ...sample,
    plan: { ...sample.plan, latency, output_tokens: tokens, duration_s: durationS },
    trials,
    findings: findings(trials, sample.floor),
    rates: rateFindings(trials),
  };
}
