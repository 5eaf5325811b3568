/**
 * The shape of a claim's file, for zod. By the time it is used every scalar is its text as written (so that neither 1.10 nor yes is
 * anything else), and every `not stated` is undefined, as if the key were left out.
 */
import { z } from 'zod';
import { nearest } from '../../../adapters/kit/near-miss.ts';
import { kindOf, parseFigureKey } from './figure-key.ts';
import { LIMITS } from './limits.ts';
import { parseQuantity, QUANTITY_KINDS, type QuantityKind } from './quantity.ts';

const text = z
  .string()
  .refine((value) => value.trim() !== '', { message: 'it is empty; write it, or not stated' })
  .refine((value) => value.length <= LIMITS.text, {
    message: `it is longer than ${LIMITS.text} characters; say it shorter`,
  });

const quantity = (kind: QuantityKind, needed?: 'needed') =>
  z.string().superRefine((value, context) => {
    const read = parseQuantity(value, kind);
    if (typeof read === 'string')
      context.addIssue({ code: 'custom', message: needed ? read : `${read}, or not stated` });
  });

/** An identifier: figures are named `row.figure`, so it has no point in it. */
const id = z.string().superRefine((value, context) => {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u.test(value))
    context.addIssue({
      code: 'custom',
      message: `"${value.slice(0, 60)}" is no id; allowed are up to 64 letters, digits, - and _, and no point: figures are named row.figure`,
    });
});

const day = z.string().superRefine((value, context) => {
  const date = new Date(`${value}T00:00:00Z`);
  if (
    !/^\d{4}-\d\d-\d\d$/.test(value) ||
    Number.isNaN(date.getTime()) ||
    date.toISOString().slice(0, 10) !== value
  )
    context.addIssue({
      code: 'custom',
      message: `"${value.slice(0, 40)}" is no day; allowed is a day as in 2024-09-05, or not stated`,
    });
});

