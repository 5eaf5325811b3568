/** Cells whose p99 has no interval, and how many requests would give it one. */
import { valuesNeeded } from '../../measure/quantile-interval.ts';
import { shortfallOf } from '../../measure/shortfall.ts';
import type { Finding, Trial } from '../document.ts';
import { findings } from '../findings.ts';

const P = 0.99;

interface TooFew {
  readonly client: string;
  readonly rateRps: number;
  readonly requests: number;
  /** About: from what the requests made are worth. */
  readonly wanted: number;
}

/** In two digits, upwards: 1,040 is 1,100. */
function roughly(requests: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(requests)) - 1);
  return Math.ceil(requests / step) * step;
}

/** What a p99 finding without an interval lacks; null where more requests would not help. */
function ofFinding(finding: Finding, trials: readonly Trial[]): TooFew | null {
  const { client, rate_rps: rateRps, metric } = finding;
  const trial = trials.find(
    (one) => one.client === client && one.workload.rateRps === rateRps && one.bias.length > 0,
  );
  if (trial === undefined) return null;
  if (trial.truth === null) {
    const completed = trial.reported?.completed ?? null;
    const wanted = valuesNeeded(P);
    return completed === null || completed >= wanted
      ? null
      : { client, rateRps, requests: completed, wanted };
  }
  const row = trial.bias.find((one) => one.metric === metric && one.statistic === 'p99');
  const reason = finding.bias_by === 'pairs' ? row?.paired_reason : row?.within_reason;
  const short = shortfallOf(reason ?? '', P);
  if (short === null) return null;
  const { requests } = trial.truth;
  return { client, rateRps, requests, wanted: roughly((requests * short.needed) / Math.max(1, short.worth)) };
}

/** By cell, the metric that wants most; the one that wants most time first. */
export function tooFew(trials: readonly Trial[]): TooFew[] {
  const cells = new Map<string, TooFew>();
  for (const finding of findings(trials, null)) {
    // Between trials a p99 has an interval whatever each is worth.
    if (finding.statistic !== 'p99' || finding.interval !== 'none' || finding.trials === 0) continue;
    const found = ofFinding(finding, trials);
    const key = `${finding.client}\0${finding.rate_rps}`;
    if (found !== null && found.wanted > (cells.get(key)?.wanted ?? 0)) cells.set(key, found);
  }
  return [...cells.values()].sort((a, b) => b.wanted / b.rateRps - a.wanted / a.rateRps);
}
