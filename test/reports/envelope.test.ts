import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { envelopeChart, ticks } from '../../reports/envelope/chart.ts';
import { envelopeCsv, envelopeTrialsCsv } from '../../reports/envelope/csv.ts';
import { envelopePage } from '../../reports/envelope/page.ts';
import { envelopeTable } from '../../reports/envelope/table.ts';
import {
  bracketShort,
  clientSentence,
  confidenceWords,
  notesOf,
  ranked,
} from '../../reports/envelope/words.ts';
import { envelopeJsonSchema } from '../../reports/json-schema.ts';
import type { EnvelopeClient, EnvelopeDocument } from '../../src/audit/envelope/document.ts';
import type { Bracket, Side } from '../../src/measure/envelope/bracket.ts';
import { envelopeSample } from './envelope-sample.ts';

let document: EnvelopeDocument;
beforeAll(async () => {
  document = await envelopeSample();
});
const rows = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

describe('schema/envelope.schema.json', () => {
  const published = new URL('../../schema/envelope.schema.json', import.meta.url);

  it('is the schema that reading checks (scripts/write-schema.mjs writes it)', async () => {
    expect(JSON.parse(await readFile(published, 'utf8'))).toEqual(JSON.parse(envelopeJsonSchema()));
  });

  it('accepts a result and refuses a damaged one', async () => {
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(published, 'utf8')));
    const plain = JSON.parse(JSON.stringify(document));
    expect(validate(plain), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...plain, schema: 'tare-envelope/2' })).toBe(false);
    expect(validate({ ...plain, trials: [{ ...plain.trials[0], verdict: 'fine' }] })).toBe(false);
    const { holds: _, ...less } = plain.clients[0].bracket;
    expect(validate({ ...plain, clients: [{ ...plain.clients[0], bracket: less }] })).toBe(false);
  });
});

const side = (rate_rps: number, held: number, failed: number): Side => ({
  rate_rps,
  trials: held + failed,
  holds: held,
  fails: failed,
  target: 0,
  undetermined: 0,
  confidence: 0.988,
});
const bracket = (change: Partial<Bracket>): Bracket => ({
  state: 'bracket',
  limit: 'narrow',
  holds: side(950, 2, 0),
  fails: side(1060, 0, 2),
  target_rps: null,
  confidence: 0.93,
  not_monotone: null,
  unclear_rps: [],
  ...change,
});
const client = (change: Partial<EnvelopeClient>): EnvelopeClient => ({
  ...document.clients[0]!,
  name: 'x',
  why: null,
  failed_first: null,
  reason: '',
  not_given: [],
  bracket: bracket({}),
  ...change,
});

describe('a result in words', () => {
  it('is a bracket with what was tried, and what gave way', () => {
    const words = 'TTFT p99 +18.2 ms [16.9, 19.6] for ±5 allowed';
    expect(clientSentence(client({ failed_first: { name: 'ttft_p99', words, trials: 2, of: 2 } }))).toBe(
      `x: holds at 950/s, fails at 1,060/s (2 of 2 trials held at 950; 2 of 2 trials failed at 1,060, confidence 93 %). ${words}.`,
    );
  });

  it.each([
    [
      { state: 'atLeast', limit: 'top', fails: null },
      'holds at 950/s at least, the highest rate of the search',
      '≥ 950',
    ],
    [
      { state: 'atLeast', limit: 'target', fails: null, target_rps: 2000 },
      "at 2,000/s the target's own limit is reached",
      '≥ 950',
    ],
    [{ state: 'atLeast', limit: 'budget', fails: null }, 'ended before it found a rate that fails', '≥ 950'],
    [{ state: 'atLeast', limit: 'unclear', fails: null }, 'what lies above could not be told', '≥ 950'],
    [{ state: 'none', holds: null }, 'fails at 1,060/s', '< 1,060'],
    [{ state: 'undetermined', holds: null, fails: null }, 'no rate could be told', '?'],
    [
      { state: 'undetermined', limit: 'target', holds: null, fails: null, target_rps: 25 },
      'at 25/s the target itself is at its limit',
      '?',
    ],
  ] as const)('%j', (change, words, short) => {
    const found = bracket(change as Partial<Bracket>);
    expect(clientSentence(client({ bracket: found }))).toContain(words);
    expect(bracketShort(found)).toBe(short);
  });

  it('names where the limit is likely, where that is not the bracket', () => {
    const likely = (low_rps: number | null, high_rps: number | null) =>
      clientSentence(
        client({ bracket: bracket({ confidence: 0.54, likely: { low_rps, high_rps, confidence: 0.9 } }) }),
      );
    expect(likely(800, 1600)).toContain('confidence 54 %; 90 % for 800 to 1,600)');
    expect(likely(800, null)).toContain('90 % for 800 or more)');
    expect(likely(null, 1600)).toContain('90 % for below 1,600)');
  });

  it('tells an exit code in a sentence of its own', () => {
    const failed_first = { name: 'run', words: 'exit code 3; its last words: "boom"', trials: 2, of: 2 };
    expect(clientSentence(client({ failed_first }))).toContain(
      '. It ended with exit code 3; its last words: "boom".',
    );
  });

  it('names what is odd', () => {
    const notes = notesOf(
      client({
        bracket: bracket({
          not_monotone: { fails_rps: 100, holds_rps: 200 },
          unclear_rps: [25, 50],
          limit: 'budget',
        }),
        not_given: ['itl_p50'],
        reason: 'it cannot do 3,000/s',
      }),
    );
    expect(notes).toEqual([
      'Not monotone: it fails at 100/s and holds at 200/s; the envelope ends at the lower one.',
      'Undetermined at 25 and 50/s.',
      'The bracket is wider than asked: the budget ended.',
      'Not judged, since it gives no such figure: ITL p50.',
      'Its search ended: it cannot do 3,000/s.',
    ]);
  });

  it('has no certainty', () => {
    expect(confidenceWords(0.9999)).toBe('> 99 %');
    expect(confidenceWords(0.934)).toBe('93 %');
  });

  it('says why a client fails, from its threads', () => {
    const drifter = document.clients.find(({ name }) => name === 'drifter')!;
    expect(drifter.why).toMatchObject({ cause: 'schedule' });
    expect(clientSentence(drifter)).toMatch(/Why: .*it does not send when it should/);
    const asyncio = document.clients.find(({ name }) => name === 'asyncio')!;
    // It keeps the rate: its schedule does not explain that it is late.
    expect(asyncio.failed_first!.name).not.toBe('rate');
    expect(asyncio.why!.sentence).not.toContain('when it should');
  });
});

