import { describe, expect, it } from 'vitest';
import { servedModel } from '../../src/load/served-model.ts';

const answering = (status: number, body: string, seen: unknown[] = []): typeof fetch =>
  (async (url: string, init: RequestInit) => {
    seen.push(url, init.headers);
    return new Response(body, { status });
  }) as unknown as typeof fetch;

describe('servedModel', () => {
  it('takes the first model, and sends the key', async () => {
    const seen: unknown[] = [];
    const get = answering(200, '{"data":[{"id":"llama"},{"id":"other"}]}', seen);
    expect(await servedModel('http://h:1/', 'secret', get)).toBe('llama');
    expect(seen).toEqual(['http://h:1/v1/models', { authorization: 'Bearer secret' }]);
  });
  it.each([
    ['no model', answering(200, '{"data":[]}')],
    ['another shape', answering(200, '[]')],
    ['an error', answering(401, '{"error":{"message":"key secret is wrong"}}')],
    ['no JSON', answering(200, '<html>')],
    [
      'no server',
      (async () => {
        throw Object.assign(new TypeError('fetch failed'), { cause: new Error('connect ECONNREFUSED') });
      }) as unknown as typeof fetch,
    ],
  ])('says what to do with %s, without the key', async (_, get) => {
    const error = await servedModel('http://h:1', 'secret', get).catch((e: Error) => e);
    expect((error as Error).message).toMatch(/--model NAME/);
    expect((error as Error).message).not.toContain('secret');
  });
});
