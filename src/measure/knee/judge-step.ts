/** What one step of a sweep showed: whether the server kept up with what it was sent. */
import { blockMeans, countAt, firstAfter, type InFlight, inFlight } from './in-flight.ts';
import { plateau, rateBetween } from './plateau.ts';
import { slope } from './trend.ts';
import type { Plateau, Ranged, StepFigures, StepRequests, Verdict } from './types.ts';

/** Requests that fail, above this share: the server keeps up by refusing. */
export const MOST_FAILED = 0.01;
/** Fewer failures than this decide nothing: of 50 requests one is 2 %. */
const FEWEST_FAILED = 5;
/** Growth of the requests under way, as a share of those sent: from here on they pile up, … */
export const PILES_UP = 0.01;
/** … and a step is stable only if its interval excludes this. */
export const SURELY_STABLE = 0.03;
/** Not judged: so many times the time in service at low load, while requests in service build up. */
export const BUILD_UP = 2;
/** A step must be at least so many times the time in service beyond that. */
export const FEWEST_SERVICES = 8;
const BLOCKS = 40;
const FEWEST_REQUESTS = 30;
/** Sends below this share of those due in the window: the server was not offered what was asked. */
const SENT_SHARE = 0.98;
/** Our own lag, above this share of the growth of the delay: we may be what is slow. */
const OWN_SHARE = 0.2;
/** Growth beyond this share of what was sent is overload even where no plateau was seen, e.g. since nothing was completed at all. */
const SURELY_GROWS = 0.2;

export interface JudgeContext {
  /** Mean time from sent to end at low load, s; null: the first requests of this step. */
  readonly serviceS: number | null;
  /** Reasons why this step says nothing about the server, e.g. that a worker died or that a limit of ours held requests back. */
  readonly clientReasons: readonly string[];
}

/** Mean time from sent to end of the complete requests among the first ones of a step; null without any. */
export function serviceTime(r: StepRequests, first: number = r.ok.length): number | null {
  let sum = 0;
  let n = 0;
  for (let i = 0; i < r.ok.length && i < first; i++) {
    if (r.ok[i] !== 1) continue;
    sum += r.endS[i]! - r.sentS[i]!;
    n++;
  }
  return n === 0 ? null : sum / n;
}

/** Mean delay from scheduled to end in the last quarter of the arrivals, and mean lag of the sends there, s. */
function lastQuarter(r: StepRequests): { delayS: number; lagS: number } {
  let delay = 0;
  let lag = 0;
  let n = 0;
  for (let i = Math.floor(r.ok.length * 0.75); i < r.ok.length; i++) {
    if (Number.isNaN(r.endS[i]!)) continue;
    delay += r.endS[i]! - r.scheduledS[i]!;
    lag += r.sentS[i]! - r.scheduledS[i]!;
    n++;
  }
  return { delayS: delay / n, lagS: lag / n };
}

/** That the client did not offer the rate; null where it did. */
function notOffered(r: StepRequests, windowS: number, sent: number): string | null {
  let due = 0;
  for (const at of r.scheduledS) if (at <= windowS) due++;
  if (sent >= SENT_SHARE * due) return null;
  return `only ${sent} of ${due} requests were sent in time: the client did not offer the rate`;
}

/** Why the client, not the server, may be where requests piled up; null where it is not. */
function oursPiledUp(r: StepRequests, serviceS: number): string | null {
  const { delayS, lagS } = lastQuarter(r);
  if (!(lagS > OWN_SHARE * Math.max(0, delayS - serviceS))) return null;
  return `requests were sent ${(lagS * 1000).toFixed(1)} ms late at the end, of a delay that had grown to ${(delayS * 1000).toFixed(1)} ms: the client itself may be what is slow`;
}

