import { describe, expect, it } from 'vitest';
import {
  type Cores,
  isLoopback,
  LOAD_DEFAULTS,
  type LoadOptions,
  parseBaseUrl,
  planLoad,
} from '../../src/load/options.ts';

const eight: Cores = { allowed: [0, 1, 2, 3, 4, 5, 6, 7], total: 8, taskset: true };
const two: Cores = { allowed: [0, 1], total: 2, taskset: true };

function plan(change: Partial<LoadOptions>, cores: Cores) {
  const base = { ...LOAD_DEFAULTS, url: 'http://127.0.0.1:8000', rateRps: 100, requests: 1000 };
  return planLoad({ ...base, ...change }, cores);
}

describe('planLoad', () => {
  it.each([
    ['leaves a core to a target on this machine', {}, two, 1, 'spin'],
    ['takes all cores against another machine', { url: 'https://api.example' }, two, 2, 'spin'],
    ['blocks on the one core there is', {}, { ...two, allowed: [0], total: 1 }, 1, 'block'],
    ['takes cores that it was bound to for its own', {}, { ...two, allowed: [1] }, 1, 'spin'],
    ['takes cores that were given', { cpus: [1] }, two, 1, 'spin'],
    ['blocks when workers outnumber cores', { workers: 2 }, two, 2, 'block'],
    ['spins with a core for each', { workers: 7 }, eight, 7, 'spin'],
    ['does as it is told', { workers: 2, pacing: 'spin' as const }, two, 2, 'spin'],
  ])('%s', (_name, change, cores, workers, pacing) => {
    const p = plan(change, cores);
    expect([p.workers, p.pacing]).toEqual([workers, pacing]);
  });

  it('gives each worker its own cores while there are enough, and shares them in turn otherwise', () => {
    expect(plan({ cpus: [2, 3, 5], workers: 2 }, eight).cpusOf).toEqual([[2, 5], [3]]);
    expect(plan({ cpus: [2, 3], workers: 3 }, eight).cpusOf).toEqual([[2], [3], [2]]);
    expect(plan({ workers: 2 }, eight).cpusOf).toEqual([null, null]);
  });

  it('says so when it cannot pin', () => {
    const p = plan({ cpus: [1] }, { ...two, taskset: false });
    expect(p.cpusOf).toEqual([null]);
    expect(p.notes.join()).toMatch(/taskset/);
  });

  it('splits the limit on requests in flight without losing or adding any', () => {
    const p = plan({ maxInFlight: 10, workers: 4 }, eight);
    expect(p.maxInFlightOf).toEqual([3, 3, 2, 2]);
    // A worker whose share is none would send nothing of its part of the schedule.
    expect(plan({ maxInFlight: 1, workers: 4 }, eight).maxInFlightOf).toEqual([1]);
    expect(plan({}, two).maxInFlightOf).toEqual([Number.POSITIVE_INFINITY]);
  });

  it('knows the schedule’s real length and rate, and leaves time for the last answers', () => {
    const p = plan({ arrivals: { kind: 'constant' }, rateRps: 100, requests: 201, timeoutS: 7 }, two);
    expect([p.firstNs, p.lastNs]).toEqual([0, 2e9]);
    expect(p.scheduledRps).toBeCloseTo(100, 9);
    expect(p.deadlineNs).toBeGreaterThanOrEqual(9e9);
    const trace = { arrivals: { kind: 'trace', file: 't' } as const, trace: [1, 2, 4], rateRps: null };
    expect(plan({ ...trace, requests: 99 }, two)).toMatchObject({ lastNs: 4e9, schedule: { requests: 3 } });
  });

  it.each([
    [{ cpus: [9] }, /core 9/],
    [{ cpus: [] }, /empty/],
    [{ rateRps: -1 }, /rate/],
    [{ url: 'localhost:8000' }, /http/],
    [{ url: 'nonsense' }, /URL/],
  ])('refuses %o in words', (change, message) => {
    expect(() => plan(change, two)).toThrow(message);
  });
});

it('knows a loopback address', () => {
  const of = (url: string): boolean => isLoopback(new URL(url));
  expect(['http://localhost:1', 'http://127.1.2.3', 'http://[::1]:1'].map(of)).toEqual([true, true, true]);
  expect(['http://10.0.0.1', 'http://localhost.example', 'http://128.0.0.1'].map(of)).toEqual([
    false,
    false,
    false,
  ]);
});

describe('the base URL', () => {
  it.each([
    ['a query', 'http://h:1/?api_key=sk-hidden', /query/],
    ['an empty query', 'http://h:1/?', /query/],
    ['a fragment', 'http://h:1/#sk-hidden', /fragment/],
    ['a password', 'http://u:sk-hidden@h:1', /password/],
    ['another scheme', 'ftp://h/sk-hidden', /neither http/],
    ['no scheme', '//h?k=sk-hidden', /is not a URL/],
    ['the path that is added to it', 'http://h:1/v1', /--url http:\/\/h:1$/],
    ['the whole path', 'http://h:1/a/v1/chat/completions/', /--url http:\/\/h:1\/a$/],
    ['the other path', 'http://h:1/v1/completions', /--url http:\/\/h:1$/],
  ])('with %s is refused, and is not shown', (_, url, words) => {
    let message = '';
    try {
      parseBaseUrl(url);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(words);
    expect(message).not.toContain('hidden');
  });

  it.each(['http://h:1', 'http://h:1/', 'https://h/team/v1beta', 'http://h/v1/openai'])(
    'may be %s',
    (url) => {
      expect(parseBaseUrl(url).protocol).toMatch(/^http/);
    },
  );
});
