/** How the rate of an open loop changes with time. */

/** A stretch of the run: from one rate to another, along a line or a geometric curve; equal rates hold. A rate of 0 is a pause. */
export interface Stage {
  readonly durationS: number;
  readonly fromRps: number;
  readonly toRps: number;
  readonly shape: 'linear' | 'geometric';
}
