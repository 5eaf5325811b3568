import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plain from '../../../probes/chunks/plain.ts';
import type { Asked } from '../../../src/measure/probe/answer.ts';
import { ask, Bench, script } from './bench.ts';

const texts = (acts: readonly (readonly [number, string])[]): string[] => acts.map(([, what]) => what);
const statuses = (acts: readonly (readonly [number, string])[]): string[] =>
  texts(acts).map((text) => text.match(/^HTTP\/1\.1 (\d{3})/)?.[1] ?? text);

describe('an answer', () => {
  it('leaves write by write, each at its instant, those of one instant in order', async () => {
    const bench = new Bench([
      script('p', [
        [0, 'a'],
        [5, 'b'],
        [5, 'c'],
        [5, ''],
        [7.5, '\xe2\x82'],
      ]),
    ]);
    const { acts, send } = bench.connect();
    send(ask());
    expect(acts).toEqual([]);
    await bench.to(10);
    expect(acts).toEqual([
      [0, 'a'],
      [5, 'b'],
      [5, 'c'],
      [5, ''],
      [7.5, '\xe2\x82'],
    ]);
    expect(bench.engine.ledger().requests[0]).toMatchObject({
      outcome: 'complete',
      writes: [0, 5, 5, 5, 7.5].map((ms) => ({ due_ns: 1e9 + ms * 1e6, at_ns: 1e9 + ms * 1e6 })),
      end_ns: 1_007_500_000,
    });
  });

  it('has its instants from the end of the request’s body, its arrival from that of the head', async () => {
    const bench = new Bench([script('p', [[3, 'a']])]);
    const { acts, send } = bench.connect();
    const bytes = ask();
    send(bytes.slice(0, -5));
    await bench.to(100);
    send(bytes.slice(-5));
    await bench.to(200);
    expect(acts).toEqual([[103, 'a']]);
    expect(bench.engine.ledger().requests[0]).toMatchObject({ arrival_ns: 1e9, read_ns: 1.1e9 });
  });

  it('that is late moves no later one', async () => {
    const bench = new Bench([
      script('p', [
        [1, 'a'],
        [50, 'b'],
        [60, 'c'],
      ]),
    ]);
    const { acts, send } = bench.connect();
    send(ask());
    bench.nowNs += 55e6;
    await bench.to(100);
    expect(acts).toEqual([
      [55, 'a'],
      [55, 'b'],
      [60, 'c'],
    ]);
  });

  it.each(['close', 'reset'] as const)('ends by %s at its instant, and nothing follows', async (kind) => {
    const bench = new Bench([script('p', [[1, 'a']], { kind, atMs: 9 })]);
    const { acts, send } = bench.connect();
    send(ask() + ask());
    await bench.to(5);
    send(ask());
    await bench.to(50);
    expect(acts).toEqual([
      [1, 'a'],
      [9, kind === 'close' ? 'FIN' : 'RST'],
    ]);
    expect(bench.engine.ledger().requests).toHaveLength(1);
    expect(bench.engine.ledger().requests[0]).toMatchObject({ outcome: 'complete', end_ns: 1.009e9 });
    expect(bench.engine.counters.inFlight).toBe(0);
  });

  it('may be no write at all', async () => {
    const bench = new Bench([script('p', [], { kind: 'reset', atMs: 2 }), script('q', [])]);
    const first = bench.connect();
    first.send(ask());
    const second = bench.connect();
    second.send(ask());
    await bench.to(10);
    expect(first.acts).toEqual([[2, 'RST']]);
    expect(second.acts).toEqual([]);
  });

  it('ends when the client hangs up', async () => {
    const bench = new Bench([
      script('p', [
        [1, 'a'],
        [9, 'b'],
      ]),
    ]);
    const { acts, send, connection } = bench.connect();
    send(ask() + ask());
    await bench.to(5);
    connection.hungUp();
    connection.gone();
    await bench.to(50);
    expect(acts).toEqual([[1, 'a']]);
    const { requests } = bench.engine.ledger();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      outcome: 'clientClosed',
      client_closed_ns: 1.005e9,
      end_ns: 1.005e9,
    });
    expect(bench.engine.counters).toMatchObject({ inFlight: 0, clientClosed: 1, openConnections: 0 });
  });

  it('is complete where the client hangs up after the last write and before the FIN', async () => {
    const bench = new Bench([script('p', [[1, 'a']], { kind: 'close', atMs: 900 })]);
    const { send, connection } = bench.connect();
    send(ask());
    await bench.to(5);
    connection.hungUp();
    expect(bench.engine.ledger().requests[0]).toMatchObject({
      outcome: 'complete',
      client_closed_ns: 1.005e9,
    });
  });

  it('is unfinished where the target ends first', async () => {
    const bench = new Bench([
      script('p', [
        [1, 'a'],
        [9, 'b'],
      ]),
    ]);
    const { send, connection } = bench.connect();
    send(ask());
    await bench.to(5);
    bench.engine.ended = true;
    connection.gone();
    expect(bench.engine.ledger().requests[0]).toMatchObject({ outcome: 'unfinished', end_ns: null });
  });
});

