/** The matrix for the terminal: probes down, clients across, then what was found. A string; printing is the caller's. */
import type { PROBE_VERDICTS, ProbeCell, ProbeDocument } from '../../src/audit/probe/document.ts';
import { plainText, wrap } from '../table.ts';
import { count, oneLine, shorten } from '../text.ts';
import { withoutTicks } from './code-html.ts';
import { cellSize } from './figure-words.ts';
import { clientName, foundSentences } from './findings.ts';
import { LOOK, verdictCounts } from './verdict-words.ts';

export interface ProbeTableOptions {
  /** Without colours, in ASCII: for logs and for reading aloud. */
  readonly plain?: boolean;
  /** Colours by ANSI escapes; never with `plain`. */
  readonly color?: boolean;
  /** Columns of the terminal; between 80 and 140 are used. */
  readonly width?: number;
}

const LEAST_WIDTH = 80;
const MOST_WIDTH = 140;
const PROBE_LENGTH = 34;
const NAME_LENGTH = 11;

type Paint = (text: string, color: number) => string;

/** Columns of clients that fit beside one another. */
function blocksOf<T>(items: readonly T[], widths: readonly number[], room: number): (readonly T[])[] {
  const blocks: T[][] = [[]];
  let used = 0;
  items.forEach((item, i) => {
    if (used + widths[i]! > room && blocks.at(-1)!.length > 0) {
      blocks.push([]);
      used = 0;
    }
    blocks.at(-1)!.push(item);
    used += widths[i]!;
  });
  return blocks;
}

/** The matrix as lines; clients that do not fit come in a block of their own below. */
function matrixLines(document: ProbeDocument, width: number, paint: Paint): string[] {
  const cells = new Map(document.cells.map((cell) => [`${cell.client}\n${cell.probe}`, cell]));
  const ids = document.probes.map(({ id }) => shorten(oneLine(id), PROBE_LENGTH));
  const first = Math.max(5, ...ids.map((id) => [...id].length));
  const columns = document.clients.map(({ client }) => {
    const name = shorten(oneLine(client), NAME_LENGTH);
    return { client, name, width: Math.max(5, [...name].length) + 2 };
  });
  const blocks = blocksOf(
    columns,
    columns.map((column) => column.width),
    width - first,
  );
  const padded = (text: string, to: number) => ' '.repeat(Math.max(0, to - [...text].length)) + text;
  return blocks.flatMap((block, b) => {
    const head = 'probe'.padEnd(first) + block.map(({ name, width }) => padded(name, width)).join('');
    const rows = document.probes.flatMap((probe, p) => {
      const line = block.map(({ client, width }) => {
        const cell = cells.get(`${client}\n${probe.id}`);
        if (cell === undefined) return ' '.repeat(width);
        const look = LOOK[cell.verdict];
        return padded(look.short, width).replace(look.short, paint(look.short, look.color));
      });
      const row = ids[p]! + ' '.repeat(first - [...ids[p]!].length) + line.join('');
      return probe.group === document.probes[p - 1]?.group ? [row] : [paint(oneLine(probe.group), 1), row];
    });
    return [...(b === 0 ? [] : ['']), head, ...rows];
  });
}

function foundLine(cell: ProbeCell, paint: Paint): string {
  const kind = cell.kind === null ? '' : ` (${oneLine(cell.kind)})`;
  const size = cellSize(cell.size);
  const words = withoutTicks(oneLine(cell.words));
  const label = `${cell.verdict}${kind}`;
  return (
    `${clientName(cell.client)}, ${oneLine(cell.probe)}: ${paint(label, LOOK[cell.verdict].color)}` +
    `${size === '' ? '' : `, ${size}`}${words === '' ? '' : `. ${words}`}`
  );
}

/** Every cell that says something of its client: faults and crashes, then other definitions. */
function foundLines(document: ProbeDocument, width: number, paint: Paint): string[] {
  const clients = document.clients.map(({ client }) => client);
  const of = (...verdicts: readonly ProbeCell['verdict'][]) =>
    [...document.cells]
      .filter(({ verdict }) => verdicts.includes(verdict))
      .sort((a, b) => clients.indexOf(a.client) - clients.indexOf(b.client))
      .map((cell) => wrap(foundLine(cell, paint), width, '  '));
  const faults = of('faulty', 'crashed');
  const others = of('other definition');
  return [
    ...(faults.length === 0 ? [] : ['', 'What was found:', ...faults]),
    ...(others.length === 0
      ? []
      : ['', 'What is measured by another definition (stated, or one that can be defended):', ...others]),
  ];
}

/** Signs with their counts. */
const legend = (document: ProbeDocument): string =>
  Object.entries(verdictCounts(document.cells))
    .map(([verdict, n]) => `${LOOK[verdict as (typeof PROBE_VERDICTS)[number]].short} ${verdict} ${n}`)
    .join(', ');

/** The matrix, its legend and what was found, ending in a newline. */
export function probeTable(document: ProbeDocument, options: ProbeTableOptions = {}): string {
  const width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, options.width ?? 100));
  const paint: Paint = (text, color) =>
    options.color === true && options.plain !== true
      ? `\u001b[${color}m${text}\u001b[${color === 1 ? 22 : 39}m`
      : text;
  const lines = [
    ...matrixLines(document, width, paint),
    '',
    wrap(`${count(document.cells.length, 'cell')}: ${legend(document)}.`, width, '  '),
    '',
    ...foundSentences(document).map((sentence) => wrap(sentence, width, '  ')),
    ...foundLines(document, width, paint),
    '',
  ];
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return options.plain === true ? plainText(text) : text;
}
