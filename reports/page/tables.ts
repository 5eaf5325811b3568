/** The page's tables: what was found, and every trial. */
import type { AuditDocument, Finding, Trial } from '../../src/audit/document.ts';
import { METRICS, STATISTICS } from '../../src/measure/metrics.ts';
import { ABSENT, intervalMs, METRIC_LABEL, ms, percent, plain, rate, signedMs } from '../format.ts';
import { type Html, html } from '../html.ts';
import { reasonOf } from '../rate-verdict.ts';
import { hasTruth } from '../target-words.ts';
import { grouped, oneLine, shorten } from '../text.ts';

/** What the judged bias is made of. */
const biasBy = (f: Finding): string =>
  f.bias_by === 'pairs' ? `requests (${percent(f.joined_share)} %)` : 'figures';

interface Column<Row> {
  readonly head: string;
  /** What it means, for a tooltip and for screen readers. */
  readonly title?: string;
  readonly text: (row: Row) => string;
  /** For sorting; absent: the text. */
  readonly value?: (row: Row) => number | null;
  readonly kind?: 'number' | 'long';
  /** Left out where the target kept no ledger. */
  readonly of?: 'truth';
}

function table<Row>(
  id: string,
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  data: (row: Row) => Html,
): Html {
  return html`<div class="scroll tall" tabindex="0" role="region" aria-labelledby="${id}-caption">
<table id="${id}" data-sortable>
<caption id="${id}-caption">${caption}</caption>
<thead><tr>${columns.map(
    (column) =>
      html`<th scope="col"${column.kind === 'number' && html` class="number"`}><button type="button"${column.title !== undefined && html` title="${column.title}"`}>${column.head}</button></th>`,
  )}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr${data(row)}>${columns.map((column, i) => cell(column, row, i === 0))}</tr>
`,
)}</tbody>
</table>
</div>`;
}

function cell<Row>(column: Column<Row>, row: Row, head: boolean): Html {
  const text = oneLine(column.text(row));
  if (head) return html`<th scope="row">${text}</th>`;
  const value = column.value === undefined ? null : html` data-value="${column.value(row) ?? ''}"`;
  const kind = column.kind !== undefined && html` class="${column.kind}"`;
  return html`<td${kind}${value}>${text}</td>`;
}

function filters(
  table: string,
  selects: readonly { name: string; label: string; options: readonly string[] }[],
): Html {
  return html`<form class="filters" data-filters="${table}">${selects.map(
    (select) =>
      html`<label>${select.label} <select name="${select.name}" autocomplete="off"><option value="">all</option>${select.options.map(
        (option) => html`<option value="${option}">${shorten(oneLine(option), 40)}</option>`,
      )}</select></label>`,
  )}<output role="status"></output></form>`;
}

const findingColumns: readonly Column<Finding>[] = [
  { head: 'client', text: (f) => f.client },
  { head: 'asked /s', text: (f) => rate(f.rate_rps), value: (f) => f.rate_rps, kind: 'number' },
  { head: 'figure', text: (f) => `${METRIC_LABEL[f.metric]} ${f.statistic}` },
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
    head: 'bias judged',
    of: 'truth',
    title:
      'The same statistic over the requests one by one, where they were joined with the ledger; else the queueing bias, ms',
    text: (f) => signedMs(f.bias_ms),
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
    head: 'floor ms',
    of: 'truth',
    title: 'The smallest bias that could be told from zero',
    text: (f) => ms(f.floor_ms),
    value: (f) => f.floor_ms,
    kind: 'number',
  },
  { head: 'verdict', text: (f) => f.verdict },
  {
    head: 'why',
    text: (f) => (f.interval === 'none' ? f.reason : `${f.reason} (${f.interval}, n = ${f.trials})`),
    kind: 'long',
  },
];

/** Every finding, filterable by client and figure. */
export function findingsTable(document: AuditDocument): Html {
  const clients = [...new Set(document.findings.map((f) => f.client))];
  const figure = (f: Finding) => `${METRIC_LABEL[f.metric]} ${f.statistic}`;
  const figures = METRICS.flatMap((metric) =>
    STATISTICS.map((name) => `${METRIC_LABEL[metric]} ${name}`),
  ).filter((name) => document.findings.some((f) => figure(f) === name));
  return html`${filters('findings-table', [
    { name: 'client', label: 'Client', options: clients },
    { name: 'figure', label: 'Figure', options: figures },
  ])}${table(
    'findings-table',
    hasTruth(document)
      ? 'Bias of every figure, by client and rate. Select a column’s head to sort.'
      : 'Every figure as reported, by client and rate. Select a column’s head to sort.',
    hasTruth(document) ? findingColumns : findingColumns.filter(({ of }) => of !== 'truth'),
    document.findings,
    (f) => html` data-client="${f.client}" data-figure="${figure(f)}"`,
  )}`;
}

const OUTCOME = {
  measured: 'measured',
  saturated: 'saturated',
  clientFailed: 'client failed',
  timedOut: 'timed out',
  incomplete: 'incomplete',
  unparsable: 'unparsable',
  clientMissing: 'client missing',
} as const;

const sentRps = (t: Trial): number | null => t.truth?.arrival_rps ?? t.client_side?.sent_rps ?? null;

/** Where the rate of a trial without a ledger is from, and what the target itself counted. */
function clientSideNote({ client_side: side }: Trial): string {
  if (side === null) return '';
  const { exported } = side;
  const means = [
    ...(exported?.ttft_mean_ms == null ? [] : [`mean TTFT ${ms(exported.ttft_mean_ms)} ms`]),
    ...(exported?.e2e_mean_ms == null ? [] : [`mean E2E ${ms(exported.e2e_mean_ms)} ms`]),
  ];
  const target =
    exported === null
      ? 'the target exports no count'
      : `the target itself counted ${grouped(exported.requests)} requests (${exported.where})${means.length === 0 ? '' : ` and saw ${means.join(', ')}`}`;
  return `rate from ${side.how}; ${target}`;
}

const trialColumns: readonly Column<Trial>[] = [
  { head: 'trial', text: (t) => t.id },
  { head: 'order', text: (t) => grouped(t.order + 1), value: (t) => t.order, kind: 'number' },
  { head: 'client', text: (t) => t.client },
  {
    head: 'asked /s',
    text: (t) => rate(t.workload.rateRps),
    value: (t) => t.workload.rateRps,
    kind: 'number',
  },
  { head: 'outcome', text: (t) => OUTCOME[t.outcome.kind] },
  {
    head: 'sent /s',
    title: 'As the target saw them arrive; without a ledger, by the client’s own account',
    text: (t) => rate(sentRps(t)),
    value: (t) => sentRps(t),
    kind: 'number',
  },
  {
    head: 'of asked %',
    text: (t) => percent((t.truth ?? t.client_side)?.rate_fidelity ?? null),
    value: (t) => (t.truth ?? t.client_side)?.rate_fidelity ?? null,
    kind: 'number',
  },
  {
    head: 'gap CV²',
    title: 'Squared coefficient of variation of the gaps between arrivals: 0 constant, 1 Poisson',
    text: (t) => plain((t.truth ?? t.client_side)?.gap_cv2 ?? null),
    value: (t) => (t.truth ?? t.client_side)?.gap_cv2 ?? null,
    kind: 'number',
  },
  {
    head: 'requests',
    text: (t) => {
      const requests = (t.truth ?? t.client_side)?.requests;
      return requests == null ? ABSENT : grouped(requests);
    },
    value: (t) => (t.truth ?? t.client_side)?.requests ?? null,
    kind: 'number',
  },
  {
    head: 'failed',
    title: 'Requests that the client says failed',
    text: (t) => (t.reported?.failed == null ? ABSENT : grouped(t.reported.failed)),
    value: (t) => t.reported?.failed ?? null,
    kind: 'number',
  },
  {
    head: 'TTFT p50 printed',
    text: (t) => ms(t.reported?.metrics.ttft.p50_ms ?? null),
    value: (t) => t.reported?.metrics.ttft.p50_ms ?? null,
    kind: 'number',
  },
  {
    head: 'true',
    of: 'truth',
    text: (t) => ms(t.truth?.realized.ttft.p50_ms ?? null),
    value: (t) => t.truth?.realized.ttft.p50_ms ?? null,
    kind: 'number',
  },
  {
    head: 'TTFT p99 printed',
    text: (t) => ms(t.reported?.metrics.ttft.p99_ms ?? null),
    value: (t) => t.reported?.metrics.ttft.p99_ms ?? null,
    kind: 'number',
  },
  {
    head: 'true',
    of: 'truth',
    text: (t) => ms(t.truth?.realized.ttft.p99_ms ?? null),
    value: (t) => t.truth?.realized.ttft.p99_ms ?? null,
    kind: 'number',
  },
  {
    head: 'busiest thread %',
    text: (t) => percent(t.observed?.busiest_thread_share ?? null),
    value: (t) => t.observed?.busiest_thread_share ?? null,
    kind: 'number',
  },
  {
    head: 'target late p99 ms',
    of: 'truth',
    title: "The target's own error",
    text: (t) => ms(t.truth?.lateness_p99_ms ?? null),
    value: (t) => t.truth?.lateness_p99_ms ?? null,
    kind: 'number',
  },
  {
    head: 'notes',
    text: (t) =>
      // The client's own notes are among the warnings; those of the first audits may not be.
      [...new Set([reasonOf(t), clientSideNote(t), ...t.warnings, ...(t.reported?.notes ?? [])])]
        .filter((note) => note !== '')
        .join('; '),
    kind: 'long',
  },
];

/** Every trial in the order in which they ran, filterable by client. */
export function trialsTable(document: AuditDocument): Html {
  const trials = [...document.trials].sort((a, b) => a.order - b.order);
  return html`${filters('trials-table', [
    { name: 'client', label: 'Client', options: [...new Set(trials.map((t) => t.client))] },
    { name: 'outcome', label: 'Outcome', options: [...new Set(trials.map((t) => OUTCOME[t.outcome.kind]))] },
  ])}${table(
    'trials-table',
    'Every trial, in the order in which they ran. Times in ms. Select a column’s head to sort.',
    hasTruth(document) ? trialColumns : trialColumns.filter(({ of }) => of !== 'truth'),
    trials,
    (t) => html` data-client="${t.client}" data-outcome="${OUTCOME[t.outcome.kind]}"`,
  )}`;
}