describe('a connection', () => {
  it('answers pipelined requests in order, one at a time', async () => {
    const bench = new Bench([script('p', [[5, 'p']]), script('q', [[3, 'q']])]);
    const { acts, send } = bench.connect();
    send(`${ask()}GET /health HTTP/1.1\r\nhost: x\r\n\r\n${ask()}`);
    await bench.to(50);
    expect(statuses(acts)).toEqual(['p', '200', 'q']);
    expect(acts.map(([at]) => at)).toEqual([5, 5, 8]);
    expect(bench.engine.ledger().requests.map((row) => [row.on_connection, row.read_ns])).toEqual([
      [0, 1e9],
      [2, 1.005e9],
    ]);
  });

  it('ends where the client said that it would, by header or by version, after the answer', async () => {
    for (const bytes of [ask({}, ['connection: close']), ask({}, [], '1.0')]) {
      const bench = new Bench([script('p', [[5, 'a']])]);
      const { acts, send } = bench.connect();
      send(bytes);
      await bench.to(50);
      expect(acts).toEqual([
        [5, 'a'],
        [5, 'FIN'],
      ]);
    }
  });

  it('stays for HTTP/1.0 with keep-alive', async () => {
    const bench = new Bench([script('p', [[5, 'a']])]);
    const { acts, send } = bench.connect();
    send(ask({}, ['connection: keep-alive'], '1.0'));
    await bench.to(50);
    expect(texts(acts)).toEqual(['a']);
  });

  it('gives leave to send a body, once it is its turn', async () => {
    const bench = new Bench([script('p', [[5, 'a']])]);
    const { acts, send } = bench.connect();
    const expecting = ask({}, ['expect: 100-continue']);
    const body = expecting.indexOf('\r\n\r\n') + 4;
    send(expecting.slice(0, body));
    expect(acts).toEqual([[0, 'HTTP/1.1 100 Continue\r\n\r\n']]);
    send(expecting.slice(body) + expecting.slice(0, body));
    await bench.to(10);
    send(expecting.slice(body));
    await bench.to(20);
    expect(statuses(acts)).toEqual(['100', 'a', '100', 'a']);
  });

  it.each([
    ['no request line', 'nonsense\r\n\r\n', '400'],
    ['a length that is no number', 'POST /tokenize HTTP/1.1\r\ncontent-length: ten\r\n\r\n', '400'],
    ['two lengths', 'POST /tokenize HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', '400'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400'],
    ['endless headers', `GET / HTTP/1.1\r\na: ${'x'.repeat(100_000)}`, '431'],
    ['a body beyond the limit', 'POST /tokenize HTTP/1.1\r\ncontent-length: 1001\r\n\r\n', '413'],
    [
      'chunks beyond the limit',
      `POST /tokenize HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1001)}\r\n`,
      '413',
    ],
  ])('is closed after %s, behind the answers before it', async (_, bytes, status) => {
    const bench = new Bench([script('p', [[5, 'a']])]);
    const { acts, send } = bench.connect();
    send(ask() + bytes);
    send(ask());
    await bench.to(50);
    expect(statuses(acts)).toEqual(['a', status, 'FIN']);
    expect(acts[1]![1]).toContain('connection: close');
    expect(bench.engine.ledger().requests).toHaveLength(1);
  });

  it('reads the same requests however their bytes are cut', async () => {
    const chunked =
      'POST /v1/completions?x=1 HTTP/1.1\r\ntransfer-encoding: chunked\r\nx-request-id: r2\r\n\r\n' +
      '10;ext=1\r\n{"stream":true,"\r\nb\r\nprompt":"a"\r\n1\r\n}\r\n0\r\ntrailer: x\r\n\r\n';
    const upgrade = 'GET /health HTTP/1.1\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n';
    const bytes =
      upgrade + ask({ max_tokens: 7 }, ['X-Request-ID: r1']) + chunked + ask({}, ['expect: 200-ok']);
    const cuts = fc.uniqueArray(fc.nat(bytes.length), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const bench = new Bench([script('p', [[1, 'a']])]);
        const { acts, send } = bench.connect();
        const at = [0, ...places.sort((a, b) => a - b), bytes.length];
        for (let i = 1; i < at.length; i++) send(bytes.slice(at[i - 1], at[i]));
        await bench.to(10);
        expect(statuses(acts)).toEqual(['200', 'a', 'a', 'a']);
        expect(bench.engine.ledger().requests).toMatchObject([
          { kind: 'chat', request_id: 'r1', asked_tokens: 7, prompt_tokens: 3 },
          { kind: 'text', request_id: 'r2', asked_tokens: 50, prompt_tokens: 1 },
          { kind: 'chat', request_id: null },
        ]);
      }),
    );
  });
});

