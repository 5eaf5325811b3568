import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTraceFile } from '../../src/load/trace-file.ts';
import type { TraceWish } from '../../src/measure/load/trace-rows.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-trace-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const ALL: TraceWish = { slice: null, model: null, failed: 'skip' };

function read(text: string, wish: Partial<TraceWish> = {}) {
  const file = join(dir, 'trace.csv');
  writeFileSync(file, text);
  return readTraceFile(file, { ...ALL, ...wish });
}

/** Rows as the Azure trace of 2023 has them. */
const AZURE_2023 = `TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:15:46.6805900,374,44
2023-11-16 18:15:50.9951690,396,109
2023-11-16 18:15:51.2224670,879,55
2023-11-16 18:16:00.7401400,181,154
`;
/** As that of 2024: microseconds and a time zone; a whole second has no fraction. */
const AZURE_2024 = `TIMESTAMP,ContextTokens,GeneratedTokens
2024-05-10 00:00:00.009930+00:00,2162,5
2024-05-10 00:00:01+00:00,2399,6
2024-05-10 02:00:01.500000+02:00,76,15
`;
const BURST = `Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
5,ChatGPT,472,18,490,Conversation log
45,ChatGPT,1087,230,1317,Conversation log
118,GPT-4,417,276,693,Conversation log
1106,ChatGPT,0,0,0,Conversation log
1129,ChatGPT,1305,477,1782,API log
`;
/** The newer files: session, elapsed time, and seconds with a point; rows of the API have no session. */
const BURST_NEW = `Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
19440110.0,1722ac82-0a46-4bf0-aa08-89794e7a2b3f,43,GPT-4,906,446,1352,Conversation log
19440161.0,,2,ChatGPT,36,29,65,API log
19440161.0,,2,ChatGPT,40,0,40,API log
`;

const fixed = (values: ArrayLike<number>): number[] => Array.from(values, (v) => Number(v.toFixed(7)));

describe('an Azure LLM trace', () => {
  it('of 2023: offsets to the 100 ns that it states, and both lengths', async () => {
    const trace = await read(AZURE_2023);
    expect(trace.format).toBe('azure-llm');
    // 18:15:50.9951690 − 18:15:46.6805900, and so on.
    expect(fixed(trace.offsetsS)).toEqual([0, 4.314579, 4.541877, 14.05955]);
    expect([...trace.read!.promptTokens]).toEqual([374, 396, 879, 181]);
    expect([...trace.read!.outputTokens]).toEqual([44, 109, 55, 154]);
    expect(trace.read!.kinds).toBeNull();
    expect(trace.read!.wholeSeconds).toBe(false);
  });

  it('of 2024: with time zones', async () => {
    const trace = await read(AZURE_2024);
    expect(fixed(trace.offsetsS)).toEqual([0, 0.99007, 1.49007]);
  });

  it('of several kinds of input: says what no request can follow', async () => {
    const trace = await read(
      'TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n2024-10-15 00:00:00,2,500,10\n',
    );
    expect(trace.ignored).toEqual(['NumImages']);
    expect([...trace.read!.promptTokens]).toEqual([500]);
  });

  it('across midnight and the end of a month', async () => {
    const rows = '2023-12-31 23:59:59.5,1,1\n2024-01-01 00:00:00.25,1,1\n2024-03-01T00:00:00Z,1,1\n';
    const trace = await read(`TIMESTAMP,ContextTokens,GeneratedTokens\n${rows}`);
    // 2024 is a leap year: 60 days to the first of March.
    expect(fixed(trace.offsetsS)).toEqual([0, 0.75, 60 * 86_400 + 0.5]);
  });
});

