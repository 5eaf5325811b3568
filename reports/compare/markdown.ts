/** The comparison as Markdown, for an issue or a pull request. */
import type { CompareDocument } from '../../src/audit/compare-audits/document.ts';
import { rate } from '../format.ts';
import { oneLine } from '../text.ts';
import { differenceText, floorText, intervalText, labelWithUnit, stateText, valueText } from './format.ts';
import { alike, figureRows, outcomeState, outcomeText, unknown, unlike } from './rows.ts';
import { pairName } from './words.ts';

/** Text from outside, inert in Markdown and in the HTML that it allows. */
export const inert = (text: string): string =>
  oneLine(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_[\]|~>#@]/g, '\\$&')
    // A bare address would become a link.
    .replace(/:\/\//g, ':\u200b//');

function table(
  head: readonly string[],
  right: readonly number[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (right.includes(i) ? '---:' : '---'))), ...rows.map(line)].join(
    '\n',
  );
}

function outcomes(document: CompareDocument): string[] {
  const rows = document.clients.flatMap((client) =>
    client.rates.flatMap((cell) => {
      const { rate_rps, outcomes: one, notes } = cell;
      const state = outcomeState(cell);
      if (one === null || (state === 'same' && notes.length === 0)) return [];
      const cells = [rate(rate_rps), outcomeText(one.a), outcomeText(one.b), state ?? ''];
      return [[inert(pairName(client)), ...cells, inert(notes.join('; '))]];
    }),
  );
  return rows.length === 0
    ? []
    : [
        '',
        '### Trials that failed or saturated',
        '',
        table(['client', 'asked /s', 'A', 'B', '', 'notes'], [1], rows),
      ];
}

/** The text; same document, same text. */
export function compareMarkdown(document: CompareDocument): string {
  const { sentences, a, b } = document;
  const differing = unlike(document);
  const figures = figureRows(document).map(({ client, rate: cell, figure }) => [
    inert(pairName(client)),
    rate(cell.rate_rps),
    labelWithUnit(figure),
    valueText(figure.unit, figure.a.mean),
    valueText(figure.unit, figure.b.mean),
    differenceText(figure.unit, figure.difference),
    intervalText(figure),
    floorText(figure),
    figure.family === 'primary' ? 'yes' : 'no',
    [stateText(figure), figure.reason, figure.caveat]
      .filter((text) => text !== '')
      .map(inert)
      .join(': '),
  ]);
  const list = (items: readonly string[]) => items.map((item) => `- ${item}`);
  return [
    '## What changed beyond the floor',
    '',
    `**${inert(sentences.headline)}**`,
    '',
    ...(document.clients.length > 1 ? list(sentences.clients.map(inert)) : []),
    ...list(sentences.verdicts.filter((text) => text !== null).map(inert)),
    '',
    inert(sentences.attribution),
    '',
    `A: ${inert(a.folder)}, Tare ${inert(a.tare_version)}, ${inert(a.started_at)}. B: ${inert(b.folder)}, Tare ${inert(b.tare_version)}, ${inert(b.started_at)}.`,
    '',
    '### What was not the same',
    '',
    ...(differing.length === 0
      ? [document.same_audit ? 'A and B are one audit.' : 'Nothing that is recorded.']
      : [
          table(
            ['', 'A', 'B'],
            [],
            differing.map((row) => [inert(row.what), inert(row.a), inert(row.b)]),
          ),
        ]),
    '',
    ...(alike(document).length === 0 ? [] : [`The same: ${inert(alike(document).join(', '))}.`]),
    ...(unknown(document).length === 0
      ? []
      : ['', `Not recorded on both sides: ${inert(unknown(document).join(', '))}.`]),
    ...outcomes(document),
    '',
    '### Figures',
    '',
    table(
      ['client', 'asked /s', 'figure', 'A', 'B', 'B − A', 'interval', 'floor', 'decides', ''],
      [1, 3, 4, 5, 6, 7],
      figures,
    ),
    '',
    inert(sentences.family),
    ...list(sentences.caveats.map(inert)),
    ...list(
      document.not_compared.map(({ client, reason }) => `${inert(client)}: not compared, ${inert(reason)}.`),
    ),
    '',
  ].join('\n');
}
