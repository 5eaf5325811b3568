/** The measured curve of a client: for each rate what its queueing added to TTFT and E2E on the mean, from an audit. Pure. */
import { meanOf } from '../../measure/bias.ts';
import { t975 } from '../../measure/intervals.ts';
import { mean, variance } from '../../measure/quantile.ts';
import type { CurvePoint, MeanMs } from '../../measure/queue/types.ts';
import { trialDisturbedBy } from '../disturbance.ts';
import type { AuditDocument, Finding, Trial } from '../document.ts';
import { cpuMsPerRequest } from './loops.ts';

/** A rate of an audit with its point of the curve, in requests whatever the grain. */
export interface RatePoint {
  readonly askedRps: number;
  readonly trials: number;
  /** In which its requests were due at the asked rate, s: where the client was late they arrived for longer. */
  readonly dueS: number;
  readonly point: CurvePoint;
}

/** Half a 95 % interval within a trial, in standard errors, where blocks are many. */
const WITHIN_HALVES = 1.96;

type Figure = 'ttft' | 'e2e';

const findingOf = (document: AuditDocument, client: string, rate: number, metric: Figure): Finding | null =>
  document.findings.find(
    (one) =>
      one.client === client && one.rate_rps === rate && one.metric === metric && one.statistic === 'mean',
  ) ?? null;

/** Bias of the mean in each trial, as the finding judges it, with half its own interval. */
function ofTrials(trials: readonly Trial[], finding: Finding): { value: number; half: number | null }[] {
  return trials.flatMap((trial) => {
    const row = trial.bias.find((one) => one.metric === finding.metric && one.statistic === 'mean');
    if (row === undefined) return [];
    const [value, low, high] =
      finding.bias_by === 'pairs'
        ? [row.paired_ms, row.paired_low_ms, row.paired_high_ms]
        : [row.queueing_bias_ms, row.within_low_ms, row.within_high_ms];
    return value === null ? [] : [{ value, half: low === null || high === null ? null : (high - low) / 2 }];
  });
}

/**
 * Mean over trials and its standard error: the larger of what the trials differ by among themselves and of what each can tell by its own
 * blocks. Of two or three trials alone the first can be small by chance, and a point would count for more than it knows.
 */
export function meanWithError(
  values: readonly { readonly value: number; readonly half: number | null }[],
): MeanMs | null {
  if (values.length === 0) return null;
  const n = values.length;
  const halves = values.flatMap(({ half }) => (half === null ? [] : [half]));
  const between = n < 2 ? null : Math.sqrt(variance(values.map(({ value }) => value)) / n);
  const within =
    halves.length < n ? null : Math.sqrt(mean(halves.map((half) => (half / WITHIN_HALVES) ** 2)) / n);
  // Two trials without intervals of their own: the spread of two is too little to weigh by, so it is widened as Student's t is.
  const widened = between !== null && within === null ? (between * t975(n - 1)) / WITHIN_HALVES : between;
  const errors = [widened, within].filter((value) => value !== null);
  return {
    mean: mean(values.map(({ value }) => value)),
    se: errors.length === 0 ? null : Math.max(...errors),
  };
}

const hasFigures = ({ outcome, truth, bias }: Trial): boolean =>
  truth !== null && bias.length > 0 && (outcome.kind === 'measured' || outcome.kind === 'saturated');

/** Requests and how long they went on arriving, of a trial. */
const arrivedS = ({ truth, workload }: Trial): number =>
  truth === null || truth.arrival_rps === null || truth.requests < 2
    ? workload.durationS
    : (truth.requests - 1) / truth.arrival_rps;

/** In which so many requests are due at the asked rate: the clock of a growth. Of a client that stopped at its deadline, only those that it sent. */
const dueS = ({ truth, workload }: Trial): number =>
  truth === null ? workload.durationS : truth.requests / workload.rateRps;

