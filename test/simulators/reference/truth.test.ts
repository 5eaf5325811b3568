import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readColumn } from '../../../simulators/reference/empirical.ts';
import { requestIdOf } from '../../../simulators/reference/request-id.ts';
import { UnservedRequests } from '../../../simulators/reference/unserved.ts';
import { latencyModel, schedule } from '../../../src/measure/latency.ts';
import { parseLatencySpec } from '../../../src/measure/latency-spec.ts';
import { LEDGER_OUTCOMES, type Ledger } from '../../../src/measure/ledger.ts';
import { UserError } from '../../../src/system/user-error.ts';
import { readLedger } from '../../../src/truth/ledger-file.ts';
import { CHAT, chatBody, events, post, rawRequest, send, startTarget, TEXT, until } from './helpers.ts';

const dir = mkdtempSync(join(tmpdir(), 'tare-truth-'));
afterAll(() => rmSync(dir, { recursive: true }));

const outcomes = (ledger: Ledger): string[] => [...ledger.outcome].map((index) => LEDGER_OUTCOMES[index]!);

describe('requests for what a target does not serve', () => {
  it('are counted by method and path, without the warm-up’s own, and have no rows', async () => {
    const target = await startTarget({ warmUpMs: 1 });
    expect(target.ledger().meta.unserved).toEqual([]);
    await send(`${target.url}/server_info`, 'GET');
    for (let i = 0; i < 2; i++) await post(target, '/nope?key=secret', chatBody());
    await send(target.url + CHAT, 'GET');
    const { rows, meta } = await target.stop();
    expect(rows).toBe(0);
    expect(meta.unserved).toEqual([
      { asked: 'POST /nope', requests: 2 },
      { asked: 'GET /server_info', requests: 1 },
      { asked: `GET ${CHAT}`, requests: 1 },
    ]);
  });

  it('take a bounded memory, however many paths there are', () => {
    const unserved = new UnservedRequests();
    for (let i = 0; i < 1000; i++) unserved.note('GET', `/${i}`);
    unserved.note('GET', '/0');
    expect(unserved.list()).toHaveLength(9);
    expect(unserved.list().slice(0, 2)).toEqual([
      { asked: 'other paths', requests: 992 },
      { asked: 'GET /0', requests: 2 },
    ]);
    unserved.clear();
    unserved.note('GET', `/${'x'.repeat(10_000)}`);
    expect(unserved.list()[0]!.asked).toHaveLength('GET /'.length + 120);
  });
});

