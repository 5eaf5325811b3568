import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReferenceOptions } from '../../../simulators/reference/options.ts';
import type { ReferenceTarget } from '../../../simulators/reference/server.ts';
import {
  CHAT,
  chatBody,
  events,
  rawRequest,
  segments,
  serverWrites,
  startTarget,
  TEXT,
  until,
} from './helpers.ts';

let target: ReferenceTarget;
afterEach(() => target.stop());
const start = async (options: Partial<ReferenceOptions> = {}): Promise<ReferenceTarget> => {
  target = await startTarget(options);
  return target;
};

const isEnd = (all: string): boolean => all.endsWith('\r\n0\r\n\r\n');
const streamed = chatBody({ stream: true, max_tokens: 16, stream_options: { include_usage: true } });

/** The body of a chunked response. */
function unchunk(response: string): string {
  let rest = response.slice(response.indexOf('\r\n\r\n') + 4);
  let body = '';
  for (;;) {
    const size = Number.parseInt(rest, 16);
    const from = rest.indexOf('\r\n') + 2;
    if (size === 0) return body;
    body += rest.slice(from, from + size);
    rest = rest.slice(from + size + 2);
  }
}

describe('zero latency', () => {
  it('sends head, events and end in one write', async () => {
    await start();
    const parts = await segments(target.port, rawRequest(CHAT, streamed), isEnd);
    expect(parts).toHaveLength(1);
    const again = () => segments(target.port, rawRequest(CHAT, streamed), isEnd);
    expect(await serverWrites(target.port, again)).toHaveLength(1);
    expect(parts[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(
      parts[0]!.match(/\r\ndate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/),
    ).not.toBeNull();
    expect(events(unchunk(parts[0]!))).toHaveLength(17);
  });

  it('does so for what is not streamed, with its length', async () => {
    await start();
    const whole = (all: string): boolean => all.endsWith('}');
    const parts = await segments(target.port, rawRequest(TEXT, { prompt: 'a' }), whole);
    expect(parts).toHaveLength(1);
    const [head, body] = parts[0]!.split('\r\n\r\n');
    expect(head).toContain(`content-length: ${body!.length}`);
  });

  it('answers request after request on one connection', async () => {
    await start();
    const socket = connect(target.port, '127.0.0.1');
    await once(socket, 'connect');
    for (let i = 0; i < 50; i++) {
      socket.write(rawRequest(CHAT, streamed));
      const [part] = await once(socket, 'data');
      expect(isEnd(String(part))).toBe(true);
    }
    socket.destroy();
    expect([...new Set(target.ledger().connection)]).toEqual([0]);
  });

  it('keeps an answer whole that the client takes slowly', async () => {
    await start({ model: { name: 'm', defaultTokens: 60_000, maxModelLen: 100_000, eos: null } });
    const sockets = [0, 1].map(() => connect(target.port, '127.0.0.1').pause());
    for (const socket of sockets) socket.write(rawRequest(CHAT, chatBody({ stream: true })));
    await until(() => target.ledger().endNs.filter((ns) => !Number.isNaN(ns)).length === 2);
    const ids = new Set<string>();
    for (const socket of sockets) {
      const parts: Buffer[] = [];
      for await (const part of socket) {
        parts.push(part);
        if (isEnd(String(part.subarray(-7)))) break;
      }
      const found = [
        ...Buffer.concat(parts)
          .toString()
          .matchAll(/"id":"(chatcmpl-[0-9a-f]{16})"/g),
      ];
      expect(found).toHaveLength(60_000);
      expect(new Set(found.map((match) => match[1])).size).toBe(1);
      ids.add(found[0]![1]!);
    }
    expect(ids).toEqual(new Set(target.ledger().responseId));
  });
});

describe('a stream whose end comes late', () => {
  const tail = { tailNs: 15e6 };
  it.each([
    ['zero', 2],
    ['ttft=1ms,itl=1ms', 17],
  ])(
    'latency %s: every token first, then usage, [DONE] and the end in a write of their own',
    async (latency, writes) => {
      await start({ ...tail, latency });
      const parts = await segments(target.port, rawRequest(CHAT, streamed), isEnd);
      expect(parts.length).toBeLessThanOrEqual(writes);
      expect(parts.at(-1)).toMatch(/^[0-9a-f]+\r\ndata: \{[^\n]*"usage":.*\[DONE\]\n\n\r\n0\r\n\r\n$/s);
      expect(events(unchunk(parts.join('')))).toHaveLength(17);
      const ledger = target.ledger();
      expect(ledger.endNs[0]! - ledger.lastNs[0]!).toBeGreaterThanOrEqual(15e6);
      expect(ledger.outcome[0]).toBe(0);
      expect(ledger.meta).toMatchObject({ tailNs: 15e6, role: 'merged' });
    },
  );

  it('HTTP/1.0 and answers that are no streams know it too', async () => {
    await start(tail);
    const old = (await segments(target.port, rawRequest(CHAT, streamed, '1.0'), () => false)).join('');
    expect(events(old.slice(old.indexOf('\r\n\r\n') + 4))).toHaveLength(17);
    const whole = (all: string): boolean => all.endsWith('}');
    expect(await segments(target.port, rawRequest(TEXT, { prompt: 'a' }), whole)).toHaveLength(1);
    const ledger = target.ledger();
    expect([...ledger.endNs].map((end, i) => end - ledger.lastNs[i]! >= 15e6)).toEqual([true, false]);
  });

  it('a client that leaves after the last token has closed early', async () => {
    await start({ tailNs: 60e9 });
    const socket = connect(target.port, '127.0.0.1');
    socket.write(rawRequest(CHAT, streamed));
    await once(socket, 'data');
    socket.destroy();
    await until(() => !Number.isNaN(target.ledger().endNs[0]!));
    expect(target.ledger().outcome[0]).toBe(2);
    expect(target.ledger().deliveredTokens[0]).toBe(16);
  });
});

describe('what is not plain keep-alive HTTP/1.1', () => {
  it('HTTP/1.0: no chunks, and the connection ends with the answer', async () => {
    await start();
    const all = (await segments(target.port, rawRequest(CHAT, streamed, '1.0'), () => false)).join('');
    expect(all).not.toMatch(/transfer-encoding/i);
    expect(events(all.slice(all.indexOf('\r\n\r\n') + 4))).toHaveLength(17);
  });

  it('connection: close is honoured, streamed and timed too', async () => {
    await start({ latency: 'ttft=1ms,itl=100us' });
    const request = rawRequest(CHAT, streamed, '1.1', ['connection: close']);
    const all = (await segments(target.port, request, () => false)).join('');
    expect(all).toMatch(/connection: close/i);
    expect(events(unchunk(all))).toHaveLength(17);
    const ledger = target.ledger();
    expect([ledger.deliveredTokens[0], ledger.tokenNs.length]).toEqual([16, 16]);
  });

  it('pipelined requests are answered in their order', async () => {
    await start({ latency: 'ttft=2ms,itl=100us' });
    const ends = (all: string): boolean => all.split('\r\n0\r\n\r\n').length === 4;
    const one = rawRequest(CHAT, chatBody({ stream: true, max_tokens: 3 }));
    const all = (await segments(target.port, one.repeat(3), ends)).join('');
    const ids = [...all.matchAll(/"id":"(chatcmpl-[0-9a-f]+)"/g)].map((match) => match[1]);
    expect([...new Set(ids)]).toEqual(target.ledger().responseId);
    expect(ids).toHaveLength(9);
  });

  it('a body that comes in pieces', async () => {
    await start();
    const bytes = rawRequest(CHAT, streamed);
    const socket = connect(target.port, '127.0.0.1').setNoDelay(true);
    const at = bytes.length - 40;
    socket.write(bytes.slice(0, at));
    await until(() => target.ledger().rows === 1);
    socket.write(bytes.slice(at));
    const [part] = await once(socket, 'data');
    expect(isEnd(String(part))).toBe(true);
    socket.destroy();
  });
});

describe('tokens that leave one by one', () => {
  it('carry one token a write, the end of the body with the last', async () => {
    await start({ latency: 'ttft=5ms,itl=3ms' });
    const parts = await segments(
      target.port,
      rawRequest(CHAT, chatBody({ stream: true, max_tokens: 4 })),
      isEnd,
    );
    expect(events(unchunk(parts.join('')))).toHaveLength(4);
    const { tokenNs, tokenDueNs, tokenStart, arrivalNs, firstNs, lastNs, headersNs } = target.ledger();
    expect([...tokenStart]).toEqual([0, 4]);
    expect([...tokenDueNs].map((due) => due - arrivalNs[0]!)).toEqual([5e6, 8e6, 11e6, 14e6]);
    expect([...tokenNs].every((at, i) => at >= tokenDueNs[i]!)).toBe(true);
    expect([tokenNs[0], tokenNs[3], headersNs[0]]).toEqual([firstNs[0], lastNs[0], firstNs[0]]);
  });

  it('leave together where the gap is nothing', async () => {
    await start({ latency: 'ttft=3ms' });
    const once = () => segments(target.port, rawRequest(CHAT, streamed), isEnd);
    expect(await serverWrites(target.port, once)).toHaveLength(1);
    const ledger = target.ledger();
    expect([...ledger.tokenStart]).toEqual([0, 0]);
    expect([ledger.firstDueNs[0], ledger.lastDueNs[0]]).toEqual([
      ledger.arrivalNs[0]! + 3e6,
      ledger.arrivalNs[0]! + 3e6,
    ]);
    expect(ledger.firstNs[0]).toBeGreaterThanOrEqual(ledger.firstDueNs[0]!);
  });

  it('an answer that is not streamed leaves when its last token is due', async () => {
    await start({ latency: 'ttft=2ms,itl=1ms' });
    await segments(target.port, rawRequest(TEXT, { prompt: 'a b', max_tokens: 4 }), (all) =>
      all.endsWith('}'),
    );
    const ledger = target.ledger();
    expect(ledger.firstDueNs[0]! - ledger.arrivalNs[0]!).toBe(5e6);
    expect(ledger.lastDueNs[0]).toBe(ledger.firstDueNs[0]);
    expect(ledger.tokenNs).toHaveLength(0);
  });

  it('prefill counts by the prompt', async () => {
    await start({ latency: 'prefill=1ms' });
    await segments(target.port, rawRequest(CHAT, streamed), isEnd);
    expect(target.ledger().firstDueNs[0]! - target.ledger().arrivalNs[0]!).toBe(3e6);
  });
});

describe('head and role', () => {
  const timed = { latency: 'ttft=2ms,itl=1ms' };
  const body = rawRequest(CHAT, chatBody({ stream: true, max_tokens: 2 }));
  const writesOf = (bytes: string): Promise<string[]> =>
    serverWrites(target.port, () => segments(target.port, bytes, isEnd));

  it('wait for the first token by default', async () => {
    await start(timed);
    const writes = await writesOf(body);
    expect(writes.map((write) => write.match(/ tok/g)?.length)).toEqual([1, 1]);
    expect(writes[1]).toMatch(/\[DONE\]\n\n\r\n0\r\n\r\n$/);
    expect(target.ledger().headersNs[0]).toBe(target.ledger().firstNs[0]);
  });

  it('a head can leave at once', async () => {
    await start({ ...timed, earlyHeaders: true });
    const writes = await writesOf(body);
    expect(writes).toHaveLength(3);
    expect(writes[0]).toMatch(/\r\n\r\n$/);
    expect(writes[0]).not.toContain('data:');
    expect(events(unchunk(writes.join('')))).toHaveLength(2);
    const { headersNs, firstNs } = target.ledger();
    expect(headersNs[0]).toBeLessThan(firstNs[0]!);
  });

  it('a role of its own goes with the first token', async () => {
    await start({ ...timed, role: 'separate' });
    const writes = await writesOf(body);
    expect(writes.map((write) => write.match(/data: \{/g)?.length)).toEqual([2, 1]);
    const deltas = events(unchunk(writes.join(''))).map((event) => event.choices[0].delta);
    expect(deltas).toEqual([{ role: 'assistant', content: '' }, { content: ' tok' }, { content: ' tok' }]);
    expect(target.ledger().deliveredTokens[0]).toBe(2);
  });

  it('or at once, as vLLM sends it; not in completions', async () => {
    await start({ ...timed, role: 'early' });
    const writes = await writesOf(body);
    expect(writes.map((write) => write.match(/data: \{/g)?.length)).toEqual([1, 1, 1]);
    expect(writes[0]).toContain('"role":"assistant","content":""');
    const text = await writesOf(rawRequest(TEXT, { prompt: 'a', stream: true, max_tokens: 2 }));
    expect(text.map((write) => write.match(/ tok/g)?.length)).toEqual([1, 1]);
  });

  it('the plain way sends the same events', async () => {
    for (const options of [{ role: 'early' }, { role: 'separate' }, { earlyHeaders: true }] as const) {
      await start({ ...timed, ...options });
      const closing = rawRequest(CHAT, chatBody({ stream: true, max_tokens: 2 }), '1.1', [
        'connection: close',
      ]);
      const fast = (await segments(target.port, body, isEnd)).join('');
      const plain = (await segments(target.port, closing, () => false)).join('');
      const deltas = (all: string): object[] => events(unchunk(all)).map((event) => event.choices);
      expect(deltas(plain)).toEqual(deltas(fast));
      await target.stop();
    }
    await start();
  });
});