function tokensOf({ truth, workload }: Trial): number {
  const run = truth?.expected_run;
  return run === undefined || run.completed === 0 ? workload.outputTokens : run.output_tokens / run.completed;
}

/** A client's trials at a rate, as far as they have figures. */
export interface RateTrials {
  readonly askedRps: number;
  /** Those that the point is made of. */
  readonly trials: readonly Trial[];
  readonly saturated: boolean;
  /** Why others are left out, in words. */
  readonly leftOut: readonly string[];
}

const isSaturated = ({ outcome }: Trial): boolean => outcome.kind === 'saturated';

/** Half of the repetitions saturated is no steady rate, whatever the others show: to take those alone would take the lucky ones. */
function atRate(askedRps: number, all: readonly Trial[], keepDisturbed: boolean): RateTrials {
  const quiet = all.filter((trial) => trialDisturbedBy(trial) === null);
  const usable = keepDisturbed ? all : quiet;
  const saturated = usable.filter(isSaturated).length * 2 >= usable.length;
  const trials = usable.filter((trial) => isSaturated(trial) === saturated);
  const left = (n: number, why: string) =>
    n === 0
      ? []
      : [
          `At ${askedRps}/s ${n} of ${all.length} ${all.length === 1 ? 'trial is' : 'trials are'} left out: ${why}.`,
        ];
  const disturbed = all.find((trial) => !usable.includes(trial));
  return {
    askedRps,
    trials,
    saturated,
    leftOut: [
      ...left(
        all.length - usable.length,
        disturbed === undefined ? '' : `the machine disturbed them (${trialDisturbedBy(disturbed)})`,
      ),
      ...left(
        usable.length - trials.length,
        saturated
          ? 'the rate was kept, where half or more did not keep it'
          : 'saturated, where most were not',
      ),
    ],
  };
}

/** A client's rates in rising order. `keepDisturbed`: with the trials that the machine disturbed, as it is known by what it did. */
export function ratesWithFigures(
  document: AuditDocument,
  client: string,
  keepDisturbed: boolean,
): readonly RateTrials[] {
  const own = document.trials.filter((trial) => trial.client === client && hasFigures(trial));
  const rates = [...new Set(own.map(({ workload }) => workload.rateRps))].sort((a, b) => a - b);
  return rates
    .map((askedRps) =>
      atRate(
        askedRps,
        own.filter(({ workload }) => workload.rateRps === askedRps),
        keepDisturbed,
      ),
    )
    .filter(({ trials }) => trials.length > 0);
}

/** The curve. `loops`: event loops that share the requests; `cpu`: whether CPU time is a cost, and not a thread that turns while it waits. */
export function curveOf(
  document: AuditDocument,
  client: string,
  rates: readonly RateTrials[],
  { loops, cpu }: { readonly loops: number; readonly cpu: boolean },
): RatePoint[] {
  return rates.flatMap(({ askedRps, trials, saturated }): RatePoint[] => {
    const arrival = meanOf(trials.map(({ truth }) => truth!.arrival_rps));
    if (arrival === null) return [];
    const biasOf = (metric: Figure): MeanMs | null => {
      const finding = findingOf(document, client, askedRps, metric);
      return finding === null ? null : meanWithError(ofTrials(trials, finding));
    };
    const point: CurvePoint = {
      rateRps: arrival,
      requests: trials.reduce((sum, { truth }) => sum + truth!.requests, 0),
      durationS: mean(trials.map(arrivedS)),
      tokens: mean(trials.map(tokensOf)),
      ttftBias: biasOf('ttft'),
      e2eBias: biasOf('e2e'),
      cpuMsPerRequest: cpu ? meanOf(trials.map((trial) => cpuMsPerRequest(trial, loops))) : null,
      gapCv2: meanOf(trials.map(({ truth }) => truth!.gap_cv2)),
      saturated,
    };
    return [{ askedRps, trials: trials.length, dueS: mean(trials.map(dueS)), point }];
  });
}
