/** The comparison for the terminal: the sentence first, then what was not the same, then the figures. A string; printing is the caller's. */
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import type { CompareDocument } from '../../src/audit/compare-audits/document.ts';
import { rate } from '../format.ts';
import { plainText, wrap } from '../table.ts';
import { count, oneLine, shorten } from '../text.ts';
import {
  differenceText,
  floorText,
  intervalText,
  labelWithUnit,
  STATE_WORDS,
  smallestNumber,
  valueText,
} from './format.ts';
import { alike, type FigureRow, figureRows, isShort, unknown, unlike } from './rows.ts';
import { pairName } from './words.ts';

export interface CompareTableOptions {
  readonly color?: boolean;
  readonly plain?: boolean;
  /** Every figure, not only what changed and the first ones. */
  readonly all?: boolean;
}

const WIDTH = 100;
const NONE = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((name) => [name, '']),
);

function table(
  head: readonly string[],
  right: readonly number[],
  rows: readonly (readonly string[])[],
): string {
  const made = new Table({
    head: [...head],
    chars: { ...NONE, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, i) => (right.includes(i) ? 'right' : 'left')),
  });
  for (const row of rows) made.push([...row]);
  return made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const COLOR: Readonly<Partial<Record<string, number>>> = { worse: 31, better: 32, changed: 33 };

function figureTable(rows: readonly FigureRow[], color: boolean): string {
  let last: FigureRow['client'] | null = null;
  return table(
    ['client', 'asked /s', 'figure', 'A', 'B', 'B − A', 'interval', 'floor', ''],
    [1, 3, 4, 5, 6, 7],
    rows.map(({ client, rate: cell, figure }) => {
      const first = client === last ? '' : shorten(pairName(client), 24);
      last = client;
      const paint = color ? COLOR[figure.state] : undefined;
      const state = `${STATE_WORDS[figure.state]} ${smallestNumber(figure)}`.trimEnd();
      return [
        first,
        rate(cell.rate_rps),
        labelWithUnit(figure),
        valueText(figure.unit, figure.a.mean),
        valueText(figure.unit, figure.b.mean),
        differenceText(figure.unit, figure.difference),
        intervalText(figure),
        floorText(figure),
        paint === undefined ? state : `\u001b[${paint}m${state}\u001b[39m`,
      ];
    }),
  );
}

function conditionLines(document: CompareDocument): string[] {
  const rows = unlike(document);
  const same = alike(document);
  const cut = (text: string) => shorten(oneLine(text), 32);
  return [
    ...(rows.length === 0
      ? [
          document.same_audit
            ? 'One audit: all of its conditions are the same.'
            : 'Nothing that is recorded differs between A and B.',
        ]
      : [
          table(
            ['Not the same', 'A', 'B'],
            [],
            rows.map(({ what, a, b }) => [cut(what), cut(a), cut(b)]),
          ),
        ]),
    ...(same.length === 0 || document.same_audit ? [] : [wrap(`The same: ${same.join(', ')}.`, WIDTH, '  ')]),
    ...(unknown(document).length === 0 || document.same_audit
      ? []
      : [wrap(`Not recorded on both sides: ${unknown(document).join(', ')}.`, WIDTH, '  ')]),
  ];
}

/** What to know of a rate: that it saturated on a side, that a trace is known by its name only. */
const noteLines = ({ clients }: CompareDocument): string[] =>
  clients.flatMap((client) =>
    client.rates.flatMap(({ rate_rps, notes }) =>
      notes.map((note) => `${pairName(client)} at ${rate(rate_rps)}/s: ${oneLine(note)}.`),
    ),
  );

const LEGEND =
  'Latencies: what the client adds (bias beyond its own definitions), mean over repetitions. Worse: farther from what a faultless client ' +
  'has (no bias, all of the rate and no more, every request answered, the gaps asked for; of CPU, more). Floor: what cannot be told ' +
  'from zero; of shares and gaps it is chosen (docs/compare.md). Behind "undetermined": the change that would have been found.';

/** The whole text, at most about 100 columns wide. */
export function compareTable(document: CompareDocument, options: CompareTableOptions = {}): string {
  const { sentences } = document;
  const all = figureRows(document);
  const shown = options.all === true ? all : all.filter(isShort);
  const rest = all.length - shown.length;
  const paragraph = (text: string) => wrap(text, WIDTH, '  ');
  const several = document.clients.length > 1;
  const lines = [
    paragraph(sentences.headline),
    ...(several ? sentences.clients.map(paragraph) : []),
    ...sentences.verdicts.filter((text) => text !== null).map(paragraph),
    '',
    paragraph(sentences.attribution),
    '',
    ...conditionLines(document),
    ...(shown.length === 0
      ? []
      : ['', figureTable(shown, options.color === true && options.plain !== true), '', paragraph(LEGEND)]),
    ...(rest === 0
      ? []
      : [`${count(rest, 'other figure')} not shown: --all shows them, --out DIR writes them.`]),
    ...noteLines(document).map(paragraph),
    '',
    paragraph(sentences.family),
    ...sentences.caveats.map(paragraph),
    ...document.not_compared.map(({ client, reason }) =>
      paragraph(`${oneLine(client)}: not compared, ${oneLine(reason)}.`),
    ),
  ];
  const text = lines.join('\n');
  if (options.plain === true) return plainText(stripVTControlCharacters(text));
  return options.color === true ? text : stripVTControlCharacters(text);
}
