/** Whether a queue model can be fitted to a client's curve at all. What cannot is refused with the reason, never fitted anyway. Pure. */
import { meanOf } from '../../measure/bias.ts';
import { NOT_INJECTED } from '../../measure/latency-spec.ts';
import { RATES_FOR_HELD_OUT } from '../../measure/queue/held-out.ts';
import type { CurvePoint } from '../../measure/queue/types.ts';
import { formatArrivals } from '../../measure/workload.ts';
import type { AuditDocument, ClientEntry, Trial } from '../document.ts';
import { keepsLedger } from '../target.ts';
import { type RateTrials, ratesWithFigures } from './points.ts';

/**
 * Gaps of a Poisson process have CV² = 1. A client's own clumping raises it, so the least of all rates counts, and with room for chance: of 200
 * gaps the CV² strays by about 0.2.
 */
const POISSON_CV2 = { low: 0.5, high: 2 } as const;

/** Why nothing is fitted: in the document, so that a program can tell them apart. */
export const REFUSALS = [
  'no-ledger',
  'not-run',
  'closed-loop',
  'arrivals',
  'thread-pool',
  'token-gaps',
  'fewer-rates',
  'within-floor',
] as const;

export interface Refusal {
  readonly code: (typeof REFUSALS)[number];
  readonly why: string;
}

const isPoisson = ({ workload }: Trial, { facts }: ClientEntry): boolean =>
  workload.arrivals.kind === 'poisson' ||
  (workload.arrivals.kind === 'gamma' && Math.abs(workload.arrivals.cv2 - 1) < 0.01) ||
  (workload.arrivals.kind === 'constant' && facts.constantIsPoisson === true);

/** Steady rates that a curve needs at the least: three parameters cannot be told from fewer than three, and one rate more has to be predicted. */
export const FEWEST_RATES = RATES_FOR_HELD_OUT;

/** Why nothing is fitted; null where a fit can be tried. */
export function refusalOf(document: AuditDocument, entry: ClientEntry): Refusal | null {
  const { plan } = document;
  if (!keepsLedger(plan.target) || plan.latency === NOT_INJECTED)
    return {
      code: 'no-ledger',
      why: 'the target kept no ledger, so there is no bias to model. Audit the client against the reference target',
    };
  if (entry.found.state === 'missing') return { code: 'not-run', why: entry.found.reason };
  const rates = ratesWithFigures(document, entry.name, true);
  const [first] = rates;
  if (first === undefined) return { code: 'not-run', why: 'no trial of it has figures' };
  if (!entry.facts.openLoop)
    return {
      code: 'closed-loop',
      why: 'it is a closed loop: it sends when an answer has come, so its own delay holds arrivals back, and M/G/1 (arrivals that do not wait) is not its queue',
    };
  if (!rates.flatMap(({ trials }) => trials).every((trial) => isPoisson(trial, entry))) {
    const asked = formatArrivals(first.trials[0]!.workload.arrivals);
    const can = entry.facts.arrivals.includes('poisson');
    return {
      code: 'arrivals',
      why: `its arrivals are ${asked}, and M/G/1 is about Poisson arrivals: with equal gaps little waits until the loop is nearly full, and the curve does not show its service rate. ${
        can ? 'Audit it with --arrivals poisson' : 'This client has no Poisson arrivals'
      }`,
    };
  }
  return otherProcess(document, entry.name);
}

/**
 * Asked for Poisson arrivals, and sent others: equal gaps at every rate, or clumps at every one where the machine did not disturb it, since a
 * stall makes clumps too.
 */
function otherProcess(document: AuditDocument, client: string): Refusal | null {
  const least = (rates: readonly RateTrials[]) =>
    rates
      .map(({ askedRps, trials }) => ({ askedRps, cv2: meanOf(trials.map(({ truth }) => truth!.gap_cv2)) }))
      .filter((one): one is { askedRps: number; cv2: number } => one.cv2 !== null)
      .reduce<{ askedRps: number; cv2: number } | null>(
        (low, one) => (low === null || one.cv2 < low.cv2 ? one : low),
        null,
      );
  const quiet = least(ratesWithFigures(document, client, false));
  const any = least(ratesWithFigures(document, client, true));
  const found =
    quiet !== null && (quiet.cv2 < POISSON_CV2.low || quiet.cv2 > POISSON_CV2.high)
      ? quiet
      : quiet === null && any !== null && any.cv2 < POISSON_CV2.low
        ? any
        : null;
  if (found === null) return null;
  return {
    code: 'arrivals',
    why: `it was asked for Poisson arrivals, and at ${found.askedRps}/s the target saw gaps of CV² ${found.cv2.toFixed(2)} (Poisson: 1), at other rates no less: they are another process, and M/G/1 is not about it`,
  };
}

/**
 * Whether what a client adds rises with the rate by more than the machine can tell from zero, in any figure: else there is no curve, however well a
 * model goes through it. A figure without a floor is taken for told.
 */
export function risesAboveFloor(document: AuditDocument, steady: readonly CurvePoint[]): boolean {
  return (['ttft', 'e2e'] as const).some((metric) => {
    const means = steady.flatMap((point) => {
      const bias = metric === 'ttft' ? point.ttftBias : point.e2eBias;
      return bias === null ? [] : [bias.mean];
    });
    const floor = document.floor?.floor_ms[metric].mean ?? 0;
    return means.length > 1 && Math.max(...means) - Math.min(...means) > floor;
  });
}
