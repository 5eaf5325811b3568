/** Claims for tests, written short: figures as a page prints them. */
import type {
  Claim,
  ClaimFigure,
  ClaimHeadline,
  ClaimMeasurement,
  ClaimMetric,
  ClaimRow,
  ClaimStatistic,
  ClaimSystem,
  Quantity,
} from '../../../src/claims/claim.ts';
import { CLAIM_STATISTICS, METRIC_UNIT } from '../../../src/claims/claim.ts';

const FACTOR: Record<string, number> = { s: 1000, ms: 1, us: 0.001 };

/** `0.542 s` → 542 ± 0.5 ms; `8,730 tok/s`; `inf`. Counts (`counted`) are exact. */
export function quantity(text: string, counted = false): Quantity {
  if (text === 'inf') return { value: Number.POSITIVE_INFINITY, half: 0, text };
  const [, digits, unit] = /^([\d,.]+)\s*(\S*)$/.exec(text)!;
  const plain = digits!.replaceAll(',', '');
  const factor = FACTOR[unit!] ?? 1;
  const decimals = plain.split('.')[1]?.length ?? 0;
  return {
    value: Number(plain) * factor,
    half: counted ? 0 : 0.5 * 10 ** -decimals * factor,
    text,
  };
}

export interface RowText {
  readonly id: string;
  readonly system?: string;
  readonly rate?: string;
  readonly concurrency?: number;
  readonly requests?: number;
  readonly duration?: string;
  readonly input?: number;
  readonly output?: number;
  readonly length?: ClaimRow['outputLength'];
  readonly run?: ClaimRow['run'];
  readonly promptsOf?: string;
  /** `ttft_p99: '1.2 s'`. */
  readonly figures?: Readonly<Record<string, string>>;
}

const count = (value: number | undefined): Quantity | null =>
  value === undefined ? null : { value, half: 0, text: String(value) };

function figure(row: string, key: string, text: string): ClaimFigure {
  const statistic = CLAIM_STATISTICS.find((name) => key.endsWith(`_${name}`)) ?? null;
  const metric = (statistic === null ? key : key.slice(0, -statistic.length - 1)) as ClaimMetric;
  if (!(metric in METRIC_UNIT)) throw new Error(`no metric: ${key}`);
  const counted = metric === 'completed' || metric === 'failed';
  return {
    id: `${row}.${key}`,
    row,
    metric,
    statistic: statistic as ClaimStatistic,
    quantity: quantity(text, counted),
    line: 1,
  };
}

export const row = (text: RowText): ClaimRow => ({
  id: text.id,
  system: text.system ?? 'one',
  rateRps: text.rate === undefined ? null : quantity(text.rate, true),
  concurrency: count(text.concurrency),
  requests: count(text.requests),
  durationS:
    text.duration === undefined
      ? null
      : { ...quantity(text.duration), value: Number.parseFloat(text.duration), half: 0 },
  inputTokens: count(text.input),
  outputTokens: count(text.output),
  outputLength: text.length ?? null,
  run: text.run ?? null,
  promptsOf: text.promptsOf ?? null,
  figures: Object.entries(text.figures ?? {}).map(([key, value]) => figure(text.id, key, value)),
  line: 1,
});

export const MEASUREMENT: ClaimMeasurement = {
  client: { name: null, version: null },
  processes: null,
  loop: null,
  t0: null,
  streaming: null,
  tokenSource: null,
  arrivals: null,
  warmUp: null,
  window: null,
  repetitions: null,
  successRate: null,
  clientHost: null,
  clientLoad: null,
  secondClient: null,
  clientBias: null,
};

export const headline = (
  id: string,
  ratio: string,
  of: string | null,
  over: string | null,
  more: Partial<ClaimHeadline> = {},
): ClaimHeadline => ({
  id,
  text: `${ratio} faster`,
  ratio: { ...quantity(ratio.replace(/x$/, '')), text: ratio },
  bound: 'exactly',
  better: 'higher',
  of,
  over,
  line: 1,
  ...more,
});

export interface ClaimText {
  readonly rows: readonly RowText[];
  readonly headlines?: readonly ClaimHeadline[];
  readonly measurement?: Partial<ClaimMeasurement>;
  readonly systems?: readonly (Partial<ClaimSystem> & { readonly name: string })[];
  readonly says?: string;
}

export function claim({ rows, headlines = [], measurement = {}, systems, says }: ClaimText): Claim {
  const built = rows.map(row);
  const names = [...new Set(built.map(({ system }) => system))];
  const nothing = { engine: null, version: null, model: null, hardware: null, prefixCache: null };
  return {
    title: 'a claim',
    claimant: 'somebody',
    sources: [{ url: 'https://example.org', title: null, published: null, read: null, says: says ?? null }],
    systems: (systems ?? names.map((name) => ({ name }))).map((system) => ({ ...nothing, ...system })),
    measurement: { ...MEASUREMENT, ...measurement },
    rows: built,
    headlines,
    notes: [],
  };
}
