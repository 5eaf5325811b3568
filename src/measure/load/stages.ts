/** How the rate of an open loop changes with time. */

/** A stretch of the run: from one rate to another, along a line or a geometric curve; equal rates hold. A rate of 0 is a pause. */
export interface Stage {
  readonly durationS: number;
  readonly fromRps: number;
  readonly toRps: number;
  readonly shape: 'linear' | 'geometric';
}

/** Stages one after the other. */
export interface StagePlan {
  readonly stages: readonly Stage[];
  /** How long the whole lasts, s. Longer than the stages: they begin anew after the last one; Infinity: until the number of requests ends it. */
  readonly lengthS: number;
}

/** Time that the stages take once, s. */
export const cycleS = ({ stages }: StagePlan): number =>
  stages.reduce((sum, { durationS }) => sum + durationS, 0);

/** A plan of stages that are gone through once. */
export const once = (stages: readonly Stage[]): StagePlan => ({
  stages,
  lengthS: cycleS({ stages, lengthS: 0 }),
});

/** The highest rate of the stages, requests/s. */
export const peakRps = ({ stages }: StagePlan): number =>
  Math.max(...stages.flatMap(({ fromRps, toRps }) => [fromRps, toRps]));

/** A plan that cannot be drawn, in words; null: it can. */
export function stageProblem({ stages, lengthS }: StagePlan): string | null {
  if (stages.length === 0) return 'there is no stage';
  for (const { durationS, fromRps, toRps, shape } of stages) {
    if (!(durationS > 0 && Number.isFinite(durationS)))
      return `a stage must last longer than 0 s, not ${durationS}`;
    if (!(fromRps >= 0 && toRps >= 0 && Number.isFinite(fromRps + toRps)))
      return `the rates of a stage must be 0 or more, not ${fromRps} and ${toRps}`;
    if (shape === 'geometric' && (fromRps === 0 || toRps === 0))
      return 'a geometric stage multiplies its rate, so neither end can be 0: use a linear one there';
  }
  if (peakRps({ stages, lengthS }) === 0) return 'all stages pause: no request would ever be due';
  return lengthS > 0 ? null : `the stages must last longer than 0 s, not ${lengthS}`;
}
