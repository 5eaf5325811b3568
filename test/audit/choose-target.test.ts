import { describe, expect, it } from 'vitest';
import { baseUrl, checkReach, chooseTarget, latencyFor } from '../../src/audit/choose-target.ts';
import { NOT_INJECTED } from '../../src/measure/latency-spec.ts';
import { UserError } from '../../src/system/user-error.ts';

const names: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'both.example': ['127.0.0.1', '192.0.2.7'],
  'far.example': ['192.0.2.7'],
};
const resolve = async (host: string) => {
  if (names[host] === undefined) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
  return names[host];
};
const reach = (url: string, allowed = false) => checkReach(new URL(url), allowed, resolve);

describe('baseUrl', () => {
  it.each([
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/'],
    ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000/'],
    ['https://h:1/prefix/v1', 'https://h:1/prefix'],
    ['http://127.1:80', 'http://127.0.0.1/'],
  ])('%s is %s', (text, href) => expect(baseUrl(text).href).toBe(href));

  it.each([
    ['refrence', /is not known/],
    ['127.0.0.1:8000', /is not known/],
    ['ftp://127.0.0.1', /neither http nor https/],
    ['http://127.0.0.1?a=1', /query/],
    ['http://me:secret@127.0.0.1', /audit\.json/],
  ])('refuses %s', (text, why) => {
    expect(() => baseUrl(text)).toThrow(why);
    expect(() => baseUrl(text)).toThrow(UserError);
    expect(() => baseUrl(text)).not.toThrow(/secret/);
  });
});

describe('checkReach', () => {
  it.each([
    'http://127.0.0.1',
    'http://127.9.8.7',
    'http://[::1]:80',
    'http://[::ffff:127.0.0.1]',
    'http://localhost',
    'http://2130706433',
  ])('%s is loopback', async (url) => expect(await reach(url)).toBe(false));

  it.each([
    'http://192.0.2.7',
    'http://far.example',
    'http://both.example',
    'http://[2001:db8::1]',
    'http://0.0.0.0',
  ])('%s needs --allow-remote', async (url) => {
    const error = await reach(url).catch((e: Error) => e);
    expect(error).toBeInstanceOf(UserError);
    expect((error as Error).message.split('\n')).toHaveLength(2);
    expect((error as Error).message).toMatch(/--allow-remote/);
    expect(await reach(url, true)).toBe(true);
  });

  it('names a host without an address', () =>
    expect(reach('http://none.example', true)).rejects.toThrow(/none\.example has no address/));
});

describe('chooseTarget', () => {
  it('takes the reference target as it is', async () =>
    expect(await chooseTarget({ target: 'reference', model: null, allowRemote: false })).toMatchObject({
      kind: 'reference',
      url: null,
      model: 'tare-reference',
    }));

  it('sends nothing beyond loopback to find out the model', () =>
    expect(
      chooseTarget({ target: 'http://far.example', model: null, allowRemote: false }, resolve),
    ).rejects.toThrow(/--allow-remote/));

  it('keeps the base URL and the model of a server that runs', async () =>
    expect(
      await chooseTarget({ target: 'http://localhost:9/v1', model: 'm', allowRemote: false }, resolve),
    ).toEqual({
      kind: 'external',
      url: 'http://localhost:9',
      remote: false,
      version: null,
      path: null,
      model: 'm',
    }));
});

describe('latencyFor', () => {
  const target = { url: 'http://127.0.0.1:9', remote: false, version: null, path: null, model: 'm' };
  it('knows none of a server that runs already, and refuses one', () => {
    expect(latencyFor({ ...target, kind: 'external' }, null)).toBe(NOT_INJECTED);
    expect(() => latencyFor({ ...target, kind: 'external' }, 'zero')).toThrow(/Leave --latency out/);
  });
  it('is zero for the simulator, which takes only what it gives exactly', () => {
    expect(latencyFor({ ...target, kind: 'llm-d-inference-sim' }, null)).toBe('zero');
    expect(() => latencyFor({ ...target, kind: 'llm-d-inference-sim' }, 'ttft=lognormal:5ms:1')).toThrow(
      UserError,
    );
  });
  it('has a default for the reference target, and checks the spelling', () => {
    expect(latencyFor({ ...target, kind: 'reference' }, null)).toBe('ttft=50ms,itl=10ms');
    expect(() => latencyFor({ ...target, kind: 'reference' }, 'ttft=5')).toThrow(/needs a unit/);
  });
});
