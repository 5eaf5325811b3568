/** Counts of how often an interval holds the truth. A trial without one makes no statement, and so no false one. */
import type { Interval } from '../../src/measure/intervals.ts';

export class Tally {
  trials = 0;
  stated = 0;
  held = 0;
  /** Intervals that lie wholly above the truth: those that could find what is not there. */
  above = 0;

  add(interval: Interval | null, truth: number): void {
    this.trials++;
    if (interval === null) return;
    this.stated++;
    if (interval.low <= truth && truth <= interval.high) this.held++;
    if (interval.low > truth) this.above++;
  }

  /** Share of the stated intervals that hold the truth. */
  get coverage(): number {
    return this.held / this.stated;
  }

  /** Share of all trials that state an interval that does not hold it. */
  get wrong(): number {
    return (this.stated - this.held) / this.trials;
  }
}
