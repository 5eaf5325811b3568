import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { servedModel } from '../../src/load/served-model.ts';
import { UserError } from '../../src/system/user-error.ts';

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
  ])('says what to do with %s, without the key', async (_, get) => {
    const error = await servedModel('http://h:1', 'secret', get).catch((e: Error) => e);
    expect((error as Error).message).toMatch(/--model NAME/);
    expect((error as Error).message).not.toContain('secret');
  });

  const failing = (error: Error): typeof fetch =>
    (async () => {
      throw error;
    }) as unknown as typeof fetch;
  /** As fetch fails: the code is in the cause. */
  const caused = (code: string) =>
    failing(new TypeError('fetch failed', { cause: Object.assign(new Error(''), { code }) }));
  it.each([
    ['nothing listens', caused('ECONNREFUSED'), /nothing listens on that port \(ECONNREFUSED\)/],
    ['no such host', caused('ENOTFOUND'), /there is no such host/],
    ['no answer', failing(new DOMException('aborted', 'TimeoutError')), /did not answer within 5 s/],
    [
      'another fault',
      failing(new TypeError('fetch failed', { cause: new Error('x is odd') })),
      /: x is odd\./,
    ],
  ])('says that the server cannot be reached, not that the model is missing: %s', async (_, get, words) => {
    const error = (await servedModel('http://h:1/', null, get).catch((e: Error) => e)) as Error;
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toMatch(/^the server at http:\/\/h:1 cannot be reached: /);
    expect(error.message).toMatch(words);
    expect(error.message).not.toContain('--model');
  });

  it('explains a port that fetch refuses', () =>
    expect(servedModel('http://127.0.0.1:9', null)).rejects.toThrow(
      /its port is one that Node’s fetch never asks/,
    ));

  it('knows a port where nothing listens, by a name of several addresses too', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    for (const host of ['127.0.0.1', 'localhost'])
      await expect(servedModel(`http://${host}:${port}`, null)).rejects.toThrow(/ECONNREFUSED/);
  });
});
