/** All kinds of requests in a worker. */
import type { RequestShape, ShapesSpec } from '../../measure/load/request-shape.ts';
import { createShapes, type ShapeOf, taskNames } from '../../measure/load/shapes.ts';
import { limitsOf, type Slo } from '../../measure/load/slo.ts';
import type { Ended } from '../ended.ts';
import { type StrataSnapshot, Stratum } from './stratum.ts';

/** What a worker must know to tell kinds of requests apart and to judge them. Plain data. */
export interface StrataSpec {
  /** Null: all requests ask for `outputTokens` and have `promptTokens`. */
  readonly shapes: ShapesSpec | null;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly slos: readonly Slo[];
  /** Where goals for TTFT, E2E and NTPOT run from. */
  readonly from: 'scheduled' | 'sent';
  /** Whether latencies are kept by task. */
  readonly byTask: boolean;
}

/** Names of the kinds, in the order of the strata. */
export const strataNames = (spec: StrataSpec): readonly string[] =>
  spec.shapes === null ? ['all'] : taskNames(spec.shapes);

/** The shape of each request. */
export function strataShapes(spec: StrataSpec): ShapeOf {
  if (spec.shapes !== null) return createShapes(spec.shapes);
  const alike: RequestShape = {
    task: 0,
    promptTokens: spec.promptTokens,
    outputTokens: spec.outputTokens,
    prefix: -1,
  };
  return () => alike;
}

export class Strata {
  readonly #strata: readonly Stratum[];
  readonly #shapeOf: ShapeOf;

  constructor(spec: StrataSpec) {
    this.#shapeOf = strataShapes(spec);
    this.#strata = strataNames(spec).map((name) => {
      const goals =
        spec.slos.length === 0
          ? null
          : { limits: limitsOf(spec.slos, spec.byTask ? name : null), from: spec.from };
      return new Stratum(goals, spec.byTask);
    });
  }

  /** Takes a request that has ended; returns how many output tokens it asked for. */
  take(r: Ended): number {
    const shape = this.#shapeOf(r.index);
    this.#strata[shape.task]!.take(r, shape);
    return shape.outputTokens;
  }

  snapshot(): StrataSnapshot {
    return this.#strata.map((stratum) => stratum.snapshot());
  }
}
