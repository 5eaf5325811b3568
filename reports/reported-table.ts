/** The terminal's columns where the target kept no ledger: figures as reported, and no bias. */
import type { AuditDocument, Finding } from '../src/audit/document.ts';
import { ABSENT, ms, percent, plain, rate } from './format.ts';
import { findingFor, type RateVerdict } from './rate-verdict.ts';
import { comparisonLine, comparisons } from './side-by-side.ts';

export const REPORTED_HEAD = [
  'client',
  'asked\n/s',
  'sent /s\n% asked',
  'says\nso',
  'gap\nCV²',
  'in\nflight',
  'TTFT p50\nreported',
  'TTFT p99\nreported',
  'E2E p99\nreported',
  'CPU\n%',
  'bias',
];

const SOURCE = { ledger: 'ledger', records: 'records', printed: 'printed' } as const;

/** A row without its client's name; `label` is the state in a word. */
export function reportedRow(document: AuditDocument, cell: RateVerdict, label: string): string[] {
  const of = (metric: Finding['metric'], statistic: Finding['statistic']) =>
    ms(findingFor(document, cell.client, cell.rate_rps, metric, statistic)?.reported_ms ?? null);
  const { rate: found } = cell;
  return [
    rate(cell.rate_rps),
    found?.achieved_rps == null ? ABSENT : `${rate(found.achieved_rps)}\n${percent(found.fidelity)} %`,
    found?.source == null ? ABSENT : SOURCE[found.source],
    plain(found?.gap_cv2 ?? null),
    found?.peak_in_flight == null ? ABSENT : String(found.peak_in_flight),
    of('ttft', 'p50'),
    of('ttft', 'p99'),
    of('e2e', 'p99'),
    found?.busiest_thread_share == null ? ABSENT : String(Math.round(found.busiest_thread_share * 100)),
    label,
  ];
}

export const REPORTED_LEGEND =
  'This target keeps no ledger: what it really gave, and when requests arrived, is not known. Every figure is as the client reported ' +
  'it; sent: by its own records, or the rate that it prints. No bias is stated. CPU: its busiest thread, % of a core. Times in ms.';

/** Clients that mean the same by a figure, one beside the other; none for a single client. */
export function comparedLines(document: AuditDocument): readonly string[] {
  const lines = comparisons(document)
    .filter(({ metric }) => metric === 'ttft')
    .map(comparisonLine);
  return lines.length === 0 ? [] : ['Compared with each other, as reported:', ...lines];
}
