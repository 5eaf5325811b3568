/** compare.csv: one row a figure; its unit has a column of its own, since a row is of one unit. */
import type { CompareDocument } from '../../src/audit/compare-audits/document.ts';
import { textCell, toCsv } from '../csv.ts';
import { figureRows } from './rows.ts';

const COLUMNS = [
  'client_a',
  'client_b',
  'version_a',
  'version_b',
  'rate_rps',
  'figure',
  'unit',
  'trials_a',
  'trials_b',
  'a',
  'b',
  'difference',
  'low',
  'high',
  'floor',
  'family',
  'state',
  'reason',
  'smallest_change',
  'spread_a',
  'spread_b',
  'caveat',
  'failed_trials_a',
  'failed_trials_b',
  'saturated_trials_a',
  'saturated_trials_b',
  'notes',
] as const;

/** The table. */
export const compareCsv = (document: CompareDocument): string =>
  toCsv(
    COLUMNS,
    figureRows(document).map(({ client, rate, figure }) => [
      textCell(client.a),
      textCell(client.b),
      textCell(client.version_a),
      textCell(client.version_b),
      rate.rate_rps,
      figure.figure,
      figure.unit,
      figure.a.trials,
      figure.b.trials,
      figure.a.mean,
      figure.b.mean,
      figure.difference,
      figure.low,
      figure.high,
      figure.floor,
      figure.family,
      figure.state,
      textCell(figure.reason),
      figure.smallest_change,
      figure.a.spread,
      figure.b.spread,
      textCell(figure.caveat),
      rate.outcomes?.failed_a ?? null,
      rate.outcomes?.failed_b ?? null,
      rate.outcomes?.saturated_a ?? null,
      rate.outcomes?.saturated_b ?? null,
      textCell(rate.notes.join('; ')),
    ]),
  );
