import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { compareCsv } from '../../reports/compare/csv.ts';
import { changeText, figureLabel, intervalText } from '../../reports/compare/format.ts';
import { compareMarkdown, inert } from '../../reports/compare/markdown.ts';
import { compareTable } from '../../reports/compare/table.ts';
import { told } from '../../reports/compare/words.ts';
import { compareFiles } from '../../reports/compare/write.ts';
import { compareJsonSchema } from '../../reports/json-schema.ts';
import type { CompareDocument, FigureComparison } from '../../src/audit/compare-audits/document.ts';
import { parseCompareDocument } from '../../src/audit/compare-audits/document-schema.ts';
import { again, compare, figuresOf, mapTrials, shifted } from '../audit/compare-audits/pair.ts';
import { sampleDocument } from './sample.ts';

const base = sampleDocument({ clients: ['tare-multi', 'asyncio'], rates: [100, 400] });
const worse = again(
  shifted(base, { client: 'asyncio', rate: 400, metric: 'ttft', statistic: 'p99', by: 40 }),
);
const document = told(compare(base, worse));
const same = told(compare(base, again(base)));
const itself = told(compare(base, base));

const figure = (change: Partial<FigureComparison>): FigureComparison => ({
  figure: 'ttft_p99',
  unit: 'ms',
  a: { mean: 1, trials: 3, spread: 0.1 },
  b: { mean: 4.1, trials: 3, spread: 0.1 },
  difference: 3.1,
  low: 2,
  high: 4.2,
  floor: 0.2,
  family: 'primary',
  state: 'worse',
  reason: '',
  smallest_change: null,
  caveat: '',
  ...change,
});

describe('figures in words', () => {
  it('have their unit, a sign and their interval', () => {
    expect(changeText(figure({}))).toBe('+3.10 ms (2.00 to 4.20)');
    expect(
      changeText(figure({ difference: -0.031, low: -0.04, high: -0.02, unit: 'share', figure: 'rate' })),
    ).toBe('−3.10 points (−4.00 to −2.00)');
    expect(changeText(figure({ low: null, high: null }))).toBe('+3.10 ms');
    expect(intervalText(figure({ low: -0.0001, high: 0.02 }))).toBe('0.000 to 0.020');
  });

  it('are named', () => {
    expect(['rate', 'ttft_p99', 'tpot_mean_total', 'gap_cv2'].map(figureLabel)).toEqual([
      'share of the rate',
      'TTFT p99',
      'TPOT mean, total bias',
      'CV² of gaps',
    ]);
  });
});

describe('the sentences', () => {
  it('say first what changed, where, by how much, and what is left open', () => {
    expect(document.sentences.clients[1]).toMatch(
      /^asyncio: worse at 400\/s: TTFT p99 \+40\.0 ms \([\d.]+ to [\d.]+\); (no other change is shown; \d+ of 8 figures (is|are) undetermined \(the interval crosses the floor; of latencies, changes show from ±[\d.]+ ms( to ±[\d.]+ ms)? on\)|nothing else changed beyond its floor)\.$/,
    );
    expect(document.sentences.headline).toMatch(
      /^Of 2 clients, worse: asyncio; (without a change that is shown|unchanged): tare-multi\.$/,
    );
  });

  it('of one client are the headline', () => {
    const one = told(compare(base, worse, { clients: ['asyncio'] }));
    expect(one.sentences.headline).toBe(one.sentences.clients[0]);
  });

  it('do not call nothing found nothing changed', () => {
    expect(same.sentences.clients.join(' ')).not.toMatch(/nothing else/);
    for (const [i, client] of same.clients.entries()) {
      const open = figuresOf({ ...same, clients: [client] }).some(
        ({ state, family }) => family === 'primary' && state === 'undetermined',
      );
      expect(same.sentences.clients[i]).toContain(
        open ? 'no change is shown' : 'nothing changed beyond its floor',
      );
    }
  });

  it('say when nothing is common, or nothing can be told, and why', () => {
    const other = sampleDocument({ clients: ['k6'], rates: [100] });
    expect(told(compare(base, again(other))).sentences.headline).toBe(
      'Nothing was compared: A and B have no client in common. Gone from B: tare-multi and asyncio.',
    );
    const once = sampleDocument({ clients: ['asyncio'], rates: [100], repetitions: 1 });
    const text = told(compare(once, again(once))).sentences;
    expect(text.headline).toBe(
      'asyncio: nothing can be told: 4 of 4 figures are undetermined (no interval: one repetition in A and B).',
    );
    expect(text.family).toContain('No figure has an interval');
    const latency = again(mapTrials(once, (t) => ({ ...t, workload: { ...t.workload, latency: 'zero' } })));
    expect(told(compare(once, latency)).sentences.headline).toBe(
      'asyncio: no figure that decides can be compared (other injected latencies: ttft=50ms,itl=10ms in A, zero in B).',
    );
  });

  it('tell a change of verdict, and that it is none of the figures', () => {
    const verdictOf = (audit: unknown) =>
      audit === base
        ? { verdict: 'within', holds_rps: 400, fails_rps: null, sentence: '' }
        : { verdict: 'bounded', holds_rps: 100, fails_rps: 400, sentence: '' };
    const { sentences } = told(compare(base, worse, { verdictOf }));
    expect(sentences.verdicts[1]).toBe(
      'asyncio: within tolerance up to 400/s in A, up to 100/s in B, each by the rule of its own audit; the figures above say whether that is a change.',
    );
    expect(document.sentences.verdicts).toEqual([null, null]);
  });

  it('warn of a machine that was not quiet, of an interruption and of another day', () => {
    const noisy = {
      ...worse,
      state: 'interrupted' as const,
      warnings: [
        { code: 'steal', evidence: '', remedy: '' },
        { code: 'no-floor', evidence: '', remedy: '' },
      ],
    };
    const { caveats } = told(compare(base, noisy)).sentences;
    expect(caveats).toContain('B was interrupted: only what it finished is compared.');
    expect(caveats).toContain('The machine was not quiet in B (steal): part of a difference may be that.');
    expect(caveats.some((text) => text.includes('run a third audit'))).toBe(true);
    expect(itself.sentences.caveats.some((text) => text.includes('run a third audit'))).toBe(false);
  });
});

