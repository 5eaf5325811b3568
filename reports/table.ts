/** The summary for the terminal: a row a client and rate, then a sentence a client. A string; printing is the caller's. */
import Table from 'cli-table3';
import type { AuditDocument, Finding } from '../src/audit/document.ts';
import { ABSENT, intervalMs, ms, percent, plain, rate, signedMs } from './format.ts';
import { findingFor, type RateState, type RateVerdict } from './rate-verdict.ts';
import { oneLine, shorten } from './text.ts';
import { clientVerdicts } from './verdict.ts';

export interface TableOptions {
  /** Without colours and line drawing, in ASCII: for logs and for reading aloud. */
  readonly plain?: boolean;
  /** Colours by ANSI escapes; never with `plain`. */
  readonly color?: boolean;
}

export const STATE_LABEL: Readonly<Record<RateState, string>> = {
  within: 'within',
  biased: 'biased',
  saturated: 'saturated',
  failed: 'failed',
  unclear: 'unclear',
  notRun: 'not run',
};

const STATE_COLOR: Readonly<Record<RateState, number>> = {
  within: 32,
  biased: 31,
  saturated: 31,
  failed: 31,
  unclear: 33,
  notRun: 90,
};

const HEAD = [
  'client',
  'asked\n/s',
  'sent /s\nof asked',
  'gap\nCV²',
  'TTFT p50 ms: printed/true\nbias [95 %]',
  'TTFT p99 ms: printed/true\nbias [95 %]',
  'E2E p99\nbias ms',
  'CPU\n%',
  'verdict',
];

/** Printed and true value over the client's own delay and its interval. */
function latencyCell(finding: Finding | null): string {
  if (finding === null || finding.reported_ms === null) return ABSENT;
  const bias = `${signedMs(finding.queueing_bias_ms)} ${intervalMs(finding.low_ms, finding.high_ms)}`;
  return `${ms(finding.reported_ms)} / ${ms(finding.realized_ms)}\n${bias.trimEnd()}`;
}

function row(document: AuditDocument, cell: RateVerdict, first: boolean, paint: Paint): string[] {
  const of = (metric: Finding['metric'], statistic: Finding['statistic']) =>
    findingFor(document, cell.client, cell.rate_rps, metric, statistic);
  const { rate: found } = cell;
  return [
    first ? shorten(oneLine(cell.client), 12) : '',
    rate(cell.rate_rps),
    found === null ? ABSENT : `${rate(found.achieved_rps)}\n${percent(found.fidelity)} %`,
    plain(found?.gap_cv2 ?? null),
    latencyCell(of('ttft', 'p50')),
    latencyCell(of('ttft', 'p99')),
    signedMs(of('e2e', 'p99')?.queueing_bias_ms ?? null),
    found?.busiest_thread_share == null ? ABSENT : String(Math.round(found.busiest_thread_share * 100)),
    paint(STATE_LABEL[cell.state], STATE_COLOR[cell.state]),
  ];
}

type Paint = (text: string, color: number) => string;

const BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
};

/** What the printed columns mean, under the table. */
const LEGEND =
  'true: realized by the target, from its ledger. bias: printed minus what the client would print if it added no delay,\n' +
  'by its own definitions. CPU: busiest thread of the client, % of a core. verdict: within tolerance, or not.';

/** The table and the verdict sentences, at most 100 columns wide, ending in a newline. */
export function summaryTable(document: AuditDocument, options: TableOptions = {}): string {
  const paint: Paint = (text, color) =>
    options.color === true && options.plain !== true ? `\u001b[${color}m${text}\u001b[39m` : text;
  const table = new Table({
    head: HEAD,
    chars: BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'left'],
  });
  const verdicts = clientVerdicts(document);
  for (const verdict of verdicts) {
    const shown = verdict.rates.filter((cell) => cell.state !== 'notRun');
    shown.forEach((cell, index) => {
      table.push(row(document, cell, index === 0, paint));
    });
  }
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  const sentences = verdicts.map((verdict) => wrap(verdict.sentence, 100, '  '));
  const text = [
    ...(table.length === 0 ? ['No trial has run.'] : [...lines, '', LEGEND]),
    '',
    ...sentences,
    '',
  ].join('\n');
  return options.plain === true ? ascii(text) : text;
}

/** Breaks a line at spaces so that it fits; lines after the first are indented. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

const ASCII: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '…': '...',
  '²': '2',
  '±': '+/-',
  '≥': '>=',
  '≤': '<=',
};
const ascii = (text: string): string =>
  text.replace(/[^\n\x20-\x7e]/g, (character) => ASCII[character] ?? '?');
