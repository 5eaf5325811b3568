/** From what a client left to the report: formats, units, records, and every way to have failed. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientReport, Parsed } from '../../adapters/contract.ts';
import { adapterFromText } from '../../adapters/custom/adapter.ts';
import { toInstantNs, toMs, toRps, writtenMs } from '../../adapters/custom/units.ts';
import { MINIMAL } from './custom-minimal.ts';

const workload = {
  rateRps: 5,
  requests: 4,
  durationS: 1,
  arrivals: { kind: 'constant' as const },
  promptTokens: 3,
  outputTokens: 16,
  latency: 'zero',
  seed: 1,
};

interface Left {
  readonly files?: Readonly<Record<string, string>>;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Bytes that it wrote there, where not all was kept. */
  readonly stdoutBytes?: number;
  readonly exitCode?: number | null;
}

/** MINIMAL with another mapping from `result:` to the definitions, and other definitions. */
const client = (mapping: string, definitions: Readonly<Record<string, string>> = {}): string => {
  const text = MINIMAL.replace(/result:[\s\S]*# line 12\n/, () => `${mapping}\n`);
  return Object.entries(definitions).reduce(
    (all, [name, word]) => all.replace(new RegExp(`^  ${name}: .*`, 'm'), `  ${name}: ${word}`),
    text,
  );
};

async function parse(text: string, left: Left): Promise<Parsed> {
  const dir = await mkdtemp(join(tmpdir(), 'tare-custom-'));
  for (const [name, content] of Object.entries(left.files ?? {})) await writeFile(join(dir, name), content);
  const stdoutFile = join(dir, 'out.txt');
  const stderrFile = join(dir, 'err.txt');
  await writeFile(stdoutFile, left.stdout ?? '');
  await writeFile(stderrFile, left.stderr ?? '');
  const adapter = adapterFromText(text, '/x/my.yaml');
  return adapter.parse({
    dir,
    stdoutFile,
    stderrFile,
    stdoutBytes: left.stdoutBytes ?? Buffer.byteLength(left.stdout ?? ''),
    exitCode: left.exitCode === undefined ? 0 : left.exitCode,
    workload,
  });
}

async function report(text: string, left: Left): Promise<ClientReport> {
  const parsed = await parse(text, left);
  if (parsed.state !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.report;
}

describe('units', () => {
  it.each([
    [1.5, 's', 1500],
    ['1.5', 'ms', 1.5],
    [2, 'us', 0.002],
    [204916721, 'ns', 204.916721],
    [1, 'min', 60_000],
    ['1.23ms', 'text', 1.23],
    ['2m3.5s', 'text', 123_500],
    ['12µs', 'text', 0.012],
    ['0.1234 secs', 'text', 123.4],
    ['12', 'text', null],
    ['1.2 parsecs', 'text', null],
    ['1.2 constructor', 'text', null],
    ['n/a', 'ms', null],
    ['', 'ms', null],
    [null, 'ms', null],
    [true, 'ms', null],
  ] as const)('%j in %s is %j ms', (value, unit, ms) => {
    if (ms === null) expect(toMs(value, unit)).toBeNull();
    else expect(toMs(value, unit)).toBeCloseTo(ms, 9);
  });

  it('keeps what RFC 3339 has behind the milliseconds, in any zone', () => {
    const from = toInstantNs('2026-11-29T15:47:49.550518860Z', 'iso')!;
    expect(toInstantNs('2026-11-29T15:47:49.5505193Z', 'iso')! - from).toBeCloseTo(440, -3);
    expect(toInstantNs('2026-11-29T16:47:50+01:00', 'iso')! - from).toBeCloseTo(449_481_140, -3);
    expect(toInstantNs('yesterday', 'iso')).toBeNull();
    expect(toInstantNs(1.5, 's')).toBe(1_500_000_000);
  });

  it('has rates a second', () => {
    expect([toRps(30, '1/min'), toRps('2', '1/ms'), toRps('x', '1/s')]).toEqual([0.5, 2000, null]);
    expect(writtenMs(5)).toBeNull();
  });
});

const FIGURES = 'figures: { e2e: { unit: s, mean: lat.avg, p50: lat."50", p99: lat."99", n: n } }';

describe('a result', () => {
  const json = client(
    `result: { from: r.json, format: json, ${FIGURES}, achieved_rate: { value: rps, unit: 1/s }, duration: { value: took, unit: ms }, completed: sum(values(codes)), failed: n - sum(values(codes)), error: errors }`,
  );

  it('of JSON: figures in their units, what it lacks absent with the reason', async () => {
    const left = {
      lat: { avg: 0.2, '50': 0.19, '99': 0.4 },
      n: 4,
      rps: 5.1,
      took: 800,
      codes: { '200': 2, '204': 1 },
      errors: ['busy'],
    };
    const got = await report(json, { files: { 'r.json': JSON.stringify(left) } });
    expect(got.metrics.e2e).toEqual({
      n: 4,
      mean_ms: 200,
      p50_ms: 190,
      p90_ms: null,
      p99_ms: 400,
      absent: 'this client prints no such figure',
    });
    expect(got.metrics.ttft.absent).toBe('this client has no such figure');
    expect(got).toMatchObject({
      achievedRps: 5.1,
      durationS: 0.8,
      completed: 3,
      failed: 1,
      records: null,
      dropped: null,
    });
    expect(got.notes).toEqual(['1 of 4 requests failed; the first: busy']);
  });

  it('with NaN and Infinity in it is read, and they are absent', async () => {
    const got = await report(json, {
      files: { 'r.json': '{"lat": {"avg": NaN, "50": Infinity, "99": 1}, "n": 1, "codes": {"200": 1}}' },
    });
    expect(got.metrics.e2e).toMatchObject({ mean_ms: null, p50_ms: null, p99_ms: 1000 });
  });

  it('of CSV with a header, and of JSON lines, is a list', async () => {
    const csv = client(
      'result: { from: stdout, format: csv, figures: { e2e: { unit: ms, p50: "[?Name==\'all\'] | [0].\\"50%\\"" } }, completed: "[?Name==\'all\'] | [0].Requests" }',
    );
    const got = await report(csv, { stdout: '\ufeffName,Requests,50%\r\nchat,3,"1.5"\r\nall,4,2.5\r\n' });
    expect([got.metrics.e2e.p50_ms, got.completed]).toEqual([2.5, 4]);
    const lines = client(
      'result: { from: stdout, format: jsonl, figures: { e2e: { unit: ms, mean: "[-1].mean" } }, completed: "[-1].ok" }',
    );
    expect(
      (await report(lines, { stdout: '{"mean": 1, "ok": 1}\n\n{"mean": 2, "ok": 7}\n{"mean": 3, "o' }))
        .metrics.e2e.mean_ms,
    ).toBe(2);
    expect(await parse(lines, { stdout: '{"mean": 1}\nhello\n{"mean": 2, "ok": 7}\n' })).toMatchObject({
      state: 'unparsable',
      reason: expect.stringContaining('its stdout cannot be read as jsonl: line 2 is no JSON'),
    });
  });

  it('of text: named groups of patterns, with units as written', async () => {
    const text = client(
      `result: { from: stderr, format: text, patterns: ['Latency +(?<mean>\\S+) +(?<dev>\\S+)', '^ +99% +(?<p99>\\S+)', '(?<ok>\\d+) requests in', 'never (?<gone>x)'], figures: { e2e: { unit: text, mean: mean, p90: gone, p99: p99 } }, completed: ok }`,
    );
    const got = await report(text, {
      stderr: '    Latency   204.91ms    1.2ms\n     50%  203us\n     99%  1.02s\n  40 requests in 2.00s\n',
    });
    expect(got.metrics.e2e).toMatchObject({ mean_ms: 204.91, p90_ms: null, p99_ms: 1020 });
    expect(got.completed).toBe(40);
  });
});

describe('records', () => {
  const mapping =
    'records: { from: r.jsonl, format: jsonl, ok: "err == `null`", start: { value: t, unit: s }, ttft: { value: ttft, unit: s }, e2e: { value: e2e, unit: s }, itl: { value: gaps, unit: s }, output_tokens: n, request_id: id, error: err }';
  const all = { ttft: 'firstContent', itl: 'chunkGaps', tpot: 'standard', ntpot: 'standard' };
  const rows = [
    { id: 'a', t: 10, ttft: 0.05, e2e: 0.07, gaps: [0.01, 0.01], n: 3, err: null },
    { id: 'b', t: 10.2, ttft: 0.07, e2e: 0.09, gaps: [0.02], n: 2, err: null },
    { id: 'c', t: 10.4, ttft: 0.001, e2e: 0.001, gaps: [9], n: 9, err: 'HTTP 503' },
    { id: 'd', t: 10.6, ttft: 0.06, e2e: 0.06, gaps: [], n: 1, err: null },
  ];
  const text = rows.map((row) => JSON.stringify(row)).join('\n');

  it('give every summary that the client prints none of, over successes alone, and it is said', async () => {
    const got = await report(client(mapping, all), { files: { 'r.jsonl': `${text}\n` } });
    expect(got.metrics.ttft).toMatchObject({ n: 3, mean_ms: 60, p50_ms: 60 });
    expect(got.metrics.e2e).toMatchObject({ n: 3, p50_ms: 70 });
    expect(got.metrics.itl).toMatchObject({ n: 3, p50_ms: 10 });
    // (70 − 50)/2 and (90 − 70)/1; one token has none.
    expect(got.metrics.tpot).toMatchObject({ n: 2, mean_ms: 15 });
    expect(got.metrics.ntpot.mean_ms).toBeCloseTo((70 / 3 + 45 + 60) / 3, 9);
    expect(got).toMatchObject({ completed: 3, failed: 1, outputTokens: 6 });
    expect(got.notes).toEqual([
      '1 of 4 requests failed; the first: HTTP 503',
      expect.stringContaining("TTFT, ITL, TPOT, NTPOT, E2E: computed by Tare from the client's records"),
    ]);
    expect(got.records?.map(({ requestId, startNs, ok, e2eMs }) => [requestId, startNs, ok, e2eMs])).toEqual([
      ['a', 10e9, true, 70],
      ['b', 10.2e9, true, 90],
      ['c', 10.4e9, false, null],
      ['d', 10.6e9, true, 60],
    ]);
  });

  it('do not replace what the client prints', async () => {
    const both = client(
      `result: { from: stdout, format: json, figures: { e2e: { unit: ms, mean: m } } }\n${mapping}`,
      { ttft: 'firstContent', itl: 'chunkGaps' },
    );
    const got = await report(both, { stdout: '{"m": 99}', files: { 'r.jsonl': text } });
    expect(got.metrics.e2e).toMatchObject({ mean_ms: 99, p50_ms: null });
    expect(got.metrics.ttft.mean_ms).toBe(60);
    expect(got.metrics.tpot.absent).toBe('this client has no such figure');
  });

  it('come from a list within a document, from CSV without a header, and from lines of text', async () => {
    const within = client(
      "records: { from: r.json, format: json, rows: 'data.list', ok: 'status == `200`', e2e: { value: ms, unit: ms } }",
    );
    const data = {
      data: {
        list: [
          { status: 200, ms: 4 },
          { status: 500, ms: 1 },
        ],
      },
    };
    expect(await report(within, { files: { 'r.json': JSON.stringify(data) } })).toMatchObject({
      completed: 1,
      failed: 1,
      metrics: { e2e: { mean_ms: 4 } },
    });
    const csv = client(
      'records: { from: r.csv, format: csv, columns: [at, code, took], ok: "code == \'200\'", e2e: { value: took, unit: ns } }',
    );
    expect((await report(csv, { files: { 'r.csv': '1,200,2000000\n2,503,1\n' } })).metrics.e2e).toMatchObject(
      { n: 1, mean_ms: 2 },
    );
    const lines = client(
      "records: { from: stdout, format: text, patterns: ['^req (?<id>\\S+) (?<code>\\d+) (?<took>\\S+)$'], ok: \"code == '200'\", e2e: { value: took, unit: text }, response_id: id }",
    );
    const got = await report(lines, { stdout: 'hello\nreq a 200 5ms\nreq b 200 7ms\n' });
    expect(got.records?.map(({ responseId, e2eMs }) => [responseId, e2eMs])).toEqual([
      ['a', 5],
      ['b', 7],
    ]);
  });
});

describe('a mapping that does not match', () => {
  const mapped = (fields: string, definitions: Readonly<Record<string, string>> = {}) =>
    client(`records: { from: r.jsonl, format: jsonl, ok: ok, ${fields} }`, definitions);
  const left = (...rows: readonly object[]): Left => ({
    files: { 'r.jsonl': rows.map((row) => JSON.stringify({ ok: true, ...row })).join('\n') },
  });

  it('in any record is said, with its key, and is the reason of what is absent for it', async () => {
    const got = await report(
      mapped(
        'e2e: { value: e2ee, unit: ms }, ttft: { value: t, unit: ms }, output_tokens: n, request_id: id.x, start: { value: at, unit: iso }',
        { ttft: 'firstContent', tpot: 'standard' },
      ),
      left({ e2e: 5, t: 3, n: 2, at: 12 }, { e2e: 6, t: 4, n: 2, at: 13 }),
    );
    const gone = 'records.e2e.value ("e2ee") gave nothing in any of 2 records';
    expect(got.metrics.e2e).toMatchObject({ p50_ms: null, absent: gone });
    expect(got.metrics.tpot.absent).toBe(gone);
    expect(got.metrics.ttft.absent).toBeUndefined();
    expect(got.notes.slice(1)).toEqual([
      'records.request_id ("id.x") gave nothing in any of 2 records',
      'records.start.value ("at") is no instant in iso in 2 of 2 records, first 12',
      gone,
    ]);
  });

  it('but not what only some records or only failed ones lack', async () => {
    const got = await report(
      mapped('e2e: { value: e, unit: ms }, output_tokens: n'),
      left({ e: 5, n: 2 }, { e: 6 }, { ok: false, e: 'x', n: 'y' }),
    );
    expect(got.notes.filter((note) => note.startsWith('records.'))).toEqual([]);
  });

  it('to numbers is said with the first example, shortened, and what would read it', async () => {
    const got = await report(
      mapped('e2e: { value: e, unit: ms }, itl: { value: g, unit: ms }, output_tokens: n', {
        itl: 'chunkGaps',
      }),
      left({ e: 5, g: [1, 'x'], n: 2 }, { e: '57ms', g: [], n: 'a'.repeat(99) }),
    );
    expect(got.metrics.e2e.n).toBe(1);
    expect(got.metrics.itl.absent).toMatch(/^records.itl.value \("g"\) is no list of gaps/);
    expect(got.notes.slice(1)).toEqual([
      'records.e2e.value ("e") is no number of ms in 1 of 2 records, first "57ms" (`unit: text` reads a unit behind the number)',
      'records.itl.value ("g") is no list of gaps, each a number of ms in 1 of 2 records, first [1,"x"]',
      `records.output_tokens ("n") is no number in 1 of 2 records, first "${'a'.repeat(39)}…`,
    ]);
  });

  it('of negative latencies is said; the figures are the client’s own', async () => {
    const got = await report(mapped('e2e: { value: e, unit: ms }'), left({ e: -1 }, { e: 3 }));
    expect(got.metrics.e2e.mean_ms).toBe(1);
    expect(got.notes).toContain('records.e2e.value ("e") is negative in 1 of 2 records, first -1');
  });

  it('in a result', async () => {
    const result = client(
      'result: { from: stdout, format: json, figures: { e2e: { unit: ms, mean: m, p50: p50, p90: p.p90 } }, completed: n, duration: { value: took, unit: s } }',
    );
    const got = await report(result, { stdout: '{"m": -1, "p50": "57ms", "n": 4}' });
    const text =
      'result.figures.e2e.p50 ("p50") is no number of ms: "57ms" (`unit: text` reads a unit behind the number)';
    expect(got.notes).toEqual([
      'result.figures.e2e.mean ("m") is negative: -1',
      text,
      'result.figures.e2e.p90 ("p.p90") gave nothing',
      'result.duration.value ("took") gave nothing',
    ]);
    expect(got.metrics.e2e).toMatchObject({ mean_ms: -1, p50_ms: null, absent: text });
  });

  it('in the condition of a success is the reason where none is found', async () => {
    const text = client('records: { from: r.jsonl, format: jsonl, ok: okk, e2e: { value: e, unit: ms } }');
    expect(await parse(text, left({ e: 1 }, { e: 2 }))).toMatchObject({
      state: 'failed',
      reason: 'all 2 requests failed; records.ok ("okk") gave nothing in any of 2 records',
    });
  });
});

describe('a failure', () => {
  const json = client(
    `result: { from: r.json, format: json, ${FIGURES}, completed: ok, failed: bad, error: why }\nfails_when:\n  - { if: 'aborted', reason: it gave up }\nexit_codes: [0, 3]`,
  );
  const left = (value: unknown, exitCode: number | null = 0): Left => ({
    files: { 'r.json': JSON.stringify(value) },
    exitCode,
  });

  it.each([
    [
      'everything refused, exit code 0',
      left({ ok: 0, bad: 20, why: 'connection refused' }),
      'failed',
      'all 20 requests failed; the first: connection refused',
    ],
    ['nothing sent, exit code 0', left({ ok: 0, bad: 0 }), 'failed', 'no request was completed'],
    ['its own condition', left({ ok: 9, bad: 0, aborted: true }), 'failed', 'it gave up'],
    ['a condition that is false', left({ ok: 9, bad: 0, aborted: false }), 'parsed', ''],
    [
      'an exit code that is none of its own',
      { stderr: 'boom\n', exitCode: 2 },
      'failed',
      'exit code 2; its last words: boom',
    ],
    ['one that is', left({ ok: 9, bad: 1 }, 3), 'parsed', ''],
    [
      'no file',
      { stderr: 'no such flag: -q\n' },
      'unparsable',
      'it left no r.json (exit code 0; its last words: no such flag: -q)',
    ],
    [
      'an empty file',
      { files: { 'r.json': '' } },
      'unparsable',
      'r.json cannot be read as json: it is empty',
    ],
    [
      'half a file',
      { files: { 'r.json': '{"ok": 1' }, exitCode: null },
      'unparsable',
      'r.json cannot be read as json',
    ],
    [
      'another shape',
      left({ okay: 3 }),
      'unparsable',
      'nothing says how many requests were completed: result.completed ("ok") gave none',
    ],
    [
      'a shape that an expression cannot take',
      left({ ok: 'many', bad: [], n: 1 }),
      'unparsable',
      'nothing says how many requests were completed',
    ],
  ] as [string, Left, string, string][])('%s', async (_, what, state, reason) => {
    const parsed = await parse(json, what);
    expect(parsed.state).toBe(state);
    if (parsed.state !== 'parsed') expect(parsed.reason).toContain(reason);
  });

  describe('of which only the first part of the output was kept', () => {
    const lines = '{"t":5,"ok":true}\n{"t":6,"ok":true}\n{"t":7,"o';
    const records = (from: string) =>
      client(
        `records: { from: ${from}, format: jsonl, ok: ok, e2e: { value: t, unit: ms }, ttft: { value: t, unit: ms } }`,
        { ttft: 'firstContent' },
      );

    it('cannot be read from that stream, with the sizes', async () => {
      const reason =
        'its stdout is 400,000,000 bytes, of which the first 45 were kept: figures of a part would be false; let it write to a file, and name that in `from`';
      const cut = { stdout: lines, stdoutBytes: 400_000_000 };
      expect(await parse(records('stdout'), cut)).toMatchObject({
        state: 'unparsable',
        reason: expect.stringContaining(reason),
      });
      const text = client(
        'result: { from: stdout, format: text, patterns: [\'"t":(?<t>\\d+)\'], figures: { e2e: { unit: ms, p50: t } }, completed: t }',
      );
      expect(await parse(text, cut)).toMatchObject({ state: 'unparsable' });
    });

    it('is read where it is in a file; a cut last line is left out there and that is said', async () => {
      const got = await report(records('r.jsonl'), {
        files: { 'r.jsonl': lines },
        stdout: 'x',
        stdoutBytes: 400_000_000,
      });
      expect(got.completed).toBe(2);
      expect(got.notes[0]).toBe('r.jsonl: its last line (3) is cut off, and was left out');
    });
  });

  it('of an expression over another shape names the expression', async () => {
    const sum = client(`result: { from: r.json, format: json, ${FIGURES}, completed: sum(values(codes)) }`);
    expect(await parse(sum, left({ codes: null }))).toMatchObject({
      state: 'unparsable',
      reason: expect.stringMatching(/not as the client file says: "sum\(values\(codes\)\)": .*argument 1/),
    });
  });

  it('of a command for after the load is told, with its last words', async () => {
    const after = client(
      "after:\n  - { command: [node, -e, 'console.log(JSON.stringify({{ ok: 1 }}))'], stdout: made.json }\n  - { command: [node, -e, 'console.error(\"no input\"); process.exit(4)'] }\nresult: { from: made.json, format: json, figures: { e2e: { unit: ms, mean: m } }, completed: ok }",
    );
    const dir = await mkdtemp(join(tmpdir(), 'tare-custom-'));
    const adapter = adapterFromText(after, '/x/my.yaml');
    const found = {
      state: 'found',
      version: '1',
      path: '',
      origin: '',
      notes: [],
      handle: { program: 'node' },
    } as const;
    const command = await adapter.prepare({
      workload,
      url: 'http://127.0.0.1:1',
      model: 'm',
      dir,
      found,
      workers: null,
      cpus: null,
    });
    expect(command.after).toHaveLength(2);
    const file = join(dir, 'none');
    const parsed = await adapter.parse({ dir, stdoutFile: file, stderrFile: file, exitCode: 0, workload });
    expect(parsed).toMatchObject({
      state: 'unparsable',
      reason: expect.stringMatching(/after the load failed .*no input/),
    });
  });
});
