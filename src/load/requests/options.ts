/** What of a load's options says what its requests are like; LoadOptions has all of it. */
import type { PrefixSpec, TaskSpec, TraceLengths } from '../../measure/load/request-shape.ts';
import type { Slo } from '../../measure/load/slo.ts';

export interface RequestOptions {
  readonly endpoint: 'chat' | 'completions';
  readonly stream: boolean;
  readonly seed: number;
  /** Lengths where all are alike. */
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** Null: an open loop. */
  readonly concurrency: number | null;
  readonly tasks: readonly TaskSpec[] | null;
  readonly traceLengths: TraceLengths | null;
  readonly prefix: PrefixSpec | null;
  readonly slos: readonly Slo[];
}
