/** The ledger's columns as Arrow sees them: one table of names and types for writing and for reading. */
import {
  type Data,
  Field,
  Float64,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  type Table,
  Uint8,
  Uint16,
  Utf8,
} from 'apache-arrow';
import { LEDGER_OUTCOMES, type Ledger, type LedgerMeta } from '../measure/ledger.ts';
import { UserError } from '../system/user-error.ts';

/** Key of the schema's metadata under which LedgerMeta is kept, as JSON. */
export const META_KEY = 'tare';

const INSTANTS = {
  arrival_ns: 'arrivalNs',
  headers_ns: 'headersNs',
  first_due_ns: 'firstDueNs',
  first_ns: 'firstNs',
  last_due_ns: 'lastDueNs',
  last_ns: 'lastNs',
  end_ns: 'endNs',
} as const;
/** Of a target with slots only. */
const QUEUED = 'queued_ns';
const COUNTS = {
  prompt_tokens: 'promptTokens',
  asked_tokens: 'askedTokens',
  delivered_tokens: 'deliveredTokens',
  connection: 'connection',
} as const;
const IDS = { request_id: 'requestId', response_id: 'responseId' } as const;
const TOKENS = { token_ns: 'tokenNs', token_due_ns: 'tokenDueNs' } as const;

const entries = <K extends string, V extends string>(record: Readonly<Record<K, V>>): [K, V][] =>
  Object.entries(record) as [K, V][];

/** The schema, with the target's account of itself in its metadata. */
export function ledgerSchema(meta: LedgerMeta): Schema {
  const instant = (name: string): Field => new Field(name, new Float64(), true);
  const tokenList = (name: string): Field =>
    new Field(name, new List(new Field('item', new Float64(), false)), false);
  return new Schema(
    [
      ...Object.keys(INSTANTS).map(instant),
      ...Object.keys(COUNTS).map((name) => new Field(name, new Int32(), false)),
      new Field('status', new Uint16(), false),
      new Field('outcome', new Uint8(), false),
      new Field('streamed', new Uint8(), false),
      ...Object.keys(IDS).map((name) => new Field(name, new Utf8(), true)),
      ...Object.keys(TOKENS).map(tokenList),
      ...(meta.slots === undefined ? [] : [instant(QUEUED)]),
    ],
    new Map([
      [META_KEY, JSON.stringify(meta)],
      ['outcomes', JSON.stringify(LEDGER_OUTCOMES)],
      ['clock', 'CLOCK_MONOTONIC, ns'],
    ]),
  );
}

/** A validity bitmap (bit set = there is a value) and the number of values that are missing. */
function validity(
  length: number,
  isValid: (index: number) => boolean,
): { bitmap: Uint8Array; nulls: number } {
  const bitmap = new Uint8Array(Math.ceil(length / 64) * 8);
  let nulls = 0;
  for (let i = 0; i < length; i++) {
    if (isValid(i)) bitmap[i >> 3]! |= 1 << (i & 7);
    else nulls++;
  }
  return { bitmap, nulls };
}

function instantData(values: Float64Array): Data {
  const { bitmap, nulls } = validity(values.length, (i) => !Number.isNaN(values[i]));
  const nullBitmap = nulls === 0 ? null : bitmap;
  return makeData({ type: new Float64(), length: values.length, data: values, nullCount: nulls, nullBitmap });
}

function idData(ids: readonly (string | null)[]): Data {
  const { bitmap, nulls } = validity(ids.length, (i) => ids[i] !== null);
  const valueOffsets = new Int32Array(ids.length + 1);
  ids.forEach((id, i) => {
    valueOffsets[i + 1] = valueOffsets[i]! + (id === null ? 0 : Buffer.byteLength(id));
  });
  const data = Buffer.from(ids.join(''));
  const nullBitmap = nulls === 0 ? null : bitmap;
  return makeData({ type: new Utf8(), length: ids.length, nullCount: nulls, nullBitmap, valueOffsets, data });
}

function tokenData(field: Field, starts: Int32Array, values: Float64Array): Data {
  const first = starts[0]!;
  const length = starts.length - 1;
  const own = values.subarray(first, starts[length]!);
  return makeData({
    type: field.type as List<Float64>,
    length,
    nullCount: 0,
    valueOffsets: starts.map((start) => start - first),
    child: makeData({ type: new Float64(), length: own.length, data: own, nullCount: 0 }),
  });
}

