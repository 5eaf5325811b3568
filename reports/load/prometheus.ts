/**
 * metrics.prom: the run in Prometheus' text exposition format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/), e.g. for the textfile collector
 * or a Pushgateway. Base units: seconds, requests, tokens. Histograms have exact counts, by the records; summaries have the report's percentiles.
 */
import { figuresOf, tokensOf } from '../../src/load/record-figures.ts';
import type { LoadReport, OverSuccesses } from '../../src/load/report.ts';
import type { RequestRecord } from '../../src/load/spool.ts';
import { type Labels, partFamilies } from './prometheus-parts.ts';

/** Upper bounds of buckets, s: of whole answers, and of the gaps within them. */
const ANSWER_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120];
const GAP_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

const HISTOGRAMS = {
  ttft_scheduled: ['ttft', 'scheduled', ANSWER_BOUNDS],
  ttft_sent: ['ttft', 'sent', ANSWER_BOUNDS],
  e2e_scheduled: ['e2e', 'scheduled', ANSWER_BOUNDS],
  e2e_sent: ['e2e', 'sent', ANSWER_BOUNDS],
  tpot: ['tpot', null, GAP_BOUNDS],
  ntpot_scheduled: ['ntpot', 'scheduled', GAP_BOUNDS],
  ntpot_sent: ['ntpot', 'sent', GAP_BOUNDS],
  itl: ['itl', null, GAP_BOUNDS],
  lag: ['schedule_lag', null, GAP_BOUNDS],
} as const satisfies Record<string, readonly [string, string | null, readonly number[]]>;
type Name = keyof typeof HISTOGRAMS;
const NAMES = Object.keys(HISTOGRAMS) as Name[];
const FROM_SCHEDULE: readonly Name[] = ['ttft_scheduled', 'e2e_scheduled', 'ntpot_scheduled', 'lag'];

const HELP: Readonly<Record<string, string>> = {
  ttft: 'First token of successful requests, from the instant t0.',
  e2e: 'Last token of successful requests, from the instant t0.',
  tpot: '(last - first token) / (tokens - 1) of successful requests.',
  ntpot: 'E2E / tokens of successful requests (the exact form), from the instant t0.',
  itl: 'Gaps between token events of successful requests.',
  schedule_lag: 'Sent - scheduled, of every request that was sent.',
};

interface Buckets {
  readonly counts: number[];
  count: number;
  /** Whole ns, but for NTPOT: exact up to 104 days. */
  sumNs: number;
}

/** Counts by bucket, from the records one by one. */
export class PromBuckets {
  readonly #of = Object.fromEntries(
    NAMES.map((name) => [name, { counts: HISTOGRAMS[name][2].map(() => 0), count: 0, sumNs: 0 }]),
  ) as unknown as Record<Name, Buckets>;

  add(r: RequestRecord): void {
    const f = figuresOf(r);
    this.#take('ttft_scheduled', f.ttft_scheduled_ns);
    this.#take('ttft_sent', f.ttft_sent_ns);
    this.#take('e2e_scheduled', f.e2e_scheduled_ns);
    this.#take('e2e_sent', f.e2e_sent_ns);
    this.#take('tpot', f.tpot_ns);
    const n = tokensOf(r);
    const each = (e2e: number | null): number | null => (e2e === null || n === 0 ? null : e2e / n);
    this.#take('ntpot_scheduled', each(f.e2e_scheduled_ns));
    this.#take('ntpot_sent', each(f.e2e_sent_ns));
    this.#take('lag', f.lag_ns);
    if (r.outcome === 'complete') for (const gap of r.itl_ns) this.#take('itl', Math.max(0, gap));
  }

  #take(name: Name, ns: number | null): void {
    if (ns === null) return;
    const buckets = this.#of[name];
    buckets.count++;
    buckets.sumNs += ns;
    const at = HISTOGRAMS[name][2].findIndex((bound) => ns <= bound * 1e9);
    if (at >= 0) buckets.counts[at]!++;
  }

  of(name: Name): Readonly<Buckets> {
    return this.#of[name];
  }
}

