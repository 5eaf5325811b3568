/**
 * Where the difference between a reported and an injected figure arises, request by request, in stages along the request's way:
 *
 *   t0 → sent → out of the process → the target's arrival ┄ the target's own delay ┄ its write → on the wire → read by the client
 *
 * and, since a client may mean another event than the standard one, the definition. What cannot be told is `unknown`. Whole nanoseconds, so
 * that the stages of a request sum to reported − injected exactly. Pure.
 */
import { mean, quantileSorted } from './quantile.ts';
import { fromMs, toMs } from './time.ts';

export const STAGES = [
  'schedule_lag',
  'before_send',
  'to_target',
  'target_error',
  'back',
  'read',
  'definition',
  'unknown',
] as const;
export type Stage = (typeof STAGES)[number];

/** One request and one of its figures. Instants in ns of CLOCK_MONOTONIC, NaN where not known. */
export interface RequestFigure {
  readonly reportedMs: number;
  /** From the ledger, by the client's definition, by the standard one, and as the latency model wanted it. */
  readonly expectedMs: number;
  readonly realizedMs: number;
  readonly injectedMs: number;
  readonly arrivalNs: number;
  /** What the reported figure counts from. */
  readonly t0Ns: number;
  /** The client's stamp of sending; the same as t0 where that is its sending. */
  readonly sentNs: number;
  /** The kernel's stamp of the request on the wire. */
  readonly wireRequestNs: number;
  /** The kernel's stamp of the bytes that the figure ends with (first token, last token). */
  readonly wireSeenNs: number;
}

/** Stages of one request, whole ns; NaN for what cannot be told. `unknown` is what the others leave of reported − injected. */
export type RequestStages = Readonly<Record<Stage, number>>;

/** The kernel cannot see bytes before they are written; where it seems so by more than this, ns, the stamp is of other bytes. */
const WIRE_ERROR_NS = 50_000;

/** The stages of one request. */
export function stagesOf(r: RequestFigure): RequestStages {
  const reported = fromMs(r.reportedMs);
  const expected = fromMs(r.expectedMs);
  const realized = fromMs(r.realizedMs);
  const injected = fromMs(r.injectedMs);
  const t0 = Math.round(r.t0Ns);
  const sent = Math.round(r.sentNs);
  const arrival = Math.round(r.arrivalNs);
  const written = arrival + expected;
  const seen = t0 + reported;
  const left = Math.round(r.wireRequestNs);
  const onWire = r.wireSeenNs >= written - WIRE_ERROR_NS ? Math.round(r.wireSeenNs) : Number.NaN;
  const stages = {
    schedule_lag: sent - t0,
    before_send: left - sent,
    to_target: arrival - (Number.isNaN(left) ? sent : left),
    target_error: realized - injected,
    back: onWire - written,
    read: seen - (Number.isNaN(onWire) ? written : onWire),
    definition: expected - realized,
  };
  let told = 0;
  for (const value of Object.values(stages)) if (!Number.isNaN(value)) told += value;
  return { ...stages, unknown: reported - injected - told };
}

/** A stage over a trial: each of its figures over the same requests, all of them. */
export interface StageFigures {
  /** Requests for which it could be told: all, or none. */
  readonly told: number;
  /** The means sum to the mean bias. null: never told (what it was is in the stage that holds it, or in `unknown`). */
  readonly mean_ms: number | null;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
  /** Mean over the hundredth of requests with the largest bias: there, too, the stages sum to the bias. */
  readonly tail_mean_ms: number | null;
  /** |mean| over the sum of all stages' |mean|; null where nothing was added or taken away. */
  readonly share: number | null;
  /** The stage that holds this one, where the two cannot be told apart. */
  readonly held_by: Stage | null;
  /** Why it has no figure of its own. */
  readonly reason: string | null;
}

/** Stages of a figure over a trial. */
export interface FigureDecomposition {
  readonly requests: number;
  /** Requests that lack a stamp which nearly all others have (the wire's, where there is a capture): in none of these figures. */
  readonly left_out?: number;
  readonly reported_mean_ms: number;
  readonly injected_mean_ms: number;
  /** Reported − injected, request by request. */
  readonly bias_mean_ms: number;
  readonly bias_p50_ms: number;
  readonly bias_p99_ms: number;
  readonly bias_tail_mean_ms: number;
  readonly stages: Readonly<Record<Stage, StageFigures>>;
  /** Requests with a way there or back below zero by more than 0.05 ms, which cannot be: the clock, the join or the definition is wrong for them. */
  readonly impossible: number;
}

/** Why a stage has no figure, and which stage holds it. */
export interface Untold {
  readonly held_by: Stage | null;
  readonly reason: string;
}

/** Of the requests of a trial so many must have a stamp, for it to be used; the rest is left out then. */
export const NEARLY_ALL = 0.95;

