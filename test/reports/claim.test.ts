import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sweepCharts } from '../../reports/claim/chart.ts';
import { claimMarkdown, markdownCode, markdownText } from '../../reports/claim/markdown.ts';
import { claimPage } from '../../reports/claim/page.ts';
import { claimShortText } from '../../reports/claim/short-text.ts';
import { claimText } from '../../reports/claim/text.ts';
import { claimJsonSchema } from '../../reports/json-schema.ts';
import { type ClaimDocument, claimDocumentSchema } from '../../src/claims/document-schema.ts';
import { clientKnowledge } from '../../src/claims/evidence/known-client.ts';
import { asset } from '../../src/system/package-root.ts';
import { bareSample, claimSample, HOSTILE, hostileSample } from './claim-sample.ts';

/** Markdown without its spans of code, by CommonMark's rule: a run of backticks ends at the next run as long. */
function withoutCode(text: string): string {
  let rest = '';
  for (let i = 0; i < text.length; ) {
    const run = /^`+/.exec(text.slice(i))?.[0] ?? '';
    if (text[i] === '\\') {
      rest += text.slice(i, i + 2);
      i += 2;
    } else if (run === '') {
      rest += text[i];
      i += 1;
    } else {
      const end = text.slice(i + run.length).search(new RegExp(`(?<!\`)${run}(?!\`)`));
      if (end < 0) throw new Error(`code without end at ${text.slice(i, i + 40)}`);
      i += run.length + end + run.length;
    }
  }
  return rest;
}

const sample = claimSample();
const all = { sample, hostile: hostileSample(), bare: bareSample() };

describe('claim.json', () => {
  it.each(Object.entries(all))(
    '%s is of its schema, as zod and as JSON Schema have it, and survives JSON',
    (_, document) => {
      const again = JSON.parse(JSON.stringify(document));
      expect(again).toEqual(document);
      expect(claimDocumentSchema.parse(again)).toEqual(document);
      const validate = new Ajv2020({ strict: false }).compile(JSON.parse(claimJsonSchema()));
      expect(validate(again), JSON.stringify(validate.errors)).toBe(true);
    },
  );

  it('has its schema published as it is', () => {
    expect(JSON.parse(readFileSync(asset('schema/claim.schema.json'), 'utf8'))).toEqual(
      JSON.parse(claimJsonSchema()),
    );
  });
});

