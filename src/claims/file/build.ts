/** From a file whose shape is right to the claim as data. Pure. */
import type { Claim, ClaimFigure, ClaimMeasurement, ClaimRow, Quantity } from '../claim.ts';
import type { Path } from './fault.ts';
import { kindOf, parseFigureKey } from './figure-key.ts';
import { parseQuantity, type QuantityKind } from './quantity.ts';
import {
  type ClaimFile,
  cellText,
  columnOf,
  ROW_QUANTITIES,
  type RowQuantity,
  type SecondClientFile,
} from './schema.ts';

type LineOf = (path: Path, atKey?: true) => number;
type RowFile = NonNullable<ClaimFile['rows']>[number];
type TableFile = NonNullable<ClaimFile['tables']>[number];
type LoadFile = NonNullable<TableFile['common']>;

/** The schema has read it before, so it is one. */
function quantity(text: string | undefined, kind: QuantityKind): Quantity | null {
  if (text === undefined) return null;
  const read = parseQuantity(text, kind);
  if (typeof read === 'string') throw new Error(`"${text}" passed the schema and is no quantity: ${read}`);
  return read;
}

/** A mean of whole tokens was rounded: the printed digits hide up to half a token. */
const rounded = (tokens: Quantity | null, length: string | undefined): Quantity | null =>
  tokens !== null && length === 'mean' && tokens.half === 0 ? { ...tokens, half: 0.5 } : tokens;

function loadOf(file: LoadFile): Omit<ClaimRow, 'id' | 'system' | 'figures' | 'line'> {
  const of = (key: RowQuantity): Quantity | null => quantity(file[key], ROW_QUANTITIES[key]);
  return {
    rateRps: of('rate'),
    concurrency: of('concurrency'),
    requests: of('requests'),
    durationS: of('duration'),
    inputTokens: of('input-tokens'),
    outputTokens: rounded(of('output-tokens'), file['output-length']),
    outputLength: file['output-length'] ?? null,
    run: file.run ?? null,
    promptsOf: file['prompts-of'] ?? null,
  };
}

function figureOf(row: string, name: string, text: unknown, line: number): ClaimFigure[] {
  const key = parseFigureKey(name);
  if (typeof key === 'string') throw new Error(`"${name}" passed the schema and is no figure: ${key}`);
  const value = quantity(typeof text === 'string' ? text : undefined, kindOf(key.metric));
  if (value === null) return [];
  const { metric, statistic } = key;
  return [{ id: `${row}.${key.key}`, row, metric, statistic, quantity: value, line }];
}

function rowOf(file: RowFile, i: number, only: string, lineOf: LineOf): ClaimRow {
  const { id, system, figures = {}, ...load } = file;
  return {
    id,
    system: system ?? only,
    ...loadOf(load),
    figures: Object.entries(figures).flatMap(([name, text]) =>
      figureOf(id, name, text, lineOf(['rows', i, 'figures', name], true)),
    ),
    line: lineOf(['rows', i]),
  };
}

function tableRows(table: TableFile, t: number, only: string, lineOf: LineOf): ClaimRow[] {
  const columns = table.columns.map(columnOf);
  return table.rows.map((cells, r) => {
    const id = `${table.id}-${r + 1}`;
    const line = lineOf(['tables', t, 'rows', r]);
    const texts = columns.map(({ key, unit }, c) => {
      const cell = cells[c];
      return { key, text: cell === undefined || cell === null ? undefined : cellText(cell, unit) };
    });
    const own = texts.filter(({ key }) => Object.hasOwn(ROW_QUANTITIES, key));
    return {
      id,
      system: table.system ?? only,
      ...loadOf({ ...table.common, ...Object.fromEntries(own.map(({ key, text }) => [key, text])) }),
      figures: texts
        .filter((one) => !own.includes(one))
        .flatMap(({ key, text }) => figureOf(id, key, text, line)),
      line,
    };
  });
}

function secondClientOf(file: string | SecondClientFile | undefined): ClaimMeasurement['secondClient'] {
  if (file === undefined || typeof file === 'string') return file ?? null;
  const kind = file.within === undefined ? 'apart' : 'within';
  return { kind, percent: quantity(file[kind], 'difference')!, how: file.how ?? null };
}

function measurementOf(file: ClaimFile['measurement']): ClaimMeasurement {
  const bias = file?.['client-bias'];
  return {
    client: { name: file?.client?.name ?? null, version: file?.client?.version ?? null },
    processes: quantity(file?.processes, 'processes'),
    loop: file?.loop ?? null,
    t0: file?.t0 ?? null,
    streaming: file?.streaming ?? null,
    tokenSource: file?.['token-source'] ?? null,
    arrivals: file?.arrivals ?? null,
    warmUp: file?.['warm-up'] ?? null,
    window: file?.window ?? null,
    repetitions: quantity(file?.repetitions, 'repetitions'),
    successRate: quantity(file?.['success-rate'], 'share'),
    clientHost: file?.['client-host'] ?? null,
    clientLoad: file?.['client-load'] ?? null,
    failures: file?.failures ?? null,
    secondClient: secondClientOf(file?.['second-client']),
    clientBias:
      bias === undefined ? null : { atMostMs: quantity(bias['at-most'], 'latency')!, how: bias.how },
  };
}

/** @param lineOf the line of a place in the file, from 1 */
export function buildClaim(file: ClaimFile, lineOf: LineOf): Claim {
  const only = file.systems[0]!.name;
  return {
    title: file.title,
    claimant: file.claimant,
    sources: (file.sources ?? []).map(({ url, title, published, read, says }) => ({
      url,
      title: title ?? null,
      published: published ?? null,
      read: read ?? null,
      says: says ?? null,
    })),
    systems: file.systems.map((one) => ({
      name: one.name,
      engine: one.engine ?? null,
      version: one.version ?? null,
      model: one.model ?? null,
      hardware: one.hardware ?? null,
      prefixCache: one['prefix-cache'] ?? null,
    })),
    measurement: measurementOf(file.measurement),
    rows: [
      ...(file.rows ?? []).map((row, i) => rowOf(row, i, only, lineOf)),
      ...(file.tables ?? []).flatMap((table, t) => tableRows(table, t, only, lineOf)),
    ],
    headlines: (file.headlines ?? []).map((one, i) => ({
      id: one.id,
      text: one.text,
      ratio: quantity(one.ratio, 'ratio')!,
      bound: one.bound ?? 'exactly',
      better: one.better,
      of: one.of ?? null,
      over: one.over ?? null,
      line: lineOf(['headlines', i]),
    })),
    notes: file.notes ?? [],
  };
}
