/** One audited rate: the interval of a figure's bias there, with what limits it, or why there is none. Pure. */
import type { AuditDocument, Finding } from '../../audit/document.ts';
import type { Metric, Statistic } from '../../measure/metrics.ts';

export interface Point {
  readonly rate_rps: number;
  /** reported − realized: the definition's part and the queue's. */
  readonly low_ms: number;
  readonly high_ms: number;
  readonly queueing_low_ms: number;
  readonly queueing_high_ms: number;
  readonly definition_ms: number;
  readonly floor_ms: number | null;
  readonly caveats: readonly string[];
}

/** Less than this share of the asked rate was sent: the figures belong to a lower rate. */
const HELD = 0.98;

/** Whether the client held a rate; why not, in words. */
function notHeld(document: AuditDocument, client: string, rate: number): string | null {
  const side = document.rates.find((one) => one.client === client && one.rate_rps === rate);
  const saturated = side?.outcomes.saturated ?? 0;
  const fidelity = side?.fidelity ?? null;
  if (saturated === 0 && (fidelity === null || fidelity >= HELD)) return null;
  const sent =
    side?.achieved_rps == null ? '' : `: it sent or completed ${Number(side.achieved_rps.toPrecision(3))}/s`;
  return `At ${rate}/s the client no longer held the rate here${sent}. Figures there belong to a lower rate and grow with the length of the run, so that nothing bounds its delay up to there.`;
}

function pointOf(finding: Finding): Point | string {
  const { low_ms, high_ms, definition_bias_ms, floor_ms, rate_rps, trials } = finding;
  if (low_ms === null || high_ms === null) return `At ${rate_rps}/s there is no interval: ${finding.reason}.`;
  const caveats: string[] = [];
  let [low, high] = [low_ms, high_ms];
  if (finding.verdict !== 'found') {
    if (floor_ms === null)
      return `At ${rate_rps}/s the floor of this figure could not be measured, so that the interval says nothing.`;
    // What lies within the floor is not told from zero: neither is anything else within it.
    low = Math.min(low, -floor_ms);
    high = Math.max(high, floor_ms);
    caveats.push(
      `At ${rate_rps}/s its bias is not told from zero: the interval is widened to the floor, ±${floor_ms.toPrecision(2)} ms.`,
    );
  }
  if (finding.interval === 'within a trial')
    caveats.push(
      `At ${rate_rps}/s there is one repetition: the interval holds within that run, not between runs.`,
    );
  else if (trials < 3) caveats.push(`At ${rate_rps}/s there are only ${trials} repetitions.`);
  const definition = definition_bias_ms ?? 0;
  return {
    rate_rps,
    low_ms: definition + low,
    high_ms: definition + high,
    queueing_low_ms: low,
    queueing_high_ms: high,
    definition_ms: definition,
    floor_ms,
    caveats,
  };
}

/** The points of a client's figure at these rates; a sentence where one of them has none: a hull with a gap would pretend to know. */
export function pointsAt(
  document: AuditDocument,
  client: string,
  metric: Metric,
  statistic: Statistic,
  rates: readonly number[],
): readonly Point[] | string {
  const points: Point[] = [];
  for (const rate of rates) {
    const lost = notHeld(document, client, rate);
    if (lost !== null) return lost;
    const finding = document.findings.find(
      (one) =>
        one.client === client &&
        one.rate_rps === rate &&
        one.metric === metric &&
        one.statistic === statistic,
    );
    if (finding === undefined) return `At ${rate}/s the audit has no such figure.`;
    const point = pointOf(finding);
    if (typeof point === 'string') return point;
    points.push(point);
  }
  return points;
}