const hasOnWire = (r: RequestFigure): boolean =>
  r.wireSeenNs >= Math.round(r.arrivalNs) + fromMs(r.expectedMs) - WIRE_ERROR_NS;
/** Stamps that a request may lack, and by which its stages differ. */
const STAMPS: readonly (readonly [stamp: keyof RequestFigure, isThere: (r: RequestFigure) => boolean])[] = [
  ['t0Ns', (r) => !Number.isNaN(r.t0Ns)],
  ['sentNs', (r) => !Number.isNaN(r.sentNs)],
  ['wireRequestNs', (r) => !Number.isNaN(r.wireRequestNs)],
  ['wireSeenNs', hasOnWire],
];

/**
 * Requests with the same stamps each, since a stage means something else without them ("on the way to the target" then holds the client's
 * part): a stamp that nearly all have is asked of all; one that more lack is not used for any.
 */
export function uniform(requests: readonly RequestFigure[]): readonly RequestFigure[] {
  let found = requests;
  for (const [stamp, isThere] of STAMPS) {
    const having = found.filter(isThere);
    found =
      having.length > 0 && having.length >= NEARLY_ALL * found.length
        ? having
        : found.map((r) => ({ ...r, [stamp]: Number.NaN }));
  }
  return found;
}

const IMPOSSIBLE_NS = -50_000;
const THERE = ['before_send', 'to_target'] as const;
const BACK = ['back', 'read'] as const;

/** Indices of the hundredth of values that is largest; one at least. */
function largestHundredth(values: Float64Array): readonly number[] {
  const order = [...values.keys()].sort((a, b) => values[b]! - values[a]! || a - b);
  return order.slice(0, Math.max(1, Math.ceil(values.length / 100)));
}

const sumOf = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0);

/**
 * Sums up the requests of a trial, those with the same stamps (`uniform`); null without any.
 * @param untold for stages that no request has: why
 * @param stampedAfter the figure ends with a stamp of the target's after its write, which a client may be ahead of
 */
export function decompose(
  all: readonly RequestFigure[],
  untold: Readonly<Partial<Record<Stage, Untold>>> = {},
  stampedAfter = false,
): FigureDecomposition | null {
  const requests = uniform(all);
  const n = requests.length;
  if (n === 0) return null;
  const each = requests.map(stagesOf);
  const bias = Float64Array.from(requests, (r) => fromMs(r.reportedMs) - fromMs(r.injectedMs));
  const sorted = bias.toSorted();
  const ways = stampedAfter ? THERE : [...THERE, ...BACK];
  const tail = largestHundredth(bias);
  const columns = STAGES.map((stage) => Float64Array.from(each, (stages) => stages[stage]));
  const means = columns.map((column) => sumOf(column) / n);
  const moved = means.reduce((sum, value) => sum + Math.abs(value), 0);
  const figures = STAGES.map((stage, s): [Stage, StageFigures] => {
    const column = columns[s]!;
    const told = column.filter((value) => !Number.isNaN(value)).sort();
    // What is not part of the figure at all is zero for every request; printed as 0 it would look measured.
    const leftOut = untold[stage] !== undefined && told.every((value) => value === 0);
    if (told.length === 0 || leftOut) {
      const { held_by, reason } = untold[stage] ?? {
        held_by: null,
        reason: 'it cannot be told for any request',
      };
      const none = { mean_ms: null, p50_ms: null, p99_ms: null, tail_mean_ms: null, share: null };
      return [stage, { told: 0, ...none, held_by, reason }];
    }
    const inTail = Float64Array.from(tail, (i) => column[i]!);
    return [
      stage,
      {
        told: told.length,
        mean_ms: toMs(means[s]!),
        p50_ms: toMs(quantileSorted(told, 0.5)),
        p99_ms: toMs(quantileSorted(told, 0.99)),
        tail_mean_ms: toMs(sumOf(inTail) / tail.length),
        share: moved === 0 ? null : Math.abs(means[s]!) / moved,
        held_by: null,
        reason: null,
      },
    ];
  });
  return {
    requests: n,
    left_out: all.length - n,
    reported_mean_ms: mean(requests.map((r) => r.reportedMs)),
    injected_mean_ms: mean(requests.map((r) => r.injectedMs)),
    bias_mean_ms: toMs(mean(bias)),
    bias_p50_ms: toMs(quantileSorted(sorted, 0.5)),
    bias_p99_ms: toMs(quantileSorted(sorted, 0.99)),
    bias_tail_mean_ms: toMs(mean(tail.map((i) => bias[i]!))),
    stages: Object.fromEntries(figures) as Record<Stage, StageFigures>,
    impossible: each.filter((stages) => ways.some((way) => stages[way] < IMPOSSIBLE_NS)).length,
  };
}
