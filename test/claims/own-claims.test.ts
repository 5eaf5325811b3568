/** The claims of our own that deserve to pass: stated in full, made by `tare claim new --from` of a real audit. They must stand on their own. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ARITHMETIC_CHECKS } from '../../src/claims/arithmetic/all.ts';
import type { Claim } from '../../src/claims/claim.ts';
import { auditClaim } from '../../src/claims/document.ts';
import { clientKnowledge } from '../../src/claims/evidence/known-client.ts';
import { readClaim } from '../../src/claims/file/read.ts';

const textOf = (name: string): string =>
  readFileSync(new URL(`../../examples/claims/own-${name}.yaml`, import.meta.url), 'utf8');

/** As on a machine that has no audit. */
function checked(text: string) {
  const read = readClaim(text);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const claim: Claim = read.claim;
  const { name, version } = claim.measurement.client;
  return auditClaim('claim.yaml', claim, {
    checks: ARITHMETIC_CHECKS,
    client: clientKnowledge(name, version),
    expected: [],
  });
}

describe.each(['tare', 'vllm', 'asyncio'])('our own claim of %s', (name) => {
  const text = textOf(name);
  const document = checked(text);

  it('is supported, every figure of it', () => {
    expect(document.figures.filter(({ verdict }) => verdict !== 'supported')).toEqual([]);
    expect(document.verdict).toBe('supported');
  });

  it('has nothing that is contradicted, and leaves no point open but the public page', () => {
    expect(document.checks.filter(({ state }) => state === 'contradicts' || state === 'limits')).toEqual([]);
    expect(document.checklist.filter(({ state }) => state !== 'stated').map(({ id }) => id)).toEqual([
      'source',
    ]);
    expect(document.known_client!.name).toBe(name);
  });

  it('has latencies that other figures give again', () => {
    const latencies = document.figures.filter(({ figure }) => /\.(ttft|tpot|e2e)_mean$/.test(figure));
    expect(latencies.length).toBeGreaterThanOrEqual(9);
    for (const one of latencies) expect(one.confirmed_by.join()).toContain('E2E from its parts');
  });

  it('is not supported without the bound on what the client adds', () => {
    const open = text.replace(/client-bias:\n.*\n.*\n/, 'client-bias: not stated\n');
    expect(open).not.toBe(text);
    expect(checked(open).verdict).toBe('undetermined');
  });

  it.each(['45.00', '57.00'])('is not supported with a TTFT of %s ms', (value) => {
    const first = /(ttft_mean: |10 s, )5\d\.\d\d/;
    expect(first.test(text)).toBe(true);
    expect(checked(text.replace(first, `$1${value}`)).verdict).not.toBe('supported');
  });

  it('is contradicted with more requests completed than sent', () => {
    const more = text.replace(/completed: \d+/, 'completed: 999999').replace(/, 500, 0\]/, ', 999999, 0]');
    expect(more).not.toBe(text);
    expect(checked(more).verdict).toBe('contradicted');
  });
});
