/** The page's table of every trial. */
import type { AuditDocument, Trial } from '../../src/audit/document.ts';
import { ABSENT, ms, percent, plain, rate } from '../format.ts';
import type { Html } from '../html.ts';
import { reasonOf } from '../rate-verdict.ts';
import { hasTruth } from '../target-words.ts';
import { grouped } from '../text.ts';
import { OUTCOME } from './outcome-words.ts';
import { type Column, sortableTable } from './sortable-table.ts';

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
    head: 'TTFT p50 true',
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
    head: 'TTFT p99 true',
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

/** Every trial in the order in which they ran, filterable by client, rate and outcome. */
export function trialsTable(document: AuditDocument): Html {
  const trials = [...document.trials].sort((a, b) => a.order - b.order);
  const rates = [...new Set(trials.map((t) => t.workload.rateRps))].sort((a, b) => a - b);
  return sortableTable({
    id: 'trials-table',
    what: 'trials',
    caption: 'Every trial, in the order in which they ran. Times in ms.',
    columns: hasTruth(document) ? trialColumns : trialColumns.filter(({ of }) => of !== 'truth'),
    rows: trials,
    filters: [
      { head: 'client', label: 'Client' },
      { head: 'asked /s', label: 'Rate /s', name: 'rate', options: rates.map(rate) },
      { head: 'outcome', label: 'Outcome' },
    ],
  });
}