describe('the ledger of a target', () => {
  it('tells each request’s story, and is the file’s content', async () => {
    const ledgerFile = join(dir, 'story.arrow');
    const latency = 'ttft=lognormal:2ms:0.5,itl=bimodal:200us:1ms:0.3';
    const target = await startTarget({ latency, seed: 11, ledgerFile });
    const first = await post(target, CHAT, chatBody({ stream: true, max_tokens: 5 }), {
      'X-Request-Id': 'one',
    });
    await post(target, CHAT, '{}', { 'x-correlation-id': 'two' });
    await post(target, TEXT, { prompt: 'a b c d', max_tokens: 3 });
    const ledger = await target.stop();
    expect(await readLedger(ledgerFile)).toEqual(ledger);
    expect(outcomes(ledger)).toEqual(['complete', 'refused', 'complete']);
    expect([...ledger.status]).toEqual([200, 400, 200]);
    expect(ledger.requestId).toEqual(['one', 'two', null]);
    expect(ledger.responseId[0]).toBe(events(first.text)[0].id);
    expect([ledger.responseId[1], ledger.responseId[2]!.slice(0, 5)]).toEqual([null, 'cmpl-']);
    expect([[...ledger.promptTokens], [...ledger.askedTokens], [...ledger.deliveredTokens]]).toEqual([
      [3, 0, 4],
      [5, 0, 3],
      [5, 0, 3],
    ]);
    expect([...ledger.streamed]).toEqual([1, 0, 0]);
    const due = schedule(latencyModel(parseLatencySpec(latency)), 11, 0, 3, 5);
    expect([...ledger.tokenDueNs]).toEqual([...due].map((ns) => ns + ledger.arrivalNs[0]!));
    expect([ledger.firstDueNs[0], ledger.lastDueNs[0]]).toEqual([ledger.tokenDueNs[0], ledger.tokenDueNs[4]]);
    const order = [ledger.arrivalNs, ledger.headersNs, ledger.firstNs, ledger.lastNs, ledger.endNs].map(
      (column) => column[0]!,
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect([ledger.firstNs[1], ledger.lastDueNs[1]]).toEqual([Number.NaN, Number.NaN]);
    expect(ledger.meta).toMatchObject({
      seed: 11,
      latency,
      pacing: 'spin',
      lostRows: 0,
      peakInFlight: 1,
      pid: process.pid,
    });
    expect(ledger.meta.windowNs).toBe(ledger.endNs[2]! - ledger.arrivalNs[0]!);
    expect(ledger.meta.cpuNs).toBeGreaterThan(0);
  });

  it('a client that hangs up: what was written, and no more', async () => {
    const target = await startTarget({ latency: 'ttft=1ms,itl=1ms' });
    const socket = connect(target.port, '127.0.0.1');
    socket.write(rawRequest(CHAT, chatBody({ stream: true, max_tokens: 2000 })));
    await once(socket, 'data');
    socket.destroy();
    await until(() => outcomes(target.ledger())[0] === 'clientClosed');
    const sent = target.ledger().deliveredTokens[0]!;
    expect(sent).toBeGreaterThan(0);
    const ledger = await target.stop();
    expect([ledger.deliveredTokens[0], ledger.tokenNs.length]).toEqual([sent, sent]);
    expect(sent).toBeLessThan(2000);
    expect(ledger.lastNs[0]).toBeNaN();
    expect(ledger.endNs[0]).toBeGreaterThan(ledger.firstNs[0]!);
  });

  it('a client that hangs up within its body', async () => {
    const target = await startTarget();
    const socket = connect(target.port, '127.0.0.1');
    socket.write(rawRequest(CHAT, chatBody()).slice(0, -5));
    await until(() => target.ledger().rows === 1);
    socket.destroy();
    await until(() => outcomes(target.ledger())[0] === 'clientClosed');
    const ledger = await target.stop();
    expect([ledger.status[0], ledger.deliveredTokens[0]]).toEqual([0, 0]);
  });

  it('what is under way at the end stays unfinished', async () => {
    const target = await startTarget({ latency: 'ttft=1ms,itl=1000s' });
    const socket = connect(target.port, '127.0.0.1');
    socket.write(rawRequest(CHAT, chatBody({ stream: true, max_tokens: 9 })));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    socket.on('error', () => {});
    const ledger = await target.stop();
    await closed;
    expect(outcomes(ledger)).toEqual(['unfinished']);
    expect([ledger.status[0], ledger.deliveredTokens[0], ledger.tokenNs.length]).toEqual([200, 1, 1]);
    expect([ledger.lastNs[0], ledger.endNs[0]]).toEqual([Number.NaN, Number.NaN]);
  });

  it('a full ledger is said, and the target serves on', async () => {
    const target = await startTarget({ capacity: { requests: 2, tokens: 5 }, latency: 'ttft=0,itl=1us' });
    for (let i = 0; i < 4; i++)
      expect(events((await post(target, CHAT, chatBody({ stream: true, max_tokens: 4 }))).text)).toHaveLength(
        4,
      );
    const { rows, meta, tokenStart } = await target.stop();
    expect([rows, meta.lostRows, meta.lostTokens]).toEqual([2, 2, 12]);
    expect([...tokenStart]).toEqual([0, 4, 4]);
  });

  it('connections are numbered, and the most in flight counted', async () => {
    const target = await startTarget({ latency: 'ttft=1000s' });
    const sockets = [0, 1, 2].map(() => connect(target.port, '127.0.0.1').on('error', () => {}));
    for (const socket of sockets) socket.write(rawRequest(CHAT, chatBody()));
    await until(() => target.ledger().rows === 3);
    const { connection, meta } = await target.stop();
    expect([[...connection].sort(), meta.peakInFlight, meta.connections]).toEqual([[0, 1, 2], 3, 3]);
  });

  it('the warm-up leaves no trace', async () => {
    const target = await startTarget({ warmUpMs: 50, latency: 'ttft=1ms,itl=1ms' });
    await post(target, CHAT, chatBody({ stream: true }));
    const ledger = await target.stop();
    expect([ledger.rows, ledger.connection[0], ledger.meta.peakInFlight]).toEqual([1, 0, 1]);
    expect(ledger.firstDueNs[0]! - ledger.arrivalNs[0]!).toBe(1e6);
    expect(ledger.responseId[0]).toMatch(/00000000$/);
  });
});

describe('what cannot start', () => {
  it.each([
    [{ latency: 'fast' }, 'latency "fast" is not understood'],
    [{ latency: 'ttft=empirical:none.csv' }, 'cannot be read (ENOENT)'],
    [{ host: '192.0.2.1' }, 'is not an address of this machine'],
    [{ ledgerFile: '/nowhere/l.arrow' }, 'no ledger can be written to /nowhere'],
  ])('%j', async (options, why) => {
    const failure = startTarget(options);
    await expect(failure).rejects.toThrow(UserError);
    await expect(failure).rejects.toThrow(why);
  });

  it('a port in use', async () => {
    const target = await startTarget();
    await expect(startTarget({ port: target.port })).rejects.toThrow(
      `port ${target.port} on 127.0.0.1 is in use`,
    );
    await target.stop();
  });
});

describe('measured delays', () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };

  it('come from a column, in the unit of its name', () => {
    const path = file('a.csv', '\uFEFFid,ttft_us,"itl_s"\r\n1,250,0.5\r\n2, 1.5 ,0\r\n\r\n');
    expect(readColumn(path, 'ttft_us')).toEqual([250_000, 1500]);
    expect(readColumn(path, 'itl_s')).toEqual([5e8, 0]);
    expect(readColumn(path, null)).toEqual([1e6, 2e6]);
    expect(readColumn(file('b.csv', '5\n7.5'), null)).toEqual([5e6, 7.5e6]);
  });

  it.each([
    ['c.csv', 'a_ms\n5\nx', null, 'line 3: "x" is not a delay'],
    ['d.csv', 'a_ms\n-5', null, 'line 2'],
    ['e.csv', 'a_ms,b_ms\n1', 'b_ms', 'line 2: ""'],
    ['f.csv', 'a_ms\n1', 'b_ms', 'no column "b_ms"'],
    ['g.csv', '1\n2', 'b_ms', 'no column "b_ms"'],
    ['h.csv', 'a_ms\n', null, 'holds no values'],
    ['i.csv', '', null, 'holds no values'],
  ])('%s is refused', (name, text, column, why) => {
    expect(() => readColumn(file(name, text), column)).toThrow(why);
  });

  it('are injected', async () => {
    const path = file('k.csv', 'ttft_ms\n3\n');
    const target = await startTarget({ latency: `ttft=empirical:${path}` });
    await post(target, CHAT, chatBody());
    const ledger = await target.stop();
    expect(ledger.firstDueNs[0]! - ledger.arrivalNs[0]!).toBe(3e6);
  });
});

it('finds a request’s id under any of its names', () => {
  expect(requestIdOf(['Host', 'x', 'X-REQUEST-ID', 'a'])).toBe('a');
  expect(requestIdOf(['x-correlation-id', 'b'])).toBe('b');
  expect(requestIdOf(['accept-encoding', 'c', 'content-type', 'd'])).toBeNull();
});
