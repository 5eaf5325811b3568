/** What a probing found, in sentences: the first thing that page and terminal say. */
import type { ProbeCell, ProbeDocument } from '../../src/audit/probe/document.ts';
import { generalWords } from '../../src/audit/probe/words.ts';
import { count, listed, oneLine, shorten } from '../text.ts';
import { type VerdictCounts, verdictCounts } from './verdict-words.ts';

/** Items by a name of theirs, in the order in which names first come. */
export function byName<T>(items: readonly T[], name: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(name(item));
    if (group === undefined) groups.set(name(item), [item]);
    else group.push(item);
  }
  return groups;
}

export interface ClientSummary {
  readonly client: string;
  readonly counts: VerdictCounts;
  readonly cells: readonly ProbeCell[];
}

/** Each client's cells and their verdicts, in the document's order. */
export function clientSummaries(document: ProbeDocument): readonly ClientSummary[] {
  const all = byName(document.cells, ({ client }) => client);
  return document.clients.map(({ client }) => {
    const cells = all.get(client) ?? [];
    return { client, counts: verdictCounts(cells), cells };
  });
}

const NAME_LENGTH = 28;
export const clientName = (client: string): string => shorten(oneLine(client), NAME_LENGTH);

/** `vllm (12), k6 (3)`: most first. */
function withCounts(summaries: readonly ClientSummary[], of: (counts: VerdictCounts) => number): string {
  const sorted = [...summaries].sort((a, b) => of(b.counts) - of(a.counts));
  return listed(sorted.map(({ client, counts }) => `${clientName(client)} (${of(counts)})`));
}

const are = (n: number): string => (n === 1 ? 'is' : 'are');

/**
 * What was found, as sentences: how much was tried, who has faults (with how many probes show one), who crashed, who is right
 * throughout, of whom nothing could be judged.
 */
export function foundSentences(document: ProbeDocument): readonly string[] {
  const all = clientSummaries(document);
  const tried = `${count(document.clients.length, 'client')} under ${count(document.probes.length, 'probe')}.`;
  const asked = (document.clients.length + document.not_run.length) * document.probes.length;
  const cut =
    document.state === 'finished'
      ? []
      : [
          `Interrupted: ${document.cells.length} of ${asked} cells are here${document.not_run.length === 0 ? '' : `; not begun: ${listed(document.not_run.map(clientName))}`}.`,
        ];
  const faulty = all.filter(({ counts }) => counts.faulty > 0);
  const crashed = all.filter(({ counts }) => counts.crashed > 0);
  const clean = all.filter(({ counts }) => counts.faulty + counts.crashed === 0);
  const judged = ({ counts }: ClientSummary) => counts.right + counts['other definition'] > 0;
  const right = clean.filter(judged);
  const nothing = clean.filter((one) => !judged(one));
  const names = (some: readonly ClientSummary[]) => listed(some.map(({ client }) => clientName(client)));
  return [
    tried,
    ...cut,
    faulty.length === 0
      ? crashed.length === 0
        ? 'No fault was found.'
        : 'No figure was wrong.'
      : `${faulty.length} of them ${are(faulty.length)} faulty: ${withCounts(faulty, (c) => c.faulty)}.`,
    ...(crashed.length === 0 ? [] : [`${crashed.length} crashed: ${withCounts(crashed, (c) => c.crashed)}.`]),
    ...(right.length === 0 ? [] : [`Without a fault wherever judged: ${names(right)}.`]),
    ...(nothing.length === 0 ? [] : [`Of ${names(nothing)} nothing could be judged.`]),
  ];
}

/** A fault or definition by name, with the cells that show it. */
export interface KindFound {
  readonly kind: string;
  readonly verdict: 'faulty' | 'other definition';
  readonly cells: readonly ProbeCell[];
  /** What a client with it does, in the words of the first probe that knows it; null where none does. */
  readonly what: string | null;
}

/** Every kind that was found, faults first, then by how many clients have it. */
export function kindsFound(document: ProbeDocument): readonly KindFound[] {
  const what = new Map<string, string>();
  for (const { known } of document.probes)
    for (const one of known) if (!what.has(one.kind)) what.set(one.kind, one.what);
  const found = document.cells.filter(
    ({ kind, verdict }) => kind !== null && (verdict === 'faulty' || verdict === 'other definition'),
  );
  const kinds = byName(found, ({ verdict, kind }) => `${verdict}\n${kind}`);
  const clients = (cells: readonly ProbeCell[]) => new Set(cells.map(({ client }) => client)).size;
  return [...kinds.values()]
    .map((cells) => ({
      kind: cells[0]!.kind!,
      verdict: cells[0]!.verdict as KindFound['verdict'],
      cells,
      what: what.get(cells[0]!.kind!) ?? generalWords(cells[0]!.kind!)?.replace(/^it /, '') ?? null,
    }))
    .sort(
      (a, b) =>
        Number(a.verdict !== 'faulty') - Number(b.verdict !== 'faulty') ||
        clients(b.cells) - clients(a.cells) ||
        b.cells.length - a.cells.length ||
        (a.kind < b.kind ? -1 : 1),
    );
}