describe('a BurstGPT trace', () => {
  it('leaves rows without output out, and counts them', async () => {
    const trace = await read(BURST);
    expect(trace.format).toBe('burstgpt');
    expect(fixed(trace.offsetsS)).toEqual([0, 40, 113, 1124]);
    expect([...trace.read!.outputTokens]).toEqual([18, 230, 276, 477]);
    expect(trace.read!.counts).toEqual({
      rows: 5,
      beforeSlice: 0,
      otherModel: 0,
      failed: 1,
      promptRaised: 0,
    });
    expect(trace.read!.kinds).toEqual({
      names: ['ChatGPT, Conversation log', 'GPT-4, Conversation log', 'ChatGPT, API log'],
      of: Uint16Array.of(0, 0, 1, 2),
    });
    expect(trace.read!.wholeSeconds).toBe(true);
  });

  it('sends them with one token when it is told to', async () => {
    const trace = await read(BURST, { failed: 'send' });
    expect(fixed(trace.offsetsS)).toEqual([0, 40, 113, 1101, 1124]);
    expect([trace.read!.promptTokens[3], trace.read!.outputTokens[3]]).toEqual([1, 1]);
    expect(trace.read!.counts).toMatchObject({ failed: 1, promptRaised: 1 });
  });

  it('of the newer columns, with empty sessions', async () => {
    const trace = await read(BURST_NEW);
    expect(fixed(trace.offsetsS)).toEqual([0, 51]);
    expect([...trace.read!.promptTokens]).toEqual([906, 36]);
    expect(trace.read!.counts.failed).toBe(1);
  });

  it('takes one model, from its first request on', async () => {
    const trace = await read(BURST, { model: 'gpt-4' });
    expect(fixed(trace.offsetsS)).toEqual([0]);
    expect(trace.read!.counts).toMatchObject({ rows: 5, otherModel: 4, failed: 0 });
    await expect(read(BURST, { model: 'GPT-5' })).rejects.toThrow(/GPT-5; there are ChatGPT, GPT-4/);
    await expect(read(AZURE_2023, { model: 'GPT-4' })).rejects.toThrow(/no column Model/);
    await expect(read('0\n1\n', { model: 'GPT-4' })).rejects.toThrow(/without a column Model/);
  });
});

describe('a slice', () => {
  it('begins at its own time, and holds its beginning and not its end', async () => {
    const trace = await read(BURST, { slice: { fromS: 30, toS: 113 } });
    // From 5 + 30 s on: the request at 45 is due after 10 s; that at 118 lies at the end.
    expect(fixed(trace.offsetsS)).toEqual([10]);
    expect(trace.read!.counts).toMatchObject({ rows: 2, beforeSlice: 1 });
  });

  it('reads no further than it has to: what follows may be anything', async () => {
    const trace = await read(`${BURST}nonsense\n`, { slice: { fromS: 0, toS: 100 } });
    expect(fixed(trace.offsetsS)).toEqual([0, 40]);
  });

  it('of a list of offsets', async () => {
    const trace = await read('0\n1\n2.5\n9\n', { slice: { fromS: 1, toS: 9 } });
    expect([trace.format, ...fixed(trace.offsetsS)]).toEqual(['offsets', 0, 1.5]);
    await expect(read('0\n1\n', { slice: { fromS: 5, toS: 9 } })).rejects.toThrow(/no offset/);
  });

  it('that holds nothing is refused', async () => {
    await expect(read(AZURE_2023, { slice: { fromS: 5, toS: 6 } })).rejects.toThrow(/no row/);
  });
});