/** Judges a step. */
export function judgeStep(r: StepRequests, context: JudgeContext): StepFigures {
  const n = r.scheduledS.length;
  const windowS = n === 0 ? 0 : r.scheduledS[n - 1]!;
  const flight = inFlight(r);
  const serviceS = context.serviceS ?? serviceTime(r, Math.max(5, Math.floor(n / 50)));
  const completeEnds = r.endS.filter((_, i) => r.ok[i] === 1).sort();
  const ended = r.endS.reduce((sum, at) => sum + (Number.isNaN(at) ? 0 : 1), 0);
  // What was still under way when a step was cut short has not failed.
  const failedShare = ended === 0 ? 0 : (ended - completeEnds.length) / ended;
  const sentInTime = firstAfter(r.sentS.filter((at) => !Number.isNaN(at)).sort(), windowS);
  const judgedFromS = BUILD_UP * (serviceS ?? 0);
  const long = serviceS !== null && windowS - judgedFromS >= FEWEST_SERVICES * serviceS;
  const figures = {
    requests: n,
    windowS,
    sentRps: windowS > 0 ? sentInTime / windowS : 0,
    completedRps: long ? rateBetween(completeEnds, judgedFromS, windowS) : null,
    serviceS,
    judgedFromS,
    inFlightAtEnd: countAt(flight, windowS),
    failedShare,
  };
  const none = (verdict: Verdict, why: string): StepFigures => ({
    ...figures,
    backlogRps: null,
    plateau: null,
    verdict,
    why,
  });
  if (context.clientReasons.length > 0) return none('clientLimited', context.clientReasons.join('; '));
  const late = n < FEWEST_REQUESTS ? null : notOffered(r, windowS, sentInTime);
  if (late !== null) return none('clientLimited', late);
  if (serviceS === null)
    return ended === 0 ? none('undecided', 'no request ended') : none('shedding', 'no request succeeded');
  if (n < FEWEST_REQUESTS)
    return none('undecided', `${n} requests are too few: ${FEWEST_REQUESTS} are needed`);
  if (!long)
    return none(
      'undecided',
      `the step lasted ${windowS.toFixed(2)} s; a request takes ${serviceS.toFixed(3)} s, and a queue shows after ${BUILD_UP + FEWEST_SERVICES} times that`,
    );
  const backlogRps = growth(flight, judgedFromS, windowS, serviceS);
  const piledUp = backlogRps.low > 0 && backlogRps.value > PILES_UP * figures.sentRps;
  const ours = piledUp ? oursPiledUp(r, serviceS) : null;
  if (ours !== null) return { ...none('clientLimited', ours), backlogRps };
  const at = plateau(completeEnds, flight, serviceS, judgedFromS, windowS);
  return {
    ...figures,
    backlogRps,
    plateau: typeof at === 'string' ? null : at,
    ...verdictOf(backlogRps, piledUp, figures.sentRps, failedShare, ended - completeEnds.length, at),
  };
}

/** Slope of the requests under way. Blocks are no shorter than a service: within one, what began together ends together. */
function growth(flight: InFlight, fromS: number, toS: number, serviceS: number): Ranged {
  const blocks = Math.min(BLOCKS, Math.floor((toS - fromS) / serviceS));
  return slope(blockMeans(flight, fromS, toS, blocks), (toS - fromS) / blocks);
}

/**
 * Growth with a plateau of completions is overload; growth without one is not taken for it where it is small: of forty steps at a low rate one
 * has an interval that excludes zero by chance.
 */
function verdictOf(
  backlog: Ranged,
  piledUp: boolean,
  sentRps: number,
  failedShare: number,
  failed: number,
  at: Plateau | string,
): { verdict: Verdict; why: string } {
  const share = (rps: number): string => `${((rps / sentRps) * 100).toFixed(1)} %`;
  const grew = `requests under way grew by ${share(backlog.value)} of what was sent (${share(backlog.low)} to ${share(backlog.high)})`;
  const seen = typeof at !== 'string' || backlog.value > SURELY_GROWS * sentRps;
  if (piledUp && seen) return { verdict: 'unstable', why: grew };
  if (failedShare > MOST_FAILED)
    return {
      verdict: failed >= FEWEST_FAILED ? 'shedding' : 'undecided',
      why: `${(failedShare * 100).toFixed(1)} % of the requests failed (${failed})`,
    };
  if (piledUp) return { verdict: 'undecided', why: `${grew}, but ${at as string}` };
  if (backlog.high < SURELY_STABLE * sentRps) return { verdict: 'stable', why: grew };
  return { verdict: 'undecided', why: `${grew}: it may or may not be growth; a longer step would tell` };
}
