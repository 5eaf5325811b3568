import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { summaryTable } from '../../reports/table.ts';
import { sampleDocument } from './sample.ts';

const document = sampleDocument();

describe('the summary for the terminal', () => {
  it('fits a hundred columns, coloured or plain, whatever names and figures are', () => {
    const extreme = sampleDocument({
      rates: [100, 25_600],
      hostile: ' a name that goes on and on, much longer than a column',
    });
    const large = extreme.findings.map((f) => ({
      ...f,
      bias_ms: -58_123.4,
      low_ms: -61_000.1,
      high_ms: -55_000.9,
      reported_ms: 123_456.7,
      realized_ms: 181_580.1,
    }));
    for (const one of [document, { ...extreme, findings: large }])
      for (const options of [{}, { plain: true }, { color: true }])
        for (const line of stripVTControlCharacters(summaryTable(one, options)).split('\n'))
          expect(line.length, line).toBeLessThanOrEqual(100);
  });

  it('names clients that are not installed in one sentence, where they are many', () => {
    const gone = { state: 'missing', reason: 'not on PATH', remedy: 'tare setup it' } as const;
    const others = ['a', 'b'].map((name) => ({ ...document.clients[0]!, name, found: gone }));
    const text = summaryTable({ ...document, clients: [...document.clients, ...others] });
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Not installed, so not measured: vllm-bench, a and b. tare doctor says',
    );
    expect(text).not.toContain('not on PATH');
    expect(summaryTable(document)).toContain('vllm-bench: not measured');
  });

  it('has a row a client and rate, and a sentence a client', () => {
    const text = summaryTable(document);
    const row = text.split('\n').find((line) => /^k6\s/.test(line))!;
    expect(row).toMatch(/50\s+50\.0\s.*0\.\d+ \/ 50\.0.*within$/);
    for (const { name } of document.clients) expect(text).toContain(`\n${name}: `);
    expect(text).toContain('saturated');
    expect(text).toContain('failed');
  });

  it('shows an absent figure as a dash', () => {
    const failed = summaryTable(sampleDocument({ clients: ['genai-perf'], rates: [1600] }));
    expect(failed).toMatch(/–\s+–\s+–/);
    expect(failed).not.toMatch(/NaN|null|undefined/);
  });

  it('is pure ASCII when plain, and never coloured then', () => {
    expect(summaryTable(document, { plain: true, color: true })).toMatch(/^[\n\x20-\x7e]*$/);
  });

  it('passes no escape sequence of a client on to the terminal', () => {
    const text = summaryTable(sampleDocument({ hostile: '\u001b]0;owned\u0007\u001b[2J\r\u202e' }), {
      color: true,
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: only our own colours may be there.
    expect(text.replace(/\u001b\[\d+m/g, '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text).not.toContain('owned');
  });

  it('says so when no trial has run', () => {
    const empty = { ...document, trials: [], findings: [], rates: [] };
    expect(summaryTable(empty)).toMatch(/^No trial has run\./);
  });
});
