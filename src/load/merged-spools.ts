/** The records of all workers as one stream, in the order in which the requests ended. Nothing is held but one record a worker. */
import { existsSync } from 'node:fs';
import { type RequestRecord, readSpool } from './spool.ts';

/** A request that the run's end cut off has no end of its own: it comes last. */
const endOf = (record: RequestRecord): number => record.end_ns ?? Number.POSITIVE_INFINITY;

/** Merges streams that are each in the order of their ends. One that is not (a fault may shift instants) is taken as it comes. */
export function* merged(streams: readonly Iterator<RequestRecord>[]): Generator<RequestRecord> {
  const heads = streams.flatMap((stream) => {
    const first = stream.next();
    return first.done ? [] : [{ stream, record: first.value }];
  });
  while (heads.length > 0) {
    let least = 0;
    for (let k = 1; k < heads.length; k++)
      if (endOf(heads[k]!.record) < endOf(heads[least]!.record)) least = k;
    const head = heads[least]!;
    yield head.record;
    const next = head.stream.next();
    if (next.done) heads.splice(least, 1);
    else head.record = next.value;
  }
}

/** The records of the spools that exist, merged. */
export const mergedSpools = (spools: readonly string[], idPrefix: string): Generator<RequestRecord> =>
  merged(spools.filter((spool) => existsSync(spool)).map((spool) => readSpool(spool, idPrefix)));
