import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReferenceTarget } from '../../../simulators/reference/server.ts';
import { CHAT, chatBody, events, post, send, startTarget, TEXT } from './helpers.ts';

let target: ReferenceTarget;
beforeAll(async () => {
  target = await startTarget({
    model: { name: 'm', defaultTokens: 7, maxModelLen: 100, eos: null },
    maxBodyBytes: 2000,
  });
});
afterAll(() => target.stop());

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

describe('a streamed chat', () => {
  it('gives one event a token, the role with the first, the reason with the last', async () => {
    const { status, headers, text } = await post(
      target,
      CHAT,
      chatBody({ stream: true, max_tokens: 3, model: 'm' }),
    );
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/event-stream/);
    const all = events(text);
    expect(all.map((event) => event.choices[0].delta)).toEqual([
      { role: 'assistant', content: ' tok' },
      { content: ' tok' },
      { content: ' tok' },
    ]);
    expect(all.map((event) => event.choices[0].finish_reason)).toEqual([null, null, 'length']);
    expect(new Set(all.map((event) => event.id)).size).toBe(1);
    expect(all[0]).toMatchObject({ object: 'chat.completion.chunk', model: 'm' });
    expect(Math.abs(all[0].created - Date.now() / 1000)).toBeLessThan(5);
  });

  it('gives usage in an event of its own when asked, and only then', async () => {
    const asked = events(
      (
        await post(
          target,
          CHAT,
          chatBody({ stream: true, max_tokens: 2, stream_options: { include_usage: true } }),
        )
      ).text,
    );
    expect(asked.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
    const silent = events((await post(target, CHAT, chatBody({ stream: true, max_tokens: 2 }))).text);
    expect(silent.filter((event) => 'usage' in event)).toEqual([]);
  });

  it.each([1, 2, 3, 16, 77])('of %i tokens has as many words by any count', async (count) => {
    const all = events((await post(target, CHAT, chatBody({ stream: true, max_tokens: count }))).text);
    const pieces = all.map((event) => event.choices[0].delta.content);
    expect(pieces).toHaveLength(count);
    expect(pieces.every((piece) => words(piece) === 1)).toBe(true);
    expect(words(pieces.join(''))).toBe(count);
    expect(all.at(-1).choices[0].finish_reason).toBe('length');
  });

  it('has an id that no other answer has, in bytes that are used again', async () => {
    const bodies = Array.from({ length: 40 }, () => post(target, CHAT, chatBody({ stream: true })));
    const ids = (await Promise.all(bodies)).map(
      (reply) => new Set(events(reply.text).map((event) => event.id)),
    );
    expect(ids.every((set) => set.size === 1)).toBe(true);
    expect(new Set(ids.flatMap((set) => [...set])).size).toBe(40);
  });
});

describe('the other shapes', () => {
  it('a chat that is not streamed', async () => {
    const { headers, text } = await post(target, CHAT, chatBody({ max_completion_tokens: 4, max_tokens: 9 }));
    expect(headers['content-type']).toMatch(/^application\/json/);
    const answer = JSON.parse(text);
    expect(answer).toMatchObject({
      object: 'chat.completion',
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    });
    expect(words(answer.choices[0].message.content)).toBe(4);
  });

  it('a completion, streamed and not', async () => {
    const stream = events((await post(target, TEXT, { prompt: 'a b', stream: true, max_tokens: 2 })).text);
    expect(stream.map((event) => event.choices[0].text)).toEqual([' tok', ' tok']);
    expect(stream[0]).toMatchObject({ object: 'text_completion' });
    expect(stream[0].id).toMatch(/^cmpl-[0-9a-f]{16}$/);
    const whole = JSON.parse((await post(target, TEXT, { prompt: [5, 6, 7, 8] })).text);
    expect(whole.usage).toEqual({ prompt_tokens: 4, completion_tokens: 7, total_tokens: 11 });
    expect(words(whole.choices[0].text)).toBe(7);
  });

  it('bodies of any declared type are read as JSON', async () => {
    for (const type of ['text/plain', 'application/json; charset=utf-8', 'application/octet-stream'])
      expect((await post(target, CHAT, chatBody(), { 'content-type': type })).status).toBe(200);
  });
});