/** Rows `from` … `to − 1` as a record batch. */
export function ledgerBatch(schema: Schema, ledger: Ledger, from: number, to: number): RecordBatch {
  const int32 = (values: Int32Array): Data =>
    makeData({ type: new Int32(), length: to - from, data: values.subarray(from, to), nullCount: 0 });
  const uint8 = (values: Uint8Array): Data =>
    makeData({ type: new Uint8(), length: to - from, data: values.subarray(from, to), nullCount: 0 });
  const starts = ledger.tokenStart.subarray(from, to + 1);
  const children: Data[] = [
    ...entries(INSTANTS).map(([, key]) => instantData(ledger[key].subarray(from, to))),
    ...entries(COUNTS).map(([, key]) => int32(ledger[key])),
    makeData({
      type: new Uint16(),
      length: to - from,
      data: ledger.status.subarray(from, to),
      nullCount: 0,
    }),
    uint8(ledger.outcome),
    uint8(ledger.streamed),
    ...entries(IDS).map(([, key]) => idData(ledger[key].slice(from, to))),
    ...entries(TOKENS).map(([name, key]) =>
      tokenData(schema.fields.find((field) => field.name === name)!, starts, ledger[key]),
    ),
    ...(ledger.queuedNs === undefined ? [] : [instantData(ledger.queuedNs.subarray(from, to))]),
  ];
  const data = makeData({ type: new Struct(schema.fields), length: to - from, nullCount: 0, children });
  return new RecordBatch(schema, data);
}

type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** A column's values in one array; nulls of a float column become NaN. */
function readNumbers<T extends Numbers>(table: Table, name: string, into: T): T {
  let at = 0;
  for (const chunk of table.getChild(name)!.data) {
    into.set((chunk.values as T).subarray(0, chunk.length), at);
    for (let i = 0; chunk.nullCount > 0 && i < chunk.length; i++)
      if (!chunk.getValid(i)) into[at + i] = Number.NaN;
    at += chunk.length;
  }
  return into;
}

function readTokens(table: Table, name: string): { start: Int32Array; values: Float64Array } {
  const chunks = table.getChild(name)!.data;
  const start = new Int32Array(table.numRows + 1);
  const lengths = chunks.map((chunk) => (chunk.valueOffsets as Int32Array)[chunk.length]!);
  const values = new Float64Array(lengths.reduce((sum, length) => sum + length, 0));
  let row = 0;
  let at = 0;
  chunks.forEach((chunk, index) => {
    const offsets = chunk.valueOffsets as Int32Array;
    values.set((chunk.children[0]!.values as Float64Array).subarray(0, lengths[index]), at);
    for (let i = 0; i < chunk.length; i++) start[++row] = at + offsets[i + 1]!;
    at += lengths[index]!;
  });
  return { start, values };
}

/** The ledger in an Arrow table. Throws a UserError that names a column which is not there. */
export function fromTable(table: Table, meta: LedgerMeta, path: string): Ledger {
  for (const name of ledgerSchema(meta).fields.map((field) => field.name))
    if (table.getChild(name) === null)
      throw new UserError(`${path} is not a ledger that this version reads: it has no column ${name}`);
  const rows = table.numRows;
  const floats = (name: string): Float64Array => readNumbers(table, name, new Float64Array(rows));
  const ints = (name: string): Int32Array => readNumbers(table, name, new Int32Array(rows));
  const texts = (name: string): (string | null)[] => [...table.getChild(name)!] as (string | null)[];
  const tokens = readTokens(table, 'token_ns');
  return {
    rows,
    meta,
    arrivalNs: floats('arrival_ns'),
    ...(meta.slots === undefined ? {} : { queuedNs: floats(QUEUED) }),
    headersNs: floats('headers_ns'),
    firstDueNs: floats('first_due_ns'),
    firstNs: floats('first_ns'),
    lastDueNs: floats('last_due_ns'),
    lastNs: floats('last_ns'),
    endNs: floats('end_ns'),
    promptTokens: ints('prompt_tokens'),
    askedTokens: ints('asked_tokens'),
    deliveredTokens: ints('delivered_tokens'),
    connection: ints('connection'),
    status: readNumbers(table, 'status', new Uint16Array(rows)),
    outcome: readNumbers(table, 'outcome', new Uint8Array(rows)),
    streamed: readNumbers(table, 'streamed', new Uint8Array(rows)),
    requestId: texts('request_id'),
    responseId: texts('response_id'),
    tokenStart: tokens.start,
    tokenNs: tokens.values,
    tokenDueNs: readTokens(table, 'token_due_ns').values,
  };
}
