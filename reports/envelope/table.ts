/** The result for the terminal: a row a client, then a sentence a client. A string; printing is the caller's. */
import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import type { EnvelopeClient, EnvelopeDocument, SideFigures } from '../../src/audit/envelope/document.ts';
import { ABSENT, percent, signedMs } from '../format.ts';
import { oneLine, shorten } from '../text.ts';
import {
  bracketShort,
  clientSentence,
  confidenceWords,
  likelyWords,
  noiseSentence,
  notesOf,
  ranked,
} from './words.ts';

export interface EnvelopeTableOptions {
  readonly color?: boolean;
}

/** Share of the rate, and the bias of the figures that have a tolerance. */
function sideCell(side: SideFigures | null): string {
  if (side === null) return ABSENT;
  const terms = side.terms.map(
    ({ name, bias_ms }) => `${name.replace('_', ' ').toUpperCase().replace(' P', ' p')} ${signedMs(bias_ms)}`,
  );
  return (
    [...(side.fidelity === null ? [] : [`${percent(side.fidelity)} % of the rate`]), ...terms].join('\n') ||
    'no figures: it failed'
  );
}

const trialsCell = ({ bracket, trials }: EnvelopeClient): string => {
  const holds = bracket?.holds;
  const fails = bracket?.fails;
  return [
    String(trials),
    ...(holds == null ? [] : [`${holds.holds}/${holds.trials} held`]),
    ...(fails == null ? [] : [`${fails.fails}/${fails.trials} failed`]),
  ].join('\n');
};

/** The table and the sentences. */
export function envelopeTable(
  document: EnvelopeDocument,
  { color = false }: EnvelopeTableOptions = {},
): string {
  const table = new Table({
    head: [
      'client',
      'envelope\n/s',
      'conf.',
      'trials',
      'where it holds\n(bias, ms)',
      'where it fails\n(bias, ms)',
    ],
    style: { head: [], border: [], compact: false },
  });
  const clients = ranked(document);
  for (const client of clients)
    table.push([
      shorten(oneLine(client.name), 24),
      bracketShort(client.bracket),
      client.bracket?.confidence == null
        ? ABSENT
        : [confidenceWords(client.bracket.confidence), likelyWords(client.bracket).replace(' for ', ':\n')]
            .filter((line) => line !== '')
            .join('\n'),
      trialsCell(client),
      sideCell(client.at_holds),
      sideCell(client.at_fails),
    ]);
  const sentences = clients.flatMap((client) => [
    clientSentence(client),
    ...notesOf(client).map((note) => `  ${note}`),
  ]);
  const missing = document.clients.filter(
    ({ state, found }) => state === 'notRun' && found.state === 'found',
  );
  const lines = [
    ...(clients.length === 0 ? [] : [table.toString()]),
    `Tolerance: ${document.search.tolerance}. ${noiseSentence(document)}`,
    '',
    ...sentences,
    ...missing.map(clientSentence),
    ...document.warnings.map(({ evidence, remedy }) => `warning: ${oneLine(evidence)}; ${oneLine(remedy)}`),
  ];
  const text = lines.join('\n');
  return color ? text : stripVTControlCharacters(text);
}
