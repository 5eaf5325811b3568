/** What failed requests do to a figure: those that failed have no latency, and what is left is a figure of the others. Pure. */
import { LATENCIES } from '../checklist/item.ts';
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';

/** Below this share no figure is supported unless the claim says how failed requests enter it. A choice: a P99 is then one of other requests. */
export const FEW_FAIL_PERCENT = 99;

interface Share {
  readonly percent: number;
  readonly text: string;
}

const percent = (value: number): string => `${Number(value.toPrecision(4))} %`;

/** The least success rate that the claim gives for a row: as stated for the measurement or the row, and by what the row counts. null: none. */
export function successOf({ measurement }: Claim, row: ClaimRow): Share | null {
  const of = (metric: ClaimFigure['metric']): number | undefined =>
    row.figures.find((one) => one.metric === metric)?.quantity.value;
  const stated = [
    measurement.successRate,
    row.figures.find(({ metric }) => metric === 'success_rate')?.quantity ?? null,
  ].flatMap((one): Share[] => (one === null ? [] : [{ percent: one.value, text: one.text }]));
  const [completed, failed] = [of('completed'), of('failed')];
  const all =
    completed !== undefined && failed !== undefined ? completed + failed : (row.requests?.value ?? null);
  const done = completed ?? (failed !== undefined && all !== null ? all - failed : undefined);
  const counted =
    done === undefined || all === null || all <= 0
      ? []
      : [{ percent: (100 * done) / all, text: percent((100 * done) / all) }];
  return [...stated, ...counted].toSorted((a, b) => a.percent - b.percent)[0] ?? null;
}

export interface Failures {
  /** In the way of `supported`. */
  readonly obstacle: string | null;
  /** Said beside the verdict. */
  readonly note: string | null;
}

/** What the success rate does to a figure; nothing to counts, and nothing where all succeeded. */
export function failuresIn(figure: ClaimFigure, claim: Claim, row: ClaimRow): Failures {
  const share = successOf(claim, row);
  if (share === null || share.percent >= 100) return { obstacle: null, note: null };
  const entry = claim.measurement.failures ?? null;
  const timed = LATENCIES.includes(figure.metric) || figure.metric === 'user_throughput';
  const what =
    entry === 'counted'
      ? `${share.text} of the requests succeeded, and those that failed are in the figure`
      : timed
        ? `${share.text} of the requests succeeded, and ${entry === null ? 'how the others enter is not stated: ' : ''}a figure over successes only says nothing of the requests that failed`
        : `${share.text} of the requests succeeded${entry === null ? ', and how the others enter is not stated' : ', and the others are left out'}`;
  return share.percent < FEW_FAIL_PERCENT && entry === null
    ? { obstacle: what, note: null }
    : { obstacle: null, note: what };
}