describe('the other endpoints', () => {
  it('lists the model, is healthy, tokenizes by words', async () => {
    const models = JSON.parse((await send(`${target.url}/v1/models`, 'GET')).text);
    expect(models.data[0]).toMatchObject({ id: 'm', object: 'model', max_model_len: 100 });
    expect((await send(`${target.url}/health`, 'GET')).status).toBe(200);
    const tokenized = JSON.parse((await post(target, '/tokenize', { prompt: ' a  b\nc ' })).text);
    expect(tokenized).toEqual({ count: 3, max_model_len: 100, tokens: [0, 1, 2] });
    expect(JSON.parse((await post(target, '/tokenize', chatBody())).text).count).toBe(3);
    expect((await post(target, '/tokenize', '{')).status).toBe(400);
  });

  it('gives metrics that Prometheus can read', async () => {
    const { headers, text } = await send(`${target.url}/metrics`, 'GET');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text.endsWith('\n')).toBe(true);
    const typed = new Set([...text.matchAll(/^# TYPE (\S+) (?:counter|gauge)$/gm)].map((match) => match[1]));
    for (const line of text
      .trim()
      .split('\n')
      .filter((one) => !one.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_]+(\{[a-z_]+="[^"]*"\})? \d+(\.\d+)?(e[+-]?\d+)?$/);
      expect(typed).toContain(line.split(/[{ ]/)[0]);
    }
    expect(text).toMatch(/^tare_requests_in_flight 0$/m);
  });

  it('answers anything else in JSON: 404, or 405 with what is allowed', async () => {
    for (const path of ['/', '/server_info', '/v1/embeddings', '/v1/models/none']) {
      const reply = await send(target.url + path, 'GET');
      expect(reply.status).toBe(404);
      expect(JSON.parse(reply.text).error.message).toContain(path);
    }
    const wrong = await send(target.url + CHAT, 'GET');
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST']);
    expect((await send(`${target.url}/health`, 'PUT', {})).status).toBe(405);
    expect((await post(target, '/nope', { a: 1 })).status).toBe(404);
  });
});

describe('refusals', () => {
  const cases: [string, string, object | string, number, string | null][] = [
    ['no JSON', CHAT, '{"messages":', 400, null],
    ['an empty body', CHAT, '', 400, null],
    ['a list', CHAT, '[]', 400, null],
    ['no messages', CHAT, {}, 400, 'messages'],
    ['empty messages', CHAT, { messages: [] }, 400, 'messages'],
    ['no prompt', TEXT, {}, 400, 'prompt'],
    ['two prompts', TEXT, { prompt: ['a', 'b'] }, 400, 'prompt'],
    ['token ids that are none', TEXT, { prompt: [1, -2] }, 400, 'prompt'],
    ['no tokens', CHAT, chatBody({ max_tokens: 0 }), 400, 'max_tokens'],
    ['half a token', CHAT, chatBody({ max_completion_tokens: 1.5 }), 400, 'max_completion_tokens'],
    ['tokens as text', CHAT, chatBody({ max_tokens: '16' }), 400, 'max_tokens'],
    ['more at least than at most', CHAT, chatBody({ max_tokens: 2, min_tokens: 3 }), 400, 'min_tokens'],
    ['two choices', CHAT, chatBody({ n: 2 }), 400, 'n'],
    ['stream as text', CHAT, chatBody({ stream: 'yes' }), 400, 'stream'],
    ['stream options without a stream', CHAT, chatBody({ stream_options: {} }), 400, 'stream_options'],
    ['more than the context holds', CHAT, chatBody({ max_tokens: 98 }), 400, 'messages'],
    ['another model', CHAT, chatBody({ model: 'gpt-4' }), 404, 'model'],
    ['a body beyond the limit', TEXT, { prompt: 'x'.repeat(3000) }, 413, null],
  ];
  it.each(cases)('%s', async (_name, path, body, status, param) => {
    const reply = await post(target, path, body);
    expect(reply.status).toBe(status);
    const { error } = JSON.parse(reply.text);
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
    expect(error.param).toBe(param);
    expect(error.message.length).toBeGreaterThan(10);
  });

  it('leave the connection and the server in order', async () => {
    expect((await post(target, CHAT, chatBody({ max_tokens: 97 }))).status).toBe(200);
    expect(JSON.parse((await send(`${target.url}/tare/stats`, 'GET')).text)).toMatchObject({
      in_flight: 0,
      refused: cases.length,
    });
  });
});

describe('an end-of-text token', () => {
  it('ends the answer early, unless ignore_eos or min_tokens', async () => {
    const early = await startTarget({ model: { name: 'm', defaultTokens: 50, maxModelLen: 100, eos: 20 } });
    const outcome = async (more: object) => {
      const { choices, usage } = JSON.parse((await post(early, CHAT, chatBody(more))).text);
      return [usage.completion_tokens, choices[0].finish_reason];
    };
    expect(await outcome({})).toEqual([20, 'stop']);
    expect(await outcome({ ignore_eos: true })).toEqual([50, 'length']);
    expect(await outcome({ min_tokens: 30 })).toEqual([30, 'stop']);
    expect(await outcome({ max_tokens: 10 })).toEqual([10, 'length']);
    expect(await outcome({ max_tokens: 20 })).toEqual([20, 'length']);
    expect(await outcome({ min_tokens: 60, max_tokens: 70, ignore_eos: true })).toEqual([70, 'length']);
    const ledger = await early.stop();
    expect([ledger.askedTokens[0], ledger.deliveredTokens[0]]).toEqual([50, 20]);
  });
});