const address = z.string().superRefine((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const message =
    url === null || !/^https?:$/.test(url.protocol)
      ? `"${value.slice(0, 80)}" is no public address; allowed is one that begins with https:// or http://`
      : url.username !== '' || url.password !== ''
        ? 'the address holds a user or a password; leave them out'
        : null;
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const oneOf = <T extends string>(...words: readonly [T, ...T[]]) => z.enum(words);

const source = z.strictObject({
  url: address,
  title: text.optional(),
  published: day.optional(),
  read: day.optional(),
  says: text.optional(),
});

const system = z.strictObject({
  name: text,
  engine: text.optional(),
  version: text.optional(),
  model: text.optional(),
  hardware: text.optional(),
  'prefix-cache': oneOf('on', 'off').optional(),
});

const secondClientMap = z.strictObject({
  within: quantity('difference').optional(),
  apart: quantity('difference').optional(),
  how: text.optional(),
});
export type SecondClientFile = z.infer<typeof secondClientMap>;
const SECOND_CLIENT =
  'write {within: 8 %, how: which client}, {apart: 40 %, how: which client}, no, or words';

/** `no`, words, or a map with how far apart the two were. Read by hand: zod tells of a union that fails only that it does. */
const secondClient = z.custom<string | SecondClientFile>().superRefine((value: unknown, context) => {
  const issue = (message: string, path: (string | number)[] = []): void =>
    context.addIssue({ code: 'custom', message, path });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const read = text.safeParse(value);
    if (!read.success)
      issue(typeof value === 'string' ? read.error.issues[0]!.message : `it is none; ${SECOND_CLIENT}`);
    return;
  }
  const read = secondClientMap.safeParse(value);
  for (const one of read.success ? [] : read.error.issues)
    issue(
      one.code === 'unrecognized_keys'
        ? `there is no key ${one.keys.join(', ')}; allowed are within, apart, how`
        : one.code === 'custom'
          ? one.message
          : `it is none; ${SECOND_CLIENT}`,
      one.path as (string | number)[],
    );
  if (read.success && (read.data.within === undefined) === (read.data.apart === undefined))
    issue('it needs one of within and apart: within 8 % of each other, or 40 % apart');
});

const measurement = z.strictObject({
  client: z.strictObject({ name: text.optional(), version: text.optional() }).optional(),
  processes: quantity('processes').optional(),
  loop: oneOf('single', 'multi').optional(),
  t0: oneOf('scheduled', 'queued', 'sent').optional(),
  streaming: oneOf('yes', 'no').optional(),
  'token-source': oneOf('usage', 'client tokenizer', 'requested', 'chunks').optional(),
  arrivals: oneOf('constant', 'poisson', 'all at once', 'closed loop', 'trace').optional(),
  'warm-up': text.optional(),
  window: text.optional(),
  repetitions: quantity('repetitions').optional(),
  'success-rate': quantity('share').optional(),
  failures: oneOf('left out', 'counted').optional(),
  'client-host': text.optional(),
  'client-load': text.optional(),
  'second-client': secondClient.optional(),
  'client-bias': z.strictObject({ 'at-most': quantity('latency', 'needed'), how: text }).optional(),
});

/** What a row says of its load; columns of a table may say it too. */
export const ROW_QUANTITIES = {
  rate: 'rate',
  concurrency: 'concurrency',
  requests: 'sent',
  duration: 'duration',
  'input-tokens': 'tokens',
  'output-tokens': 'tokens',
} as const satisfies Readonly<Record<string, QuantityKind>>;
export type RowQuantity = keyof typeof ROW_QUANTITIES;

const load = {
  rate: quantity('rate').optional(),
  concurrency: quantity('concurrency').optional(),
  requests: quantity('sent').optional(),
  duration: quantity('duration').optional(),
  'input-tokens': quantity('tokens').optional(),
  'output-tokens': quantity('tokens').optional(),
  'output-length': oneOf('fixed', 'mean', 'max').optional(),
  run: oneOf('cold', 'warm').optional(),
  'prompts-of': text.optional(),
};

const figures = z.record(z.string(), z.unknown()).superRefine((values, context) => {
  for (const [name, value] of Object.entries(values)) {
    const key = parseFigureKey(name);
    if (typeof key === 'string') {
      const message = /^\d/.test(name) ? IN_BRACES : key;
      context.addIssue({ code: 'custom', path: [name], message, params: { atKey: true } });
    } else if (typeof value === 'string') {
      const read = parseQuantity(value, kindOf(key.metric));
      if (typeof read === 'string')
        context.addIssue({ code: 'custom', path: [name], message: `${read}, or not stated` });
    } else if (value !== undefined) {
      const found =
        value === null ? 'it is empty' : Array.isArray(value) ? 'a list stands here' : 'a map stands here';
      const allowed = `allowed is ${QUANTITY_KINDS[kindOf(key.metric)].allowed}, or not stated`;
      context.addIssue({ code: 'custom', path: [name], message: `${found}; ${allowed}` });
    }
  }
});
/** `{output_throughput: 8,730 tok/s}` is two keys to YAML. */
const IN_BRACES =
  "a comma in { } or [ ] begins the next key or cell; write thousands in quotes ('8,730 tok/s') or without the comma";

const row = z.strictObject({ id, system: text.optional(), ...load, figures: figures.optional() });

/** `rate req/s` → the key and the unit, if any. */
export const columnOf = (column: string): { readonly key: string; readonly unit: string } => {
  const [key, ...unit] = column.trim().split(/\s+/);
  return { key: key ?? '', unit: unit.join(' ') };
};

/** The kind of a column's cells; a string that begins with `!` is the fault. */
export function columnKind(column: string): QuantityKind | `!${string}` {
  const { key } = columnOf(column);
  if (Object.hasOwn(ROW_QUANTITIES, key)) return ROW_QUANTITIES[key as RowQuantity];
  const figure = parseFigureKey(key);
  if (typeof figure !== 'string') return kindOf(figure.metric);
  const near = nearest(key, Object.keys(ROW_QUANTITIES));
  return near === null
    ? `!"${key}": ${figure}; or one of ${Object.keys(ROW_QUANTITIES).join(', ')}`
    : `!"${key}" is no column; did you mean ${near}?`;
}

/** A cell as it reads with its column's unit: `172.8` under `output_throughput tok/s`. */
export const cellText = (cell: string, unit: string): string =>
  unit === '' || !/^[\d.,_ '’+-]+$/.test(cell.trim()) ? cell.trim() : `${cell.trim()} ${unit}`;

const table = z
  .strictObject({
    id,
    system: text.optional(),
    columns: z.array(z.string()).min(1, 'it has no column; write at least one'),
    common: z.strictObject(load).optional(),
    rows: z.array(z.array(z.string().nullable().optional())).min(1, 'it has no row; write at least one'),
  })
  .superRefine(({ columns, rows, common }, context) => {
    const kinds = columns.map(columnKind);
    const issue = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    for (const [c, kind] of kinds.entries()) {
      const { key } = columnOf(columns[c]!);
      if (kind.startsWith('!')) issue(['columns', c], kind.slice(1));
      else if (columns.findIndex((other) => columnOf(other).key === key) < c)
        issue(['columns', c], `there is a column ${key} already; write each once`);
      else if (common !== undefined && common[key as keyof typeof common] !== undefined)
        issue(['columns', c], `${key} is stated in common, too; write it once`);
    }
    for (const [r, cells] of rows.entries()) {
      if (cells.length !== columns.length) {
        const comma =
          cells.length > columns.length ? `: ${IN_BRACES}` : ', not stated where the page has none';
        issue(['rows', r], `it has ${cells.length} of ${columns.length} cells; write one a column${comma}`);
        continue;
      }
      for (const [c, cell] of cells.entries()) {
        const kind = kinds[c]!;
        if (kind.startsWith('!') || cell === undefined) continue;
        if (cell === null) {
          issue(['rows', r, c], 'it is empty; write its value, or not stated');
          continue;
        }
        const read = parseQuantity(cellText(cell, columnOf(columns[c]!).unit), kind as QuantityKind);
        if (typeof read === 'string') issue(['rows', r, c], `${read}, or not stated`);
      }
    }
  });

const headline = z.strictObject({
  id,
  text,
  ratio: quantity('ratio', 'needed'),
  bound: oneOf('exactly', 'up to', 'at least').optional(),
  better: oneOf('higher', 'lower'),
  of: text.optional(),
  over: text.optional(),
});

export const claimFileSchema = z.strictObject({
  'tare-claim': z.literal('1'),
  title: text,
  claimant: text,
  sources: z.array(source).optional(),
  systems: z.array(system).min(1, 'it has no system; write at least one, with its name'),
  measurement: measurement.optional(),
  rows: z.array(row).optional(),
  tables: z.array(table).optional(),
  headlines: z.array(headline).optional(),
  notes: z.array(text).optional(),
});
export type ClaimFile = z.infer<typeof claimFileSchema>;
