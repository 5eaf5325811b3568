/** The published claims in examples/claims: what the arithmetic says of each, and that it says no more. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ARITHMETIC_CHECKS } from '../../../src/claims/arithmetic/all.ts';
import type { CheckResult } from '../../../src/claims/arithmetic-check.ts';
import { readClaim } from '../../../src/claims/file/read.ts';
import { packageRoot } from '../../../src/system/package-root.ts';

const FOLDER = join(packageRoot, 'examples/claims');
const SIX = ['llm-d-kv-cache', 'nim-llama-3.3-70b', 'sglang-0.2', 'tgi-v3', 'vllm-0.6.0', 'vultr-llama-405b'];

function results(name: string): CheckResult[] {
  const read = readClaim(readFileSync(join(FOLDER, `${name}.yaml`), 'utf8'));
  if (!read.ok) throw new Error(`${name}: ${JSON.stringify(read.faults)}`);
  return ARITHMETIC_CHECKS.flatMap((check) => check.run(read.claim));
}
const of = (name: string, title: string): CheckResult => {
  const found = results(name).filter((one) => one.title.includes(title));
  expect(
    found.map((one) => one.title),
    `${name}, ${title}`,
  ).toHaveLength(1);
  return found[0]!;
};
const contradicted = (name: string) =>
  results(name).flatMap(({ state, title }) => (state === 'contradicts' ? [title] : []));

describe('the six published claims', () => {
  it('are all there, are read without faults, and say where they stand and when they were read', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
    for (const name of SIX) {
      expect(files).toContain(`${name}.yaml`);
      const read = readClaim(readFileSync(join(FOLDER, `${name}.yaml`), 'utf8'));
      expect(read).toMatchObject({ ok: true });
      if (!read.ok) continue;
      expect(
        read.claim.sources.every(({ url, read: day }) => url.startsWith('https://') && day !== null),
      ).toBe(true);
      expect(read.claim.notes.length).toBeGreaterThan(0);
    }
  });

  it('are contradicted in one place only: a factor that its own table does not give', () => {
    expect(SIX.filter((name) => name !== 'llm-d-kv-cache').flatMap(contradicted)).toEqual([]);
    expect(contradicted('llm-d-kv-cache')).toEqual([
      'Headline: over double the throughput of random-scheduling',
      'Headline: over double the throughput of load-scheduling',
    ]);
  });

  it('vLLM 0.6.0: 500 requests at 32 a second are 15.6 s; no figures for the factors', () => {
    const sending = of('vllm-0.6.0', 'Time of sending, row new-32');
    expect([sending.state, sending.working]).toEqual([
      'limits',
      ['500 requests / 32 req/s = 15.63 s of sending'],
    ]);
    expect(of('vllm-0.6.0', 'All at once, row new-burst').state).toBe('limits');
    const headlines = results('vllm-0.6.0').filter(({ check }) => check === 'ratios');
    expect(headlines.map(({ state }) => state)).toEqual(Array(4).fill('not applicable'));
  });

  it('TGI v3: 13x follows from a warm run; cold it is 2.3x', () => {
    expect(of('tgi-v3', 'Headline').state).toBe('agrees');
    const warm = of('tgi-v3', 'Warm against cold');
    expect([warm.state, warm.headlines]).toEqual(['limits', ['faster']]);
    expect(warm.finding).toContain('2.325 to 2.353 in the first run');
  });

  it('llm-d: 57x follows, from a ladder of which 9 of 16 rates are past the rise of throughput on the slower side', () => {
    expect(of('llm-d-kv-cache', 'Headline: 57x').state).toBe('agrees');
    const past = of('llm-d-kv-cache', 'Rates past the rise');
    expect(past.title).toBe('Rates past the rise of throughput, approximate-scheduling');
    expect([past.state, past.headlines]).toEqual(['limits', ['57x']]);
    expect(past.finding).toBe(
      'At 35, 40, 43, 46, 49, 52, 55, 57 and 60 a second throughput no longer rises (8445.1 tok/s at 25/s, 7247.9 tok/s at 60/s) while TTFT mean does (0.300 s at 3/s, 24.281 s at 60/s).',
    );
    // 1,310.9 tok/s at 3/s are 0.437 of it with 1,000 tokens a reply: no capacity is read off, and no delay predicted.
    expect(past.working.join()).not.toMatch(/later for each second/);
    expect(past.working.at(-1)).toBe('approximate sums up levels of which 9 of 16 are past the rise');
    expect(of('llm-d-kv-cache', 'double the throughput of random').working[0]).toContain('= 1.971');
  });

  it('llm-d: one figure printed for two schedulers, requests a second offered, clumped tokens', () => {
    expect(of('llm-d-kv-cache', 'The same output throughput in random and load').state).toBe('limits');
    expect(of('llm-d-kv-cache', 'Offered or completed, across').state).toBe('limits');
    expect(of('llm-d-kv-cache', 'Clumped tokens, row precise').state).toBe('limits');
  });

  it('SGLang 0.2: 300 s at every rate but 16, where it is 200 s', () => {
    const times = of('sglang-0.2', 'Times of sending, SGLang');
    expect([times.state, times.rows]).toEqual(['limits', ['sglang-5']]);
    expect(times.working.at(-1)).toBe('sglang-5: 3200 requests / 16 req/s = 200 s of sending');
  });

  it('Vultr: 75 and 100 ran at 50; the echo test of 2,000 had no more than 1,000 requests to send', () => {
    const sweep = of('vultr-llama-405b', "Little's law over the sweep, Llama 405B");
    expect(sweep.state).toBe('limits');
    expect(sweep.finding).toContain('ran at about 49.99 and 50.09 in flight, as the level 50 did');
    expect(of('vultr-llama-405b', 'Requests a slot, row echo-7').finding).toContain('no more than 1,000');
    expect(of('vultr-llama-405b', "Little's law, row echo-7").finding).toContain(
      'longer than the 1.13 s of the run',
    );
  });

  it('Vultr: how many loops its client has is not on the page', () => {
    const read = readClaim(readFileSync(join(FOLDER, 'vultr-llama-405b.yaml'), 'utf8'));
    expect(read).toMatchObject({ ok: true, claim: { measurement: { loop: null } } });
  });

  it('NIM: 91.0 % against 99.5 % of 200 slots; the table of 1.8.0 fits itself, that of 1.5.0 does not', () => {
    expect(of('nim-llama-3.3-70b', 'window, row v150-7').finding).toContain('91.0 % full');
    expect(of('nim-llama-3.3-70b', 'window, row v180-7').finding).toContain('99.5 % full');
    expect(of('nim-llama-3.3-70b', 'v150-7 against v180-7').finding).toContain('8.3 % is left');
    expect(of('nim-llama-3.3-70b', 'v150-7 against v180-7').finding).toContain(
      'If TTFT and gaps are means, which is not stated',
    );
    const occupancy = results('nim-llama-3.3-70b').filter(({ title }) => title.includes('window, row v180'));
    expect(occupancy.map(({ state }) => state)).toEqual(Array(8).fill('agrees'));
    const older = results('nim-llama-3.3-70b').filter(({ title }) => title.includes('window, row v150'));
    expect(older.map(({ state }) => state)).toContain('limits');
  });
});
