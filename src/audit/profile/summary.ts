/** From the runs of a layer to its costs. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import { studentInterval } from '../../measure/intervals.ts';
import { GOOD_RHO, goodTo } from '../../measure/profile/good-to.ts';
import { linearityOf } from '../../measure/profile/linearity.ts';
import { type CostFit, fitCost } from '../../measure/profile/regression.ts';
import { mean } from '../../measure/quantile.ts';
import type { CostLine, GoodToRow, LayerResult, PointCost, ProfilePoint, Unit } from './document.ts';

/** Tokens of the table "good to". */
const GOOD_TO_TOKENS = [16, 128, 512] as const;

/** Work goes from thread to thread in these: the busiest one is another one all the time, and bounds nothing. */
const SPREADS: ReadonlySet<ClientFacts['runtime']> = new Set(['goroutines', 'tokio', 'threads']);

/** What bounds a client of this runtime. */
export const unitOf = (facts: Pick<ClientFacts, 'runtime'>): Unit =>
  SPREADS.has(facts.runtime) ? 'all threads' : 'busiest thread';

export const boundUs = (cost: PointCost, unit: Unit): number =>
  unit === 'busiest thread' ? cost.busiest_us : cost.group_us;

/** How busy what bounds it was: of one thread, or of the cores there are. */
export const rhoOf = (cost: PointCost, unit: Unit, cores: number): number =>
  unit === 'busiest thread'
    ? Math.max(cost.busiest_share, cost.group_share / cores)
    : cost.group_share / cores;

export const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.toSorted((a, b) => a - b)[(values.length - 1) >> 1]!;

/** Points with a cost that may be used. */
export const usable = (points: readonly ProfilePoint[], purpose: ProfilePoint['purpose']) =>
  points.flatMap((point) =>
    point.purpose === purpose && point.cost !== null && point.why === null
      ? [{ ...point, cost: point.cost }]
      : [],
  );

type Line = { readonly line: CostLine; readonly fit: CostFit } | { readonly refused: string };

function lineOf(points: ReturnType<typeof usable>, us: (cost: PointCost) => number): Line {
  // Runs of one kind differ by a few bytes, as their prompts do: that is no change of the prompt.
  const bytesOf = (words: number): number =>
    mean(
      points
        .filter(({ prompt_tokens }) => prompt_tokens === words)
        .map(({ cost }) => cost.written.body_bytes),
    );
  const data = points.map(({ cell, prompt_tokens, cost }) => ({
    cell,
    tokens: cost.delivered_tokens,
    promptBytes: bytesOf(prompt_tokens),
    us: us(cost),
  }));
  const fit = fitCost(data);
  if ('refused' in fit) return fit;
  const { terms: _, at: __, ...line } = fit;
  return { fit, line: { ...line, linearity: linearityOf(fit, data) } };
}

