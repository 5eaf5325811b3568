/** The built `tare load` with its files: a server that echoes the API key wherever it can, and one that asks to wait. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoadReport } from '../../src/load/report.ts';
import type { RequestRecord } from '../../src/load/spool.ts';
import { entry } from '../../src/system/package-root.ts';
import { type Behaviour, DONE, type OddServer, oddServer, stream, token, usage } from '../load/odd-server.ts';

const KEY = 'sk-live-Q7w8E9r0T1y2U3i4';
/** Any six characters of its secret part in a row. */
const PARTS = Array.from({ length: KEY.length - 13 }, (_, i) => KEY.slice(8 + i, 14 + i));

let dir: string;
let server: OddServer;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-load-out-'));
});
afterEach(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const RATE = ['--rate', '100', '--arrivals', 'constant'];
const load = (
  args: readonly string[],
  env: Record<string, string> = { OPENAI_API_KEY: KEY },
  rate: readonly string[] = RATE,
) =>
  execa(
    process.execPath,
    [
      entry('src/cli/main.js'),
      'load',
      ...['--url', server.url, '--model', 'm', '--tokens', '3', ...rate],
      ...['--workers', '1', '--pacing', 'block', '--rehearsal', '0.1s', ...args],
    ],
    { reject: false, env, timeout: 60_000 },
  );

const good: Behaviour = stream(token('a'), token('b') + token('c', 'stop'), usage(3), DONE);

/** Every way in which a server may give back what it got. */
const echoes: readonly Behaviour[] = [
  (response, request) => response.writeHead(401).end(`invalid ${request.headers.authorization}`),
  (response, request) =>
    response
      .writeHead(403, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: `no access for ${request.headers.authorization}` } })),
  (response, request) => {
    const key = request.headers.authorization!.slice(7);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // In two segments, cut in the middle of the key.
    response.write(`data: {"error":{"message":"bad key ${key.slice(0, 14)}`);
    setTimeout(() => response.end(`${key.slice(14)} here"}}\n\n`), 100);
  },
  (response, request) => {
    const id = request.headers.authorization!.slice(7);
    stream(
      `data: ${JSON.stringify({ id, choices: [{ index: 0, delta: { content: id }, finish_reason: 'stop' }] })}\n\n`,
      DONE,
    )(response, request, request.socket);
  },
  // Cut off by the end of what is kept of a body.
  (response, request) =>
    response.writeHead(500).end(`${'x'.repeat(2048 - 26)}${request.headers.authorization} and more`),
];

