/** docs/findings.md: what a probing found in real clients, with the command that shows each fault again. */
import type { ProbeCell, ProbeDocument } from '../../src/audit/probe/document.ts';
import { oneLine, shorten } from '../text.ts';
import { cellSize } from './figure-words.ts';
import { byName, clientSummaries } from './findings.ts';

const WORDS = 240;
/** Names of probes in a row before the rest is a number. */
const MOST_NAMES = 8;

const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const names = (cells: readonly ProbeCell[]): string => {
  const shown = cells.slice(0, MOST_NAMES).map(({ probe }) => `\`${probe}\``);
  const more = cells.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
};

/** Cells with the same verdict and kind are one finding. */
function findings(client: string, cells: readonly ProbeCell[]): string {
  const faulty = cells.filter(({ verdict }) => verdict === 'faulty' || verdict === 'crashed');
  const unnamed = faulty.filter(({ kind }) => kind === 'unnamed');
  const off = faulty.filter(({ kind }) => kind !== 'unnamed');
  const rest =
    unnamed.length === 0
      ? ''
      : `\n\nWrong by nothing known, so perhaps by its own load in a shared run: ${names(unnamed)}.`;
  if (off.length === 0) return `No fault.${rest}`;
  const groups = [...byName(off, ({ verdict, kind }) => `${verdict} ${kind}`).values()].sort(
    (a, b) => b.length - a.length,
  );
  return `${table(
    ['fault', 'probes', 'what it does, at the first of them', 'size there', 'shows it again'],
    groups.map((group) => {
      const [first] = group as [ProbeCell, ...ProbeCell[]];
      const kind = first.verdict === 'crashed' ? `**${first.kind}** (no result)` : `**${first.kind}**`;
      return [
        kind,
        names(group),
        shorten(first.words, WORDS),
        cellSize(first.size),
        `\`tare probe --client ${client} --only ${first.probe}\``,
      ];
    }),
  )}${rest}`;
}

/** The page, as Markdown; `intro` stands between the title and the tables. */
export function findingsPage(document: ProbeDocument, intro: string): string {
  const all = clientSummaries(document);
  const of = (client: string) => document.clients.find((one) => one.client === client)!;
  const counts = table(
    [
      'client',
      'version',
      'right',
      'other definition',
      'faulty',
      'crashed',
      'not applicable',
      'undetermined',
      'time',
    ],
    all.map(({ client, counts: c }) => [
      client,
      of(client).version,
      String(c.right),
      String(c['other definition']),
      String(c.faulty),
      String(c.crashed),
      String(c['not applicable']),
      String(c.undetermined),
      `${of(client).elapsed_s.toFixed(0)} s`,
    ]),
  );
  const sections = all.map(
    ({ client, cells }) => `## ${client} ${of(client).version}\n\n${findings(client, cells)}`,
  );
  return `# Findings\n\n${intro.trim()}\n\n${counts}\n\n${sections.join('\n\n')}\n`;
}
