/** What each request asked for, as fields of its record. */
import { createShapes, taskNames } from '../../measure/load/shapes.ts';
import type { RequestRecord } from '../spool.ts';
import type { RequestOptions } from './options.ts';
import { byTask, shapesSpec } from './spec.ts';

/** Fields of a record, where requests are not alike. */
export interface AskedFields {
  /** null where requests are not told apart by task. */
  readonly task: string | null;
  readonly asked_prompt_tokens: number;
  readonly asked_output_tokens: number;
  /** Which of the shared beginnings; null without. */
  readonly prefix_group: number | null;
}

/** The fields of request `index`; none where all are alike. */
export function askedFields(options: RequestOptions): (index: number) => AskedFields | Record<string, never> {
  const spec = shapesSpec(options);
  if (spec === null) return () => ({});
  const shapeOf = createShapes(spec);
  const names = byTask(options) ? taskNames(spec) : null;
  return (index) => {
    const { task, promptTokens, outputTokens, prefix } = shapeOf(index);
    return {
      task: names?.[task] ?? null,
      asked_prompt_tokens: promptTokens,
      asked_output_tokens: outputTokens,
      prefix_group: prefix < 0 ? null : prefix,
    };
  };
}

/** A record with what its request asked for, where requests are not alike. */
export type AskedRecord = RequestRecord &
  Partial<AskedFields> & {
    /** Left out at the start of the run: in no figure. */
    readonly excluded?: boolean;
  };

/** Records with those fields. */
export function* withAsked(
  records: Iterable<RequestRecord>,
  askedOf: (index: number) => Partial<AskedFields>,
  excluded: (record: RequestRecord) => boolean,
): Generator<AskedRecord> {
  for (const record of records) yield { ...record, ...askedOf(record.index), excluded: excluded(record) };
}
