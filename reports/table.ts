/** The summary for the terminal: a row a client and rate, then a sentence a client. A string; printing is the caller's. */
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import type { AuditDocument, Finding, RateFinding } from '../src/audit/document.ts';
import { biasLegend, judgedMs } from './bias-words.ts';
import { boundedTexts } from './bounded.ts';
import { clientFaults, faultSentence } from './faults.ts';
import { ABSENT, intervalMs, ms, percent, plain, rate } from './format.ts';
import { lostRates } from './lost-rate.ts';
import { findingFor, type RateState, type RateVerdict } from './rate-verdict.ts';
import { ranOnce } from './repetitions.ts';
import { comparedLines, REPORTED_HEAD, REPORTED_LEGEND, reportedRow } from './reported-table.ts';
import { hasTruth } from './target-words.ts';
import { listed, oneLine, shorten } from './text.ts';
import { type ClientVerdict, clientVerdicts } from './verdict.ts';

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
  'sent /s\n% asked',
  'gap\nCV²',
  'TTFT p50 printed/true\nbias [95 %]',
  'TTFT p99 printed/true\nbias [95 %]',
  'E2E p99\nbias',
  'CPU\n%',
  'verdict',
];

/** A bias and its interval stand beside one another up to this, else one below the other. */
const CELL_WIDTH = 23;

/** Printed and true value over the client's own delay and its interval. */
function latencyCell(finding: Finding | null): string {
  if (finding === null || finding.reported_ms === null) return ABSENT;
  const bias = judgedMs(finding);
  const interval = intervalMs(finding.low_ms, finding.high_ms);
  const between = bias.length + interval.length < CELL_WIDTH ? ' ' : '\n';
  return `${ms(finding.reported_ms)} / ${ms(finding.realized_ms)}\n${bias}${interval === '' ? '' : between + interval}`;
}

const biasCell = (finding: Finding | null): string => (finding === null ? ABSENT : judgedMs(finding));

function row(document: AuditDocument, cell: RateVerdict, name: string, paint: Paint): string[] {
  const of = (metric: Finding['metric'], statistic: Finding['statistic']) =>
    findingFor(document, cell.client, cell.rate_rps, metric, statistic);
  const { rate: found } = cell;
  return [
    name,
    rate(cell.rate_rps),
    sentCell(found),
    plain(found?.gap_cv2 ?? null),
    latencyCell(of('ttft', 'p50')),
    latencyCell(of('ttft', 'p99')),
    biasCell(of('e2e', 'p99')),
    found?.busiest_thread_share == null ? ABSENT : String(Math.round(found.busiest_thread_share * 100)),
    paint(STATE_LABEL[cell.state], STATE_COLOR[cell.state]),
  ];
}

/** Rate seen by the target over its share of what was asked. */
const sentCell = (found: RateFinding | null): string =>
  found === null || found.achieved_rps === null
    ? ABSENT
    : `${rate(found.achieved_rps)}\n${percent(found.fidelity)} %`;

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
const legendOf = (shown: readonly Finding[]): string =>
  `true: realized by the target, by its ledger. ${biasLegend(shown)} CPU: its busiest thread, % of a core. Times in ms.`;

const SHOWN = new Set(['ttft p50', 'ttft p99', 'e2e p99']);
/** Those whose bias the table shows. */
const shownFindings = ({ findings }: AuditDocument): Finding[] =>
  findings.filter(({ metric, statistic }) => SHOWN.has(`${metric} ${statistic}`));

/** Said once under the sentences of an audit of one repetition. */
export const ONE_REPETITION =
  'One repetition: intervals are from within a trial, and how much trials differ from one another is unknown. Use --repeat 3.';

const WIDTH = 100;