describe('the API key', () => {
  it('is in none of the files, nor in what is printed, though the server echoes it', async () => {
    server = await oddServer((i) => echoes[i % echoes.length]!);
    const out = join(dir, 'all');
    const records = join(dir, 'records.jsonl');
    const body = JSON.stringify({ user: 'u', api_key: 'hidden-in-the-body', max_token: 1 });
    const result = await load([
      '--requests',
      '25',
      '--out',
      out,
      '--records',
      records,
      '--json',
      '--extra-body',
      body,
    ]);
    expect(server.seen.every(({ authorization }) => authorization === `Bearer ${KEY}`)).toBe(true);
    const files = readdirSync(out);
    expect(files.sort()).toEqual([
      'load.hlog',
      'load.html',
      'metrics.prom',
      'report.json',
      'requests.csv',
      'seconds.csv',
      'summary.csv',
    ]);
    const shown: [string, string][] = [
      ...files.map((file): [string, string] => [file, readFileSync(join(out, file), 'utf8')]),
      ['records', readFileSync(records, 'utf8')],
      ['stdout', result.stdout],
      ['stderr', result.stderr],
    ];
    for (const [name, text] of shown) {
      // Files within the page are in base64.
      const inner = [...text.matchAll(/;base64,([A-Za-z0-9+/=]+)/g)].map((m) =>
        Buffer.from(m[1]!, 'base64').toString('latin1'),
      );
      for (const part of [...PARTS, 'hidden-in-the-body'])
        expect(
          [text, ...inner].some((one) => one.includes(part)),
          `${part} in ${name}`,
        ).toBe(false);
    }
    const report = JSON.parse(result.stdout) as LoadReport;
    expect(report.counts.outcomes).toMatchObject({ httpError: 15, errorInStream: 5, complete: 5 });
    const texts = report.failures.map(({ example }) => example).join('\n');
    expect(texts).toContain('invalid Bearer ***');
    expect(texts).toContain('no access for Bearer ***');
    // The page has the command, without the key in the body.
    expect(readFileSync(join(out, 'load.html'), 'utf8')).toContain('&quot;api_key&quot;:&quot;***&quot;');
  });

  it('is in nothing where a refused request waits, has waited too often, or too long, and the answer breaks off within the key', async () => {
    const head = '{"error":{"message":"';
    server = await oddServer((i) => (response, request) => {
      const key = request.headers.authorization!.slice(7);
      const kinds: readonly (readonly [string, string])[] = [
        // Across the end of what is kept of a body: 6 to 20 characters of the key are before it.
        ['1000', `${head}${'p'.repeat(2048 - head.length - 6 - i)}${key}"}}`],
        ['0', `${head}${'p'.repeat(2048 - head.length - 6 - i)}${key}"}}`],
        // Fewer characters of the key than any mask could tell from other words.
        ['soon', `${'p'.repeat(2048 - 5)}${key}`],
        [`for ${key}`, `the key ${key.slice(0, 16)}`],
        ['100', `the key ${key.slice(0, 16)} is wrong`],
      ];
      const [wait, body] = kinds[i % kinds.length]!;
      response.writeHead(429, { 'retry-after': wait }).end(body);
    });
    const out = join(dir, 'all');
    const result = await load([
      '--requests',
      '15',
      '--retry-after',
      '--deadline',
      '2s',
      '--out',
      out,
      '--json',
    ]);
    const report = JSON.parse(result.stdout) as LoadReport;
    expect(report.retry.given_up).toEqual({ tries: 3, wait: 3, unreadable: 6, cut_off: 3 });
    const shown = [
      result.stdout,
      result.stderr,
      ...readdirSync(out).map((f) => readFileSync(join(out, f), 'utf8')),
    ];
    for (const part of PARTS) expect(shown.some((text) => text.includes(part))).toBe(false);
    // Nor the beginning that says whose key it is.
    expect(shown.some((text) => text.includes('sk-li'))).toBe(false);
  });

  it('comes from a file; one that is empty, missing or holds what no header may is refused without showing it', async () => {
    server = await oddServer(() => good);
    const file = join(dir, 'key');
    writeFileSync(file, `${KEY}\n`);
    const fine = await load(['--requests', '3', '--api-key-file', file], {});
    expect([fine.exitCode, server.seen[0]!.authorization]).toEqual([0, `Bearer ${KEY}`]);
    writeFileSync(file, `${KEY}é`);
    const odd = await load(['--requests', '3', '--api-key-file', file], {});
    expect(odd.exitCode).toBe(2);
    expect(odd.stderr).toContain('that a header may not have');
    expect(odd.stderr).not.toContain('Q7w8');
    writeFileSync(file, ' \n');
    expect((await load(['--requests', '3', '--api-key-file', file], {})).stderr).toContain('is empty');
    expect((await load(['--requests', '3', '--api-key-env', 'NO_SUCH_KEY'], {})).stderr).toContain(
      'NO_SUCH_KEY',
    );
    const inUrl = await load(['--requests', '3', '--url', `http://u:${KEY}@127.0.0.1:1`], {});
    expect(inUrl.exitCode).toBe(2);
    expect(inUrl.stderr).toContain('user name or password');
    expect(inUrl.stderr).not.toContain('Q7w8');
    for (const url of [
      `http://127.0.0.1:1/?api_key=${KEY}`,
      `127.0.0.1:1?api_key=${KEY}`,
      `ftp://h/?k=${KEY}`,
    ]) {
      const inQuery = await load(['--requests', '3', '--url', url], {});
      expect(inQuery.exitCode).toBe(2);
      expect(inQuery.stderr).not.toContain('Q7w8');
    }
    expect(server.seen).toHaveLength(3);
  });
});

