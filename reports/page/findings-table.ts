/** The page's table of all that was found. */
import type { AuditDocument, Finding } from '../../src/audit/document.ts';
import { METRICS, STATISTICS } from '../../src/measure/metrics.ts';
import { judgedMs, PAIRS_MARK } from '../bias-words.ts';
import { ABSENT, intervalMs, METRIC_LABEL, ms, percent, rate, signedMs } from '../format.ts';
import type { Html } from '../html.ts';
import { hasTruth } from '../target-words.ts';
import { type Column, sortableTable } from './sortable-table.ts';

/** What the judged bias is made of. */
const biasBy = (f: Finding): string =>
  f.bias_by === 'pairs' ? `requests (${percent(f.joined_share)} %)` : 'figures';

/** The reason, with how many trials, and with what the interval is of where the reason does not say it. */
function why({ reason, interval, trials }: Finding): string {
  if (interval === 'none') return reason;
  return `${reason} (${reason.includes(interval) ? '' : `${interval}, `}n = ${trials})`;
}

const findingColumns: readonly Column<Finding>[] = [
  { head: 'client', text: (f) => f.client },
  { head: 'asked /s', text: (f) => rate(f.rate_rps), value: (f) => f.rate_rps, kind: 'number' },
  { head: 'figure', text: (f) => `${METRIC_LABEL[f.metric]} ${f.statistic}` },
  { head: 'verdict', text: (f) => f.verdict },
  {
    head: 'bias judged',
    of: 'truth',
    title: `${PAIRS_MARK}: the same statistic of the delays of single requests, where their records join the ledger: not the difference of two columns. Without ${PAIRS_MARK}: the queueing bias, printed minus expected. ms`,
    text: judgedMs,
    value: (f) => f.bias_ms,
    kind: 'number',
  },
  { head: 'by', of: 'truth', title: 'Requests one by one (share joined), or printed figures', text: biasBy },
  {
    head: '95 % interval',
    of: 'truth',
    title: 'Of the bias judged, ms',
    text: (f) => intervalMs(f.low_ms, f.high_ms) || ABSENT,
    value: (f) => f.low_ms,
    kind: 'number',
  },
  {
    head: 'printed ms',
    title: 'As the client printed it',
    text: (f) => ms(f.reported_ms),
    value: (f) => f.reported_ms,
    kind: 'number',
  },
  {
    head: 'expected ms',
    of: 'truth',
    title: 'What it would print by its own definitions if it added no delay',
    text: (f) => ms(f.expected_ms),
    value: (f) => f.expected_ms,
    kind: 'number',
  },
  {
    head: 'true ms',
    of: 'truth',
    title: 'Realized by the target, by the standard definition',
    text: (f) => ms(f.realized_ms),
    value: (f) => f.realized_ms,
    kind: 'number',
  },
  {
    head: 'definition bias',
    of: 'truth',
    title: 'Expected minus true, ms',
    text: (f) => signedMs(f.definition_bias_ms),
    value: (f) => f.definition_bias_ms,
    kind: 'number',
  },
  {
    head: 'queueing bias',
    of: 'truth',
    title: 'Printed minus expected, ms: what the printed figure is off by',
    text: (f) => signedMs(f.queueing_bias_ms),
    value: (f) => f.queueing_bias_ms,
    kind: 'number',
  },
  {
    head: 'floor ms',
    of: 'truth',
    title: 'The smallest bias that could be told from zero',
    text: (f) => ms(f.floor_ms),
    value: (f) => f.floor_ms,
    kind: 'number',
  },
  {
    head: 'why',
    text: why,
    kind: 'long',
  },
];

/** Every finding, filterable by client, rate, figure and verdict. */
export function findingsTable(document: AuditDocument): Html {
  const { findings } = document;
  const truth = hasTruth(document);
  const figure = (f: Finding) => `${METRIC_LABEL[f.metric]} ${f.statistic}`;
  const figures = METRICS.flatMap((metric) => STATISTICS.map((name) => `${METRIC_LABEL[metric]} ${name}`));
  const rates = [...new Set(findings.map((f) => f.rate_rps))].sort((a, b) => a - b);
  const present = new Set(findings.map(figure));
  return sortableTable({
    id: 'findings-table',
    what: 'findings',
    caption: truth
      ? `Bias of every figure, by client and rate. ${PAIRS_MARK}: of the delays of single requests; the columns do not subtract to it.`
      : 'Every figure as reported, by client and rate.',
    columns: truth ? findingColumns : findingColumns.filter(({ of }) => of !== 'truth'),
    rows: findings,
    filters: [
      { head: 'client', label: 'Client' },
      { head: 'asked /s', label: 'Rate /s', name: 'rate', options: rates.map(rate) },
      { head: 'figure', label: 'Figure', options: figures.filter((name) => present.has(name)) },
      { head: 'verdict', label: 'Verdict' },
    ],
  });
}