describe('compare.json', () => {
  const published = new URL('../../schema/compare.schema.json', import.meta.url);

  it('has the shape that is published (scripts/write-schema.mjs writes it)', async () => {
    expect(JSON.parse(await readFile(published, 'utf8'))).toEqual(JSON.parse(compareJsonSchema()));
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(compareJsonSchema()));
    const plain = JSON.parse(JSON.stringify(document)) as CompareDocument;
    expect(validate(plain)).toBe(true);
    expect(validate({ ...plain, schema: 'tare-compare/2' })).toBe(false);
    expect(parseCompareDocument(plain)).toEqual(plain);
    expect(() => parseCompareDocument({ ...plain, clients: [{ a: 1 }] })).toThrow();
  });

  it('has no number that is none', () => {
    expect(JSON.stringify(document)).not.toMatch(/NaN|Infinity/);
  });
});

describe('the tables', () => {
  it('for the terminal have what changed and fit', () => {
    const text = compareTable(document, { plain: true });
    expect(text).toMatch(/^Of 2 clients, worse: asyncio/);
    expect(text).toMatch(/400 {2}TTFT p99, ms .*\+40\.0 .* worse/);
    expect(text).toMatch(/other figures not shown: --all shows them/);
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    expect(compareTable(document, { all: true }).split('\n').length).toBeGreaterThan(
      text.split('\n').length + 30,
    );
  });

  it('as CSV have a row a figure, numbers as numbers', () => {
    const rows = parse(compareCsv(document), { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(64);
    const row = rows.find(
      ({ client_a, rate_rps, figure: name }) => `${client_a} ${rate_rps} ${name}` === 'asyncio 400 ttft_p99',
    )!;
    expect(row).toMatchObject({ unit: 'ms', state: 'worse', trials_a: '3', floor: '0.6' });
    expect(Number(row.difference)).toBeCloseTo(40, 9);
  });

  it('as Markdown leave text from outside inert', () => {
    expect(inert('<img src=x> [a](http://b) | `c` *d*')).toBe(
      '&lt;img src=x\\> \\[a\\](http:\u200b//b) \\| \\`c\\` \\*d\\*',
    );
    const hostile = sampleDocument({
      clients: ['asyncio'],
      rates: [100],
      hostile: '|<script>alert(1)</script>',
    });
    const text = compareMarkdown(told(compare(hostile, again(hostile))));
    expect(text).not.toContain('<script');
    // Every row of a table has as many cells as its head.
    const cells = (line: string) => line.replace(/\\\|/g, '').split('|').length;
    const lines = text.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(lines.filter((line) => line.includes(' ms |')).map(cells)).size).toBe(1);
  });
});

describe('the files', () => {
  it('are the same twice, and their charts are right Vega-Lite with the provenance of both sides', async () => {
    const files = await compareFiles(document, base, worse);
    const few = told(compare(base, worse, { names: ['ttft_p99'] }));
    const [once, twice] = [await compareFiles(few, base, worse), await compareFiles(few, base, worse)];
    expect(twice.map(({ path, content }) => [path, String(content)])).toEqual(
      once.map(({ path, content }) => [path, String(content)]),
    );
    expect(files.map(({ path }) => path)).toContain('charts/compare-ttft-p99.svg');
    const require = createRequire(import.meta.url);
    const schema = JSON.parse(readFileSync(require.resolve('vega-lite/vega-lite-schema.json'), 'utf8'));
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    const specs = files.filter(({ path }) => path.endsWith('.vl.json'));
    expect(specs.length).toBeGreaterThanOrEqual(4);
    for (const { content } of specs) {
      const spec = JSON.parse(String(content));
      expect(validate(spec), JSON.stringify(validate.errors?.slice(0, 2))).toBe(true);
      const { clients, harness } = spec.usermeta.tare.provenance;
      expect(clients.map(({ name }: { name: string }) => name)).toEqual([
        'A: tare-multi',
        'A: asyncio',
        'B: tare-multi',
        'B: asyncio',
      ]);
      expect(harness).toMatch(/^A: .*2025-11-29.* B: .*2025-11-30/);
    }
  }, 60_000);

  it('draw nothing for what is not there', async () => {
    const nothing = told(compare(base, again(base), { names: ['tpot_p50'] }));
    const files = await compareFiles(nothing, base, again(base));
    expect(files.map(({ path }) => path)).toEqual([
      'compare.json',
      'compare.csv',
      'compare.md',
      'compare.html',
    ]);
  });
});