describe('a file of any spelling', () => {
  it('is read alike with a byte order mark, CRLF, quotes, empty lines, spaces and another case', async () => {
    const plain = await read(BURST);
    const odd = BURST.split('\n')
      .map((line) =>
        line
          .split(',')
          .map((cell) => `"${cell}"`)
          .join(', '),
      )
      .join('\r\n\r\n')
      .replace('"Timestamp"', '"TIMESTAMP"')
      .replaceAll('\r\n""\r\n', '\r\n\r\n');
    const trace = await read(`\uFEFF${odd.replace(/""$/, '')}\r\n \r\n`);
    expect(trace).toEqual(plain);
  });

  it.each([
    [`${AZURE_2023}2023-11-16 18:15:59,1,1\n`, /line 6 goes back in time .* sort the rows by TIMESTAMP/],
    [`${AZURE_2023}2023-02-30 18:15:59,1,1\n`, /line 6: TIMESTAMP "2023-02-30 18:15:59" is not a date/],
    [`${AZURE_2023}2023-11-16 25:15:59,1,1\n`, /line 6: TIMESTAMP/],
    [`${AZURE_2023}2023-13-16 18:15:59,1,1\n`, /line 6: TIMESTAMP/],
    [`${AZURE_2023}2023-11-16 18:15:60,1,1\n`, /line 6: TIMESTAMP/],
    [`${AZURE_2023}1700158546,1,1\n`, /line 6: TIMESTAMP "1700158546" is not a date/],
    [`${AZURE_2023}\n2023-11-16 18:16:59,-1,1\n`, /line 7: ContextTokens "-1" is not a whole number/],
    [`${AZURE_2023}2023-11-16 18:16:59,1,1.5\n`, /line 6: GeneratedTokens "1.5"/],
    [`${AZURE_2023}2023-11-16 18:16:59,1\n`, /line 6 has no GeneratedTokens/],
    [`${AZURE_2023}2023-11-16 18:16:59,1,\n`, /line 6 has no GeneratedTokens/],
    [`${AZURE_2023}2023-11-16 18:16:59,1,"1\n`, /line \d+: Quote Not Closed/],
    [`${BURST}NaN,ChatGPT,1,1,2,API log\n`, /line 7: Timestamp "NaN" is not a number of seconds/],
    [`${BURST}2000,,1,1,2,API log\n`, /line 7 has no Model/],
    ['TIMESTAMP,ContextTokens,GeneratedTokens\n', /no requests/],
    [`${BURST.split('\n')[0]}\n5,ChatGPT,1,0,1,API log\n`, /no row is left: .* 1 have no output/],
  ])('is refused, by its line: %#', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('gives offsets in order and lengths from 1 on, or says why not, whatever is in its rows', async () => {
    const cell = fc.oneof(
      fc.constantFrom(
        '5',
        '0',
        '-1',
        '',
        '"',
        '1e9',
        '2023-11-16 18:15:46',
        'GPT-4',
        'NaN',
        '99999999999',
        ' 7 ',
      ),
      fc.string({ maxLength: 6 }),
    );
    const row = fc.array(cell, { minLength: 0, maxLength: 8 }).map((cells) => cells.join(','));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(AZURE_2023, BURST, BURST_NEW),
        fc.array(row, { maxLength: 4 }),
        async (head, rows) => {
          const text = head + rows.join('\n');
          let trace: Awaited<ReturnType<typeof read>>;
          try {
            trace = await read(text);
          } catch (error) {
            expect((error as Error).message).toMatch(/^line \d+/);
            return;
          }
          const { offsetsS } = trace;
          for (let i = 0; i < offsetsS.length; i++) {
            expect(offsetsS[i]!).toBeGreaterThanOrEqual(i === 0 ? 0 : offsetsS[i - 1]!);
            expect(trace.read!.promptTokens[i]!).toBeGreaterThan(0);
            expect(trace.read!.outputTokens[i]!).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a list of offsets', () => {
  it('of times of a clock is counted from the first one, and says so; the slice too', async () => {
    const text = '1700000000.5\n1700000001.5\n1700000004.5\n';
    const trace = await read(text);
    expect([[...(trace.offsetsS as number[])], trace.shiftedS]).toEqual([[0, 1, 4], 1_700_000_000.5]);
    const part = await read(text, { slice: { fromS: 1, toS: 5 } });
    expect([...(part.offsetsS as number[])]).toEqual([0, 3]);
  });

  it('that begins within a day is left as it is; milliseconds are refused', async () => {
    const trace = await read('5\n7\n');
    expect([[...(trace.offsetsS as number[])], trace.shiftedS]).toEqual([[5, 7], 0]);
    await expect(read('1700000000500\n1700000001500\n')).rejects.toThrow(/milliseconds/);
  });
});
