/**
 * `--exclude steady`: the workers keep every request on disk; after the run MSER-5 says from which one on the series is steady, and the figures are
 * taken anew from there. In memory are 24 bytes a request.
 */
import { mser5, type Truncation } from '../measure/mser.ts';
import { sentT0 } from './ended.ts';
import { Cut } from './exclude.ts';
import type { ExcludedCounts, Exclusion } from './exclude-rule.ts';
import type { LoadOptions } from './options.ts';
import { OUTCOME } from './outcome.ts';
import { Recorder, type RecorderSnapshot } from './recorder.ts';
import { strataSpec } from './requests/spec.ts';
import { Strata } from './requests/strata.ts';
import { readSeen } from './spool.ts';

/** What the rule came to. */
export interface SteadyCut {
  readonly truncation: Truncation;
  /** What the series is of: TTFT of streams, else E2E, from the scheduled instant (in a closed loop from sent). */
  readonly series: 'ttft' | 'e2e';
  /** Values of the series: complete requests. */
  readonly values: number;
  /** null: nothing is left out. */
  readonly exclusion: Exclusion | null;
}

/** Finds the cut in the requests of all workers. */
export function steadyCut(spools: readonly string[], options: LoadOptions, startNs: number): SteadyCut {
  const closed = options.concurrency !== null;
  const series = options.stream ? 'ttft' : 'e2e';
  const rows: { place: number; value: number }[] = [];
  for (const spool of spools)
    for (const r of readSeen(spool)) {
      const value = (options.stream ? r.firstNs : r.lastNs) - (closed ? sentT0(r) : r.scheduledNs);
      // Requests are numbered as they were due; in a closed loop there is only when they were sent.
      if (r.outcome === OUTCOME.complete && !Number.isNaN(value))
        rows.push({ place: closed ? sentT0(r) - startNs : r.index, value });
    }
  rows.sort((a, b) => a.place - b.place);
  const truncation = mser5(Float64Array.from(rows, ({ value }) => value));
  const found = { truncation, series, values: rows.length } as const;
  if (truncation.state === 'refused' || truncation.values === 0) return { ...found, exclusion: null };
  const { place } = rows[truncation.values]!;
  return { ...found, exclusion: closed ? { fromIndex: 0, fromNs: place } : { fromIndex: place, fromNs: 0 } };
}

/** A worker's figures anew, of what is kept of its spool; what the spool does not hold (failures in words) is as it was. */
export function retake(
  spool: string,
  options: LoadOptions,
  exclusion: Exclusion,
  startNs: number,
  before: RecorderSnapshot,
): RecorderSnapshot & { readonly excluded: ExcludedCounts } {
  const spec = strataSpec(options);
  const recorder = new Recorder(options.outputTokens, spec === null ? null : new Strata(spec));
  const cut = new Cut(exclusion, startNs);
  for (const r of readSeen(spool)) if (!cut.leaves(r)) recorder.take(r);
  const figures = recorder.snapshot();
  return {
    ...figures,
    counts: { ...figures.counts, refusedWithHeader: before.counts.refusedWithHeader },
    samples: before.samples,
    excluded: { ended: cut.ended, complete: cut.complete },
  };
}
