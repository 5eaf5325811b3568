/** What zod cannot see: ids that stand twice, and references to what is not there. Takes data that may be faulty otherwise. Pure. */
import { nearest } from '../../../adapters/kit/near-miss.ts';
import type { Fault, Path } from './fault.ts';
import { parseFigureKey } from './figure-key.ts';
import { LIMITS } from './limits.ts';
import { columnOf } from './schema.ts';

type Loose = Readonly<Record<string, unknown>>;
const list = (value: unknown): readonly Loose[] =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === 'object' && one !== null ? one : {}) as Loose)
    : [];
const map = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
const word = (value: unknown): string | null => (typeof value === 'string' ? value : null);

interface Named {
  readonly name: string;
  readonly path: Path;
}

const named = (plain: Loose, part: string, key: string): Named[] =>
  list(plain[part]).flatMap((one, i) => {
    const name = word(one[key]);
    return name === null ? [] : [{ name, path: [part, i, key] }];
  });

/** The second and later of the same name. */
const twice = (names: readonly Named[], what: string): Fault[] =>
  names.flatMap(({ name, path }, i) =>
    names.findIndex((other) => other.name === name) < i
      ? [{ path, message: `there is ${what} "${name}" already; give each a name of its own` }]
      : [],
  );

/** Rows of the file and of its tables, with the keys of their figures. */
function rowsOf(plain: Loose): (Named & { readonly figures: readonly string[] })[] {
  const keys = (raw: readonly string[]): string[] =>
    raw.flatMap((one) => {
      const key = parseFigureKey(one);
      return typeof key === 'string' ? [] : [key.key];
    });
  const single = list(plain.rows).flatMap((row, i) => {
    const name = word(row.id);
    return name === null
      ? []
      : [{ name, path: ['rows', i, 'id'], figures: keys(Object.keys(map(row.figures))) }];
  });
  const tabled = list(plain.tables).flatMap((table, t) => {
    const name = word(table.id);
    const columns = Array.isArray(table.columns)
      ? table.columns.filter((column) => typeof column === 'string').map((column) => columnOf(column).key)
      : [];
    const rows = Array.isArray(table.rows) ? table.rows : [];
    return name === null
      ? []
      : rows.map((_, r) => ({
          name: `${name}-${r + 1}`,
          path: ['tables', t, 'id'],
          figures: keys(columns),
        }));
  });
  return [...single, ...tabled];
}

/** A reference that leads nowhere, with the nearest that does. */
function absent(name: string, known: readonly string[], what: string, path: Path): Fault {
  const near = nearest(name, known);
  const some =
    known.length > 12 ? `${known.slice(0, 12).join(', ')} and ${known.length - 12} more` : known.join(', ');
  const instead =
    near !== null
      ? `; did you mean ${near}?`
      : known.length === 0
        ? '; there are none'
        : `; there are ${some}`;
  return { path, message: `there is no ${what} "${name.slice(0, 80)}"${instead}` };
}

/** All such faults. */
export function referenceFaults(data: unknown): Fault[] {
  const plain = map(data);
  const systems = named(plain, 'systems', 'name');
  const rows = rowsOf(plain);
  const faults = [
    ...twice(systems, 'a system'),
    ...twice(rows, 'a row'),
    ...twice(named(plain, 'tables', 'id'), 'a table'),
    ...twice(named(plain, 'headlines', 'id'), 'a headline'),
  ];
  const systemNames = [...new Set(systems.map(({ name }) => name))];
  for (const part of ['rows', 'tables'])
    for (const [i, one] of list(plain[part]).entries()) {
      const name = word(one.system);
      if (name !== null && !systemNames.includes(name))
        faults.push(absent(name, systemNames, 'system', [part, i, 'system']));
      // Of several systems it must say which; of none nothing can be said here, and zod has said it.
      if (one.system === undefined && systemNames.length > 1)
        faults.push({
          path: [part, i, 'system'],
          message: `it is missing; write which of ${systemNames.join(', ')} it is`,
        });
      const keys = Object.keys(map(one.figures)).map((raw) => ({ raw, key: parseFigureKey(raw) }));
      for (const [k, { raw, key }] of keys.entries())
        if (
          typeof key !== 'string' &&
          keys.findIndex((other) => typeof other.key !== 'string' && other.key.key === key.key) < k
        )
          faults.push({
            path: [part, i, 'figures', raw],
            message: `${key.key} is there already; write it once`,
            atKey: true,
          });
    }
  const rowNames = rows.map(({ name }) => name);
  for (const [part, at] of [
    ['rows', null],
    ['tables', 'common'],
  ] as const)
    for (const [i, one] of list(plain[part]).entries()) {
      const name = word((at === null ? one : map(one[at]))['prompts-of']);
      const path = at === null ? [part, i, 'prompts-of'] : [part, i, at, 'prompts-of'];
      if (name !== null && !rowNames.includes(name)) faults.push(absent(name, rowNames, 'row', path));
      else if (name !== null && name === one.id)
        faults.push({ path, message: `it names the row itself; write the row that was run earlier` });
    }
  const figures = rows.flatMap(({ name, figures: own }) => own.map((key) => `${name}.${key}`));
  for (const [i, headline] of list(plain.headlines).entries())
    for (const side of ['of', 'over']) {
      const name = word(headline[side]);
      if (name !== null && !figures.includes(name))
        faults.push(absent(name, figures, 'figure', ['headlines', i, side]));
    }
  if (rows.length > LIMITS.rows)
    faults.push({
      path: ['rows'],
      message: `${rows.length} rows are more than a claim may have; allowed are ${LIMITS.rows}: split it into several files`,
    });
  if (figures.length > LIMITS.figures)
    faults.push({
      path: ['rows'],
      message: `${figures.length} figures are more than a claim may have; allowed are ${LIMITS.figures}: split it into several files`,
    });
  if (rows.length === 0 && faults.length === 0)
    faults.push({ path: [], message: 'it has no row of figures; write at least one under rows or tables' });
  return faults;
}