/** Cost at half the load over cost at the load, run by run against the mean of its cell. */
export function halfLoad(points: readonly ProfilePoint[], unit: Unit): LayerResult['half_load'] {
  const usual = usable(points, 'usual');
  const ratios = usable(points, 'half').flatMap(({ cell, cost, rate_limited_by }) => {
    // Held up by the requests that a run needs, it was at more than half the load.
    if (rate_limited_by === 'requests') return [];
    const same = usual.filter((one) => one.cell === cell).map((one) => boundUs(one.cost, unit));
    if (same.length === 0) return [];
    return [boundUs(cost, unit) / mean(same)];
  });
  if (ratios.length === 0) return null;
  const interval = studentInterval(ratios);
  return {
    ratio: mean(ratios),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

function rowsOf(
  busiest: CostFit | null,
  group: CostFit,
  promptBytes: number,
  mostTokens: number,
  cores: number,
): GoodToRow[] {
  return GOOD_TO_TOKENS.map((tokens) => {
    const request = { tokens, promptBytes };
    const [one, all] = [busiest?.at(request) ?? null, group.at(request)];
    return {
      tokens,
      prompt_bytes: Math.round(promptBytes),
      extrapolated: tokens > mostTokens,
      busiest_us: one,
      group_us: all,
      rho: GOOD_RHO,
      good_to: goodTo(one, all, cores),
    };
  });
}

type Summary = Pick<
  LayerResult,
  'state' | 'busiest' | 'group' | 'load' | 'half_load' | 'good_to' | 'warnings'
> & {
  /** Why there are no costs. */
  readonly why?: string;
};

const percent = (share: number): string => `${Math.abs(share * 100).toFixed(0)} %`;

/** In words, what the line does not explain. */
function missWarnings(line: CostLine): string[] {
  const { misses } = line.linearity;
  if (misses === null) return ['no kind of request was run twice, so it is not known whether cost is linear'];
  return misses.map(
    ({ tokens, prompt_bytes, share, low_share, high_share }) =>
      `not linear: ${tokens} tokens and ${prompt_bytes} bytes cost ${percent(share)} ${share > 0 ? 'more' : 'less'} than the line says (95 % interval ${(low_share * 100).toFixed(0)} to ${(high_share * 100).toFixed(0)} %)`,
  );
}

/** A client that waits this part of the time for its core shares it with other work, which also empties its caches. */
const MOST_CORE_WAIT = 0.05;

function coreWaitWarnings(points: ReturnType<typeof usable>): string[] {
  const wait = median(points.flatMap(({ cost }) => cost.core_wait_share ?? []));
  if (wait === null || wait <= MOST_CORE_WAIT) return [];
  return [
    `it waited ${percent(wait)} of the time for its core (median), which other work had, or other threads of its own: if it was other work, costs are too high; end that and measure again`,
  ];
}

/** Below this load it shows that an event costs more where fewer come at once. */
const LEAST_RHO = 0.15;

function lightLoadWarnings(points: ReturnType<typeof usable>, rho: number): string[] {
  if (rho >= LEAST_RHO || !points.some(({ rate_limited_by }) => rate_limited_by === 'target')) return [];
  return [
    `it was ${percent(rho)} busy only, since the target can do no more: an event may cost less at a higher load, so do not compare with layers that were measured there`,
  ];
}

/** Why there is no rate that it is good to. */
function noGoodWarnings(rows: readonly GoodToRow[]): string[] {
  const none = rows.filter(({ good_to }) => good_to === null).map(({ tokens }) => tokens);
  return none.length === 0
    ? []
    : [
        `no "good to" at ${none.join(', ')} tokens: within its noise the cost of what bounds it comes out at 0 or less there; measure longer, on a quiet machine`,
      ];
}

/** The costs of a layer's runs. */
export function summarizeLayer(points: readonly ProfilePoint[], unit: Unit, cores: number): Summary {
  const none = { busiest: null, group: null, load: null, half_load: null, good_to: [], warnings: [] };
  const usual = usable(points, 'usual');
  const failed = points.find(({ cost, why }) => cost === null && why !== null)?.why;
  if (usual.length === 0)
    return {
      ...none,
      state: 'failed',
      why: failed ?? points.find(({ why }) => why !== null)?.why ?? 'it was not run',
    };
  const group = lineOf(usual, (cost) => cost.group_us);
  const busiest = unit === 'busiest thread' ? lineOf(usual, (cost) => cost.busiest_us) : null;
  if ('refused' in group) return { ...none, state: 'failed', why: group.refused };
  if (busiest !== null && 'refused' in busiest) return { ...none, state: 'failed', why: busiest.refused };
  const rho = median(usual.map(({ cost }) => rhoOf(cost, unit, cores)))!;
  const rates = usual.map(({ rate_rps }) => rate_rps);
  const small = usual.toSorted((a, b) => a.cost.written.body_bytes - b.cost.written.body_bytes)[0]!;
  const most = Math.max(...usual.map(({ cost }) => cost.delivered_tokens));
  const good_to = rowsOf(busiest?.fit ?? null, group.fit, small.cost.written.body_bytes, most, cores);
  const dropped = points.filter(({ purpose, why }) => purpose === 'usual' && why !== null);
  return {
    state: 'measured',
    busiest: busiest?.line ?? null,
    group: group.line,
    load: {
      median_rho: rho,
      least_rps: Math.min(...rates),
      most_rps: Math.max(...rates),
    },
    half_load: halfLoad(points, unit),
    good_to,
    warnings: [
      ...missWarnings((busiest ?? group).line),
      ...coreWaitWarnings(usual),
      ...lightLoadWarnings(usual, rho),
      ...noGoodWarnings(good_to),
      ...(dropped.length === 0
        ? []
        : [`${dropped.length} of ${usual.length + dropped.length} runs are not used: ${dropped[0]!.why}`]),
    ],
  };
}