describe('slots', () => {
  const probes = ['x', 'y', 'x'].map((id) => script(id, [[1, id]]));

  it('go round, and places count by probe', async () => {
    const bench = new Bench(probes);
    const { acts, send } = bench.connect();
    for (let i = 0; i < 5; i++) send(ask());
    await bench.to(100);
    expect(texts(acts)).toEqual(['x', 'y', 'x', 'x', 'y']);
    expect(bench.engine.ledger().requests.map(({ probe, place }) => [probe, place])).toEqual([
      ['x', 0],
      ['y', 0],
      ['x', 1],
      ['x', 2],
      ['y', 1],
    ]);
  });

  it('begin after the warm-up, which gets M; what asks for no stream gets M as one document and takes none', async () => {
    const bench = new Bench(probes, 1);
    const { acts, send } = bench.connect();
    send(ask() + ask({ stream: false, max_tokens: 1 }) + ask());
    await bench.to(5000);
    const rows = bench.engine.ledger().requests;
    expect(rows.map(({ probe, warm_up, streamed }) => [probe, warm_up, streamed])).toEqual([
      [null, true, true],
      [null, false, false],
      ['x', false, true],
    ]);
    expect(rows[0]!.writes).toHaveLength(51);
    const [at, text] = acts[51]!;
    expect(at).toBe(1180 + 1180);
    const { id, choices, usage } = JSON.parse(text.split('\r\n\r\n')[1]!);
    expect(id).toBe(rows[1]!.response_id);
    expect(choices[0].message.content.trim().split(' ')).toHaveLength(50);
    expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 53, completion_tokens: 50 });
  });

  it('are not used up by bodies that are refused', async () => {
    const bench = new Bench(probes);
    const { acts, send } = bench.connect();
    send(ask({ messages: 7 }) + ask({ model: 'another' }) + ask());
    await bench.to(100);
    expect(statuses(acts)).toEqual(['400', '404', 'x']);
    const { requests, unserved } = bench.engine.ledger();
    expect(requests).toMatchObject([{ probe: 'x', place: 0, ordinal: 0 }]);
    expect(unserved[0]!.asked).toContain('refused: messages must be a list');
  });
});

describe('what a probe is told', () => {
  it('is what was asked', async () => {
    let asked: Asked | undefined;
    const spy = {
      id: 'spy',
      tokens: 20,
      answer: (given: Asked) => {
        asked = given;
        return plain.answer(given);
      },
    };
    const bench = new Bench([spy]);
    const { send } = bench.connect();
    const parts = [{ type: 'text', text: 'one two' }];
    send('HEAD /health HTTP/1.1\r\n\r\n');
    send(
      ask(
        {
          messages: [
            { role: 'system', content: 'zero' },
            { role: 'user', content: parts },
          ],
          ignore_eos: true,
          stream_options: { include_usage: true },
        },
        ['X-A: 1', 'x-a: 2'],
      ),
    );
    expect(asked).toMatchObject({
      kind: 'chat',
      model: 'tare-reference',
      tokens: 20,
      includeUsage: true,
      ignoreEos: true,
      promptTokens: 3,
      prompt: 'zero one two',
      id: 'chatcmpl-0123abcd00000000',
      httpVersion: '1.1',
      place: 0,
      onConnection: 1,
    });
    expect(asked!.headers['x-a']).toBe('1, 2');
    await bench.to(2000);
  });
});

describe('the other paths', () => {
  const get = (line: string, body = ''): string => {
    const bench = new Bench([script('p', [])]);
    const { acts, send } = bench.connect();
    send(`${line} HTTP/1.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    return acts[0]![1];
  };
  const jsonOf = (reply: string) => JSON.parse(reply.split('\r\n\r\n')[1]!);

  it('are those of the reference target', () => {
    expect(jsonOf(get('GET /v1/models')).data[0].id).toBe('tare-reference');
    expect(jsonOf(get('GET http://localhost:1/health/'))).toEqual({ status: 'ok' });
    expect(get('GET /metrics')).toContain('tare_requests_in_flight 0');
    expect(jsonOf(get('GET /tare/stats'))).toMatchObject({ requests: 0, in_flight: 0 });
    expect(jsonOf(get('POST /tokenize', '{"prompt":"a b"}'))).toMatchObject({ count: 2, tokens: [0, 1] });
    expect(get('POST /tokenize', '{}')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('are 404 or 405 in JSON where there is nothing; HEAD has no body', () => {
    for (const path of ['/server_info', '/get_server_info', '/version', '/']) {
      expect(get(`GET ${path}`)).toMatch(/^HTTP\/1\.1 404 Not Found\r\ncontent-type: application\/json\r\n/);
      expect(jsonOf(get(`GET ${path}`)).error.code).toBe('not_found');
    }
    expect(get('GET /v1/completions')).toMatch(/^HTTP\/1\.1 405 [\s\S]*allow: POST\r\n/);
    expect(get('HEAD /nope')).toMatch(/^HTTP\/1\.1 404 [\s\S]*content-length: [1-9]\d*\r\n[\s\S]*\r\n\r\n$/);
  });
});