describe('the table', () => {
  it('has a row a client, the highest envelope first, and the tolerance', () => {
    const text = envelopeTable(document);
    const order = ranked(document).map(({ name }) => name);
    const places = order.map((name) => text.indexOf(` ${name} `));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain(document.search.tolerance);
    expect(text).toMatch(/assumed|as seen here/);
  });
});

describe('the CSV files', () => {
  it('have a row a client and a row a trial, with units in the columns', () => {
    const clients = rows(envelopeCsv(document));
    const trials = rows(envelopeTrialsCsv(document));
    expect(clients.map((row) => row.client)).toEqual(document.clients.map(({ name }) => name));
    expect(trials).toHaveLength(document.trials.length);
    const index = document.clients.findIndex(({ name }) => name === 'asyncio');
    const asyncio = clients[index]!;
    const found = document.clients[index]!;
    expect(Number(asyncio.holds_rps)).toBe(found.bracket!.holds!.rate_rps);
    expect(Number(asyncio.fails_rps)).toBe(found.bracket!.fails!.rate_rps);
    expect(Number(asyncio.fails_ttft_p50_bias_ms)).toBeCloseTo(found.at_fails!.terms[0]!.bias_ms!, 3);
    expect(trials[0]).toMatchObject({ verdict: document.trials[0]!.verdict, purpose: 'ramp' });
    for (const row of [...clients, ...trials])
      for (const value of Object.values(row)) expect(value).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe('the chart', () => {
  it('has a mark a trial, whose shape says how it ended', () => {
    const { text } = envelopeChart(document)!;
    const of = (verdict: string) => document.trials.filter((trial) => trial.verdict === verdict).length;
    const marks = (kind: string) => text.split(`class="m-${kind}"`).length - 1;
    expect(of('holds') * of('fails') * of('undetermined')).toBeGreaterThan(0);
    for (const verdict of ['holds', 'fails', 'undetermined', 'target'])
      expect(marks(verdict)).toBe(of(verdict));
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('is none without a client', () => {
    expect(envelopeChart({ ...document, clients: [], trials: [] })).toBeNull();
  });

  it('has ticks at 1, 2 and 5', () => {
    expect(ticks(20, 6250)).toEqual([20, 50, 100, 200, 500, 1000, 2000, 5000]);
    expect(ticks(0.3, 3)).toEqual([0.5, 1, 2]);
  });
});

describe('the page', () => {
  it('is the same for the same document, and asks for nothing', () => {
    const page = envelopePage(document);
    expect(envelopePage(JSON.parse(JSON.stringify(document)))).toBe(page);
    expect(page).not.toMatch(/(src|href)="(?!data:|#)/);
    for (const { name } of document.clients) expect(page).toContain(name);
  });

  it('takes text from outside as text', () => {
    const evil = '<script>alert(1)</script>';
    const hostile = {
      ...document,
      clients: document.clients.map((one) => ({ ...one, name: evil, reason: evil, not_given: [evil] })),
      trials: document.trials.map((one) => ({ ...one, client: evil, reason: evil, disturbed: evil })),
      warnings: [{ code: 'x', evidence: evil, remedy: evil }],
      provenance: [{ label: evil, text: evil }],
    };
    expect(envelopePage(hostile)).not.toContain(evil);
    expect(envelopePage(hostile)).toContain('&lt;script&gt;');
  });
});