describe('Retry-After', () => {
  /** Refuses the first try of every third request. */
  const refusing = (header: string) => {
    const tried = new Set<number>();
    return (i: number): Behaviour => {
      if (i % 3 !== 0 || tried.has(i)) return good;
      tried.add(i);
      return (response) => response.writeHead(429, { 'retry-after': header }).end('slow down');
    };
  };

  it('is followed when told: the request is one request, its wait is in its latency, its send is its first', async () => {
    server = await oddServer(refusing('1'));
    const out = join(dir, 'report.json');
    const records = join(dir, 'records.jsonl');
    const result = await load(['--requests', '9', '--retry-after', '--out', out, '--records', records]);
    expect(result.exitCode).toBe(0);
    const report = JSON.parse(readFileSync(out, 'utf8')) as LoadReport;
    expect(report.counts).toMatchObject({ scheduled: 9, sent: 9, complete: 9 });
    expect(report.retry).toMatchObject({
      followed: true,
      limits: { tries: 5, wait_s: 120 },
      retried: 3,
      resent: 3,
      recovered: 3,
      refused_with_header: 0,
      waited_s: 3,
      longest_wait_s: 1,
    });
    expect(server.seen).toHaveLength(12);
    const lines = readFileSync(records, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RequestRecord);
    expect(lines).toHaveLength(9);
    for (const r of lines) {
      expect(r.tries).toBe(r.index % 3 === 0 ? 2 : 1);
      if (r.tries === 1) continue;
      expect(r.last_token_ns! - r.scheduled_ns!).toBeGreaterThanOrEqual(1e9);
      expect(r.sent_ns! - r.first_sent_ns!).toBeGreaterThanOrEqual(1e9);
    }
    expect(report.from_scheduled.e2e.over_successes.max_ms).toBeGreaterThanOrEqual(1000);
    // The lag is that of first tries: a wait that the server asked for is not the client’s lateness.
    expect(report.schedule_lag.n).toBe(9);
    expect(report.schedule_lag.max_ms).toBeLessThan(1000);
  });

  it('in a closed loop makes the user wait with its request: none is lost, none is begun too early', async () => {
    server = await oddServer(refusing('1'));
    const result = await load(
      ['--concurrency', '2', '--requests', '9', '--retry-after', '--json'],
      undefined,
      [],
    );
    const report = JSON.parse(result.stdout) as LoadReport;
    expect(report.counts).toMatchObject({ sent: 9, complete: 9 });
    expect(report.counts.peak_in_flight).toBeLessThanOrEqual(2);
    expect(report.retry).toMatchObject({ retried: 3, recovered: 3 });
    // Two users and three waits of 1 s: at least one waits twice.
    expect(report.elapsed_s).toBeGreaterThanOrEqual(2);
  });

  it('is not followed unless told: the request has failed, and the report says how to follow it', async () => {
    server = await oddServer(refusing('1'));
    const result = await load(['--requests', '9', '--json']);
    const report = JSON.parse(result.stdout) as LoadReport;
    expect(report.counts).toMatchObject({ complete: 6, outcomes: { httpError: 3 } });
    expect(report.retry).toMatchObject({ followed: false, limits: null, retried: 0, refused_with_header: 3 });
    expect(report.notes).toMatchObject([
      { code: 'retry-after-sent', remedy: expect.stringContaining('--retry-after') },
      // Nine requests in 80 ms: starting took longer, whatever the machine.
      { code: 'start-up-longer', remedy: expect.stringMatching(/^(shorten it by|it is no part)/) },
    ]);
    expect(report.startup_s).toBeGreaterThan(0.08);
    expect(server.seen).toHaveLength(9);
  });

  it('waits are cut off by the run’s limit: the request is not lost', async () => {
    server = await oddServer(refusing('100'));
    const result = await load(['--requests', '9', '--retry-after', '--deadline', '2s', '--json']);
    const report = JSON.parse(result.stdout) as LoadReport;
    expect(report.state).toBe('incomplete');
    expect(report.counts).toMatchObject({
      scheduled: 9,
      sent: 9,
      complete: 6,
      outcomes: { httpError: 3, unsent: 0 },
    });
    expect(report.retry.given_up.cut_off).toBe(3);
  });
});

describe('--out', () => {
  it('is the report where it ends in .json, else a folder, which must be empty; single files go where they are told', async () => {
    server = await oddServer(() => good);
    mkdirSync(join(dir, 'full'));
    writeFileSync(join(dir, 'full', 'x'), '');
    const refused = await load(['--requests', '3', '--out', join(dir, 'full')]);
    expect([refused.exitCode, server.seen.length]).toEqual([2, 0]);
    const single = await load([
      ...[
        '--requests',
        '3',
        '--out',
        join(dir, 'a.json'),
        '--csv',
        join(dir, 'a.csv'),
        '--prom',
        join(dir, 'a.prom'),
      ],
      ...['--hlog', join(dir, 'a.hlog')],
    ]);
    expect(single.exitCode).toBe(0);
    expect(readdirSync(dir).sort()).toEqual(['a.csv', 'a.hlog', 'a.json', 'a.prom', 'full']);
    expect(readFileSync(join(dir, 'a.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(4);
    const one = join(dir, 'one.x');
    const same = await load(['--requests', '3', '--csv', one, '--records', one]);
    expect([same.exitCode, server.seen.length]).toEqual([2, 3]);
    expect(same.stderr).toContain('--records and --csv are one file');
    expect(existsSync(one)).toBe(false);
    const none = await load(['--requests', '3', '--csv', '/proc/no/such.csv']);
    expect([none.exitCode, server.seen.length]).toEqual([2, 3]);
    expect(existsSync('/proc/no')).toBe(false);
  });
});
