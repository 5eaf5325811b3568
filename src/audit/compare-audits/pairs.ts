/** Which client of A is compared with which of B. Pure. */
import { UserError } from '../../system/user-error.ts';
import type { AuditDocument, ClientEntry } from '../document.ts';
import type { Comparison } from './document.ts';

export interface Choice {
  /** Clients of A under another name in B. */
  readonly map: ReadonlyMap<string, string>;
  /** Only these, by their name in A or in B; null: all. */
  readonly clients: readonly string[] | null;
}

export interface Pair {
  readonly a: ClientEntry;
  readonly b: ClientEntry;
}

const named = (document: AuditDocument, name: string): ClientEntry | undefined =>
  document.clients.find((entry) => entry.name === name);

const has = (document: AuditDocument): string => document.clients.map(({ name }) => name).join(', ');

function check(a: AuditDocument, b: AuditDocument, { map, clients }: Choice): void {
  for (const [from, to] of map) {
    if (named(a, from) === undefined)
      throw new UserError(`--map ${from}=${to}: A has no client ${from}; it has ${has(a)}.`);
    if (named(b, to) === undefined)
      throw new UserError(`--map ${from}=${to}: B has no client ${to}; it has ${has(b)}.`);
  }
  for (const name of clients ?? [])
    if (named(a, name) === undefined && named(b, name) === undefined)
      throw new UserError(`--client ${name}: neither audit has it. A has ${has(a)}; B has ${has(b)}.`);
}

const missing = (entry: ClientEntry): boolean => entry.found.state === 'missing';

/** Pairs in the order of A, and what has no other side. Within one audit only what is mapped is compared, if anything is. Throws a UserError for unknown names. */
export function pairsOf(
  a: AuditDocument,
  b: AuditDocument,
  sameAudit: boolean,
  choice: Choice,
): { readonly pairs: readonly Pair[]; readonly not_compared: Comparison['not_compared'] } {
  check(a, b, choice);
  const { map, clients } = choice;
  const wanted = (...names: readonly string[]) =>
    clients === null || names.some((name) => clients.includes(name));
  const onlyMapped = sameAudit && map.size > 0;
  const pairs: Pair[] = [];
  const not_compared: { client: string; of: 'A' | 'B' | 'both'; reason: string; gone: boolean }[] = [];
  const taken = new Set<string>();
  for (const entry of a.clients) {
    const mapped = map.get(entry.name);
    if (onlyMapped && mapped === undefined) continue;
    // A name that another client was mapped to is that one's other side.
    if (mapped === undefined && [...map.values()].includes(entry.name)) {
      if (wanted(entry.name))
        not_compared.push({
          client: entry.name,
          of: 'A',
          reason: 'its name in B was given to another by --map',
          gone: false,
        });
      continue;
    }
    const other = named(b, mapped ?? entry.name);
    if (!wanted(entry.name, mapped ?? entry.name)) {
      if (other !== undefined) taken.add(other.name);
      continue;
    }
    if (other === undefined) {
      not_compared.push({
        client: entry.name,
        of: 'A',
        reason: 'B has no client of this name',
        gone: !missing(entry),
      });
      continue;
    }
    taken.add(other.name);
    if (missing(entry) || missing(other)) {
      const where = missing(entry) && missing(other) ? 'both' : missing(entry) ? 'A' : 'B';
      const reason = `not installed ${where === 'both' ? 'for either audit' : `for ${where}`}`;
      not_compared.push({ client: entry.name, of: 'both', reason, gone: where === 'B' });
      continue;
    }
    pairs.push({ a: entry, b: other });
  }
  if (!onlyMapped)
    for (const { name } of b.clients)
      if (!taken.has(name) && wanted(name))
        not_compared.push({ client: name, of: 'B', reason: 'A has no client of this name', gone: false });
  return { pairs, not_compared };
}