describe('the text of a claim', () => {
  it('begins with the verdict, then has figures, checks with their working, checklist, client, bias and questions', () => {
    const text = claimText(sample, { width: 100 });
    expect(text.split('\n')[0]).toMatch(
      /^contradicted: Engine A under sixteen users \(Example Corp\): not all of it can be true/,
    );
    const parts = [
      'Figures',
      'Arithmetic',
      'Checklist',
      'Client: ',
      'Bias to expect',
      'Questions to send',
      'Supported means:',
    ];
    const places = parts.map((part) => text.indexOf(`\n${part}`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(text).toContain(
      'contradicted: sweep-4.e2e_p99 11.5 s\n    - A made-up contradiction: it is too long.',
    );
    expect(text).toContain('      11.5 × 2 = 23\n      23 > 11.5\n');
    expect(text).toContain('What would explain it: a slip.\n    Or: another unit.');
    expect(text).toMatch(/contradicted: Streaming: no streaming is stated/);
    expect(text).toMatch(
      /c16\.ttft_mean: Between 5 and 10\/s it adds 1 to 3 ms\. The audit was made on another machine\./,
    );
  });

  it('keeps to its width, in ASCII without colours where it is plain, else with them', () => {
    const plain = claimText(sample, { plain: true, color: true, width: 80 });
    expect(plain).toMatch(/^[\n\x20-\x7e]*$/);
    const long = plain.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '));
    expect(long.filter((line) => !/^\s*\S+$/.test(line))).toEqual([]);
    expect(claimText(sample, { color: true })).toContain('\u001b[31mcontradicted\u001b[0m');
    expect(claimText(sample)).not.toContain('\u001b');
  });

  it('lets no control character of the claim through', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(claimText(all.hostile)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('the Markdown of a claim', () => {
  it('is the same each time, and has the table of verdicts and the questions', () => {
    const text = claimMarkdown(sample);
    expect(claimMarkdown(sample)).toBe(text);
    expect(text).toMatch(/^# Engine A under sixteen users\n\nClaimed by Example Corp\. \*\*Contradicted\*\*/);
    expect(text).toContain('- A page: <https://example.com/a> (read 2026-11-30)');
    expect(text).toContain(
      '| **contradicted** | `sweep-4.e2e_p99 11.5 s` | A made-up contradiction: it is too long. |',
    );
    expect(text).toContain('\n1. Is it so?\n');
    expect(text).toContain('| state | point | answer |');
    expect(text).not.toMatch(/\n\|( \|)+\n/);
  });

  it('has no markup of the claim: no tag, link, mention, code or cell', () => {
    const text = claimMarkdown(all.hostile);
    const outside = withoutCode(text);
    expect(outside).not.toMatch(/(?<!\\)<(?!!-- -->)/);
    expect(outside).not.toMatch(/@all|#1\b|(?<!\\)\[a/);
    for (const line of text.split('\n').filter((one) => one.startsWith('| **')))
      expect(line.replace(/\\\|/g, '').match(/\|/g)).toHaveLength(4);
  });

  it.each([
    ['a_b *c* <d> [e] `f` g|h', 'a\\_b \\*c\\* \\<d\\> \\[e\\] \\`f\\` g\\|h'],
    ['- not a list', '\\- not a list'],
    ['1. not a list', '1\\. not a list'],
    ['ask @you about #12', 'ask @<!-- -->you about #<!-- -->12'],
    ['a@b.c', 'a@b.c'],
    ['AT&T &amp;', 'AT&amp;T &amp;amp;'],
    ['see http://x.y, www.z', 'see http:\\/\\/x.y, www\\.z'],
  ])('writes %s as text', (from, to) => expect(markdownText(from)).toBe(to));

  it('puts as many backticks around code as it needs', () => {
    expect(markdownCode('a')).toBe('`a`');
    expect(markdownCode('a ``b`` `c`')).toBe('``` a ``b`` `c` ```');
  });
});

describe('a client that runs a script', () => {
  const scripted = { ...sample, known_client: clientKnowledge('k6', '2.2.0') } as ClaimDocument;
  const label = 'What is known here is of the script that Tare ships';

  it('is labelled so wherever it is told, and no other client is', async () => {
    const texts = async (document: ClaimDocument): Promise<string[]> => [
      claimShortText(document, { width: 120 }),
      claimText(document, { width: 120 }),
      claimMarkdown(document),
      await claimPage(document),
    ];
    for (const text of await texts(scripted)) expect(text.replace(/\s+/g, ' ')).toContain(label);
    for (const text of await texts(sample)) expect(text.replace(/\s+/g, ' ')).not.toContain(label);
  });
});

describe('the page of a claim', () => {
  it('is the same each time, refers to nothing, and links to the web only', async () => {
    const page = await claimPage(sample);
    expect(await claimPage(sample)).toBe(page);
    expect(page.match(/<a [^>]*href="https?:[^>]*>/g)).toEqual([
      '<a href="https://example.com/a" rel="noopener noreferrer">',
    ]);
    expect(page.length).toBeLessThan(1_000_000);
    const hostile = await claimPage(all.hostile);
    expect(hostile).not.toMatch(/href="javascript/i);
    expect(hostile).not.toContain(HOSTILE.slice(0, 20));
  });

  it('draws a sweep, a chart a figure, and none where there is none', () => {
    expect(sweepCharts(sample).map(({ title }) => title)).toEqual([
      'output_throughput against concurrency (tok/s)',
      'e2e_p99 against concurrency (ms)',
    ]);
    expect(sweepCharts(sample)[0]!.alternative).toBe(
      'a, sweep: 172.8 tok/s at 5, 864 tok/s at 25, 1724.1 tok/s at 50, 1730 tok/s at 100.',
    );
    expect(sweepCharts(all.bare)).toEqual([]);
  });
});