/** A label's value: backslash, quote and line feed are escaped; any other character may stand. */
export const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** HELP has backslash and line feed escaped. */
const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const labelText = (labels: Labels): string => {
  const parts = Object.entries(labels).flatMap(([name, value]) =>
    value === null ? [] : [`${name}="${escapeLabel(value)}"`],
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
};

class Exposition {
  readonly lines: string[] = [];
  readonly #common: Labels;
  constructor(common: Labels) {
    this.#common = common;
  }
  family(name: string, type: 'counter' | 'gauge' | 'histogram' | 'summary', help: string): void {
    this.lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
  }
  sample(name: string, labels: Labels, value: number): void {
    this.lines.push(`${name}${labelText({ ...this.#common, ...labels })} ${value}`);
  }
  /** A family of samples that may be absent; without any there is none. */
  some(
    name: string,
    type: 'counter' | 'gauge',
    help: string,
    samples: readonly (readonly [Labels, number | null])[],
  ): void {
    const present = samples.filter((one): one is readonly [Labels, number] => one[1] !== null);
    if (present.length === 0) return;
    this.family(name, type, help);
    for (const [labels, value] of present) this.sample(name, labels, value);
  }
}

/** `open`: whether there is a schedule; without one nothing runs from it, and such a series is left out rather than 0. */
function histogram(out: Exposition, metric: string, buckets: PromBuckets, open: boolean): void {
  const name = `tare_load_${metric}_seconds`;
  const keys = NAMES.filter((key) => HISTOGRAMS[key][0] === metric && (open || !FROM_SCHEDULE.includes(key)));
  if (keys.length === 0) return;
  out.family(name, 'histogram', HELP[metric]!);
  for (const key of keys) {
    const [, t0, bounds] = HISTOGRAMS[key];
    const { counts, count, sumNs } = buckets.of(key);
    let below = 0;
    bounds.forEach((bound, i) => {
      below += counts[i]!;
      out.sample(`${name}_bucket`, { t0, le: String(bound) }, below);
    });
    out.sample(`${name}_bucket`, { t0, le: '+Inf' }, count);
    out.sample(`${name}_sum`, { t0 }, sumNs / 1e9);
    out.sample(`${name}_count`, { t0 }, count);
  }
}

const QUANTILES = [
  ['0.5', 'p50_ms'],
  ['0.9', 'p90_ms'],
  ['0.99', 'p99_ms'],
  ['0.999', 'p999_ms'],
] as const;

/** Percentiles of the report, exact to its 0.1 %; a summary has no other place for them than beside sum and count. */
function summary(
  out: Exposition,
  metric: string,
  sources: readonly (readonly [string | null, OverSuccesses])[],
): void {
  const present = sources.filter(([, figures]) => figures.n > 0);
  if (present.length === 0) return;
  const name = `tare_load_${metric}_quantiles_seconds`;
  out.family(name, 'summary', `Percentiles: ${HELP[metric]}`);
  for (const [t0, figures] of present) {
    for (const [quantile, field] of QUANTILES) {
      const value = figures[field];
      if (value !== null) out.sample(name, { t0, quantile }, value / 1000);
    }
    out.sample(`${name}_sum`, { t0 }, (figures.mean_ms! * figures.n) / 1000);
    out.sample(`${name}_count`, { t0 }, figures.n);
  }
}

/** The whole exposition. Labels of every sample: model, endpoint, arrivals (absent in a closed loop) and the requested rate (absent where none was asked). */
export function promText(r: LoadReport, buckets: PromBuckets): string {
  const out = new Exposition({
    model: r.options.model,
    endpoint: r.options.endpoint,
    arrivals: r.options.arrivals,
    rate_rps: r.rate.requested_rps === null ? null : String(r.rate.requested_rps),
  });
  out.some('tare_load_info', 'gauge', 'What ran: always 1.', [
    [{ version: r.tare_version, node: r.client.node, state: r.state, url: r.options.url }, 1],
  ]);
  out.some(
    'tare_load_trusted',
    'gauge',
    '1 where the client found no reason to distrust its figures, else 0.',
    [[{}, r.trusted ? 1 : 0]],
  );
  out.some(
    'tare_load_requests_total',
    'counter',
    'Requests of the schedule by how they ended.',
    Object.entries(r.counts.outcomes).map(([outcome, n]) => [{ outcome }, n]),
  );
  out.some('tare_load_requests_sent_total', 'counter', 'Requests that were sent.', [[{}, r.counts.sent]]);
  out.some('tare_load_requests_resent_total', 'counter', 'Times that a refused request was sent again.', [
    [{}, r.retry.resent],
  ]);
  out.some(
    'tare_load_tokens_total',
    'counter',
    'Output tokens of successful requests by how they are counted.',
    [
      [{ counted: 'usage' }, r.tokens.by_usage],
      [{ counted: 'events' }, r.tokens.by_events],
    ],
  );
  out.some('tare_load_success_ratio', 'gauge', 'Successful requests over scheduled ones.', [
    [{}, r.counts.success_rate],
  ]);
  out.some(
    'tare_load_requests_per_second',
    'gauge',
    'Rate of requests as asked, as drawn, as sent and as completed.',
    (['requested', 'scheduled', 'sent', 'completed'] as const).map((kind) => [
      { kind },
      r.rate[`${kind}_rps`],
    ]),
  );
  out.some('tare_load_tokens_per_second', 'gauge', 'Output tokens of successful requests.', [
    [{}, r.tokens.per_second],
  ]);
  out.some('tare_load_in_flight_peak', 'gauge', 'Most requests under way at once, summed over workers.', [
    [{}, r.counts.peak_in_flight],
  ]);
  out.some('tare_load_workers', 'gauge', 'Worker processes.', [[{}, r.client.workers]]);
  out.some('tare_load_start_time_seconds', 'gauge', 'When the first request could be due, since the epoch.', [
    [{}, Date.parse(r.started_at) / 1000],
  ]);
  out.some('tare_load_elapsed_seconds', 'gauge', 'From the common start to the end.', [[{}, r.elapsed_s]]);
  out.some('tare_load_startup_seconds', 'gauge', 'From launch to the first request.', [[{}, r.startup_s]]);
  out.some('tare_load_teardown_seconds', 'gauge', 'From the last answer to the end.', [[{}, r.teardown_s]]);
  for (const { name, type, help, samples } of partFamilies(r)) out.some(name, type, help, samples);
  for (const metric of Object.keys(HELP)) histogram(out, metric, buckets, r.closed_loop === null);
  summary(out, 'ttft', [
    ['scheduled', r.from_scheduled.ttft.over_successes],
    ['sent', r.from_sent.ttft.over_successes],
  ]);
  summary(out, 'e2e', [
    ['scheduled', r.from_scheduled.e2e.over_successes],
    ['sent', r.from_sent.e2e.over_successes],
  ]);
  summary(out, 'tpot', [[null, r.tpot.over_successes]]);
  summary(out, 'ntpot', [
    ['scheduled', r.from_scheduled.ntpot.over_successes],
    ['sent', r.from_sent.ntpot.over_successes],
  ]);
  summary(out, 'itl', [[null, r.itl]]);
  return `${out.lines.join('\n')}\n`;
}