/** The rows as lines, with client names of at most `nameLength` characters. */
function tableLines(
  document: AuditDocument,
  verdicts: readonly ClientVerdict[],
  nameLength: number,
  paint: Paint,
): readonly string[] {
  const truth = hasTruth(document);
  const table = new Table({
    head: [...(truth ? HEAD : REPORTED_HEAD)],
    chars: BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: (truth ? HEAD : REPORTED_HEAD).map((_, i, all) =>
      i === 0 || i === all.length - 1 ? 'left' : 'right',
    ),
  });
  for (const { client, rates } of verdicts) {
    const name = shorten(oneLine(client), nameLength);
    const shown = rates.filter((cell) => cell.state !== 'notRun');
    shown.forEach((cell, index) => {
      const shown = index === 0 ? name : '';
      const label = cell.state === 'unclear' ? 'undetermined' : STATE_LABEL[cell.state];
      table.push(
        truth
          ? row(document, cell, shown, paint)
          : [shown, ...reportedRow(document, cell, paint(label, STATE_COLOR[cell.state]))],
      );
    });
  }
  if (table.length === 0) return ['No trial has run.'];
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** From so many on, clients that are not installed share one sentence. */
const MANY_MISSING = 3;

function sentencesOf(document: AuditDocument, verdicts: readonly ClientVerdict[]): string[] {
  const missing = document.clients.filter(({ found }) => found.state === 'missing').map(({ name }) => name);
  if (missing.length < MANY_MISSING) return verdicts.map(({ sentence }) => sentence);
  const here = verdicts.filter(({ client }) => !missing.includes(client)).map(({ sentence }) => sentence);
  return [
    ...here,
    `Not installed, so not measured: ${listed(missing.map(oneLine))}. tare doctor says what each would take.`,
  ];
}

/** The table and the verdict sentences, at most 100 columns wide, ending in a newline. */
export function summaryTable(whole: AuditDocument, options: TableOptions = {}): string {
  const document = boundedTexts(whole);
  const paint: Paint = (text, color) =>
    options.color === true && options.plain !== true ? `\u001b[${color}m${text}\u001b[39m` : text;
  const verdicts = clientVerdicts(document);
  // Names give way to figures: long ones are cut until the widest line fits.
  let nameLength = 16;
  let lines = tableLines(document, verdicts, nameLength, paint);
  while (nameLength > 8 && lines.some((line) => stripVTControlCharacters(line).length > WIDTH))
    lines = tableLines(document, verdicts, --nameLength, paint);
  const sentences = sentencesOf(document, verdicts).map((sentence) => wrap(sentence, WIDTH, '  '));
  const lost = lostRates(document).map(({ sentence }, i) => wrap(`${i + 1}. ${sentence}`, WIDTH, '   '));
  const losers = lost.length === 0 ? [] : ['', 'Who loses the rate first, and why:', ...lost];
  const faults = clientFaults(document).map((fault) => wrap(faultSentence(fault), WIDTH, '  '));
  const otherwise = faults.length === 0 ? [] : ['', 'What clients do otherwise than stated:', ...faults];
  const truth = hasTruth(document);
  const once = truth && ranOnce(document);
  const repetitions = once ? ['', wrap(ONE_REPETITION, WIDTH, '')] : [];
  const legend = wrap(truth ? legendOf(shownFindings(document)) : REPORTED_LEGEND, WIDTH, '');
  const compared = truth ? [] : comparedLines(document).map((line) => wrap(line, WIDTH, '  '));
  const notes = [
    ...losers,
    ...otherwise,
    ...(compared.length === 0 ? [] : ['', ...compared]),
    ...repetitions,
  ];
  const text = [...lines, '', legend, '', ...sentences, ...notes, ''].join('\n');
  return options.plain === true ? plainText(text) : text;
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
  '…': '~',
  '²': '2',
  '±': '+/-',
  '≥': '>=',
  '≤': '<=',
  '’': "'",
  '·': '*',
  '×': 'x',
  '→': '->',
};
/** The text in ASCII; what has no likeness there becomes a question mark. */
export const plainText = (text: string): string =>
  text.replace(/[^\n\x20-\x7e]/g, (character) => ASCII[character] ?? '?');
