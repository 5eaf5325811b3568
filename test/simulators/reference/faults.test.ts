/** Failures that are asked for: which requests meet them, what goes over the socket, and what the ledger says. */
import { afterEach, describe, expect, it } from 'vitest';
import { Faults, faultsOf, tokensBeforeBreak } from '../../../simulators/reference/faults.ts';
import type { ReferenceOptions } from '../../../simulators/reference/options.ts';
import type { ReferenceTarget } from '../../../simulators/reference/server.ts';
import { LEDGER_OUTCOMES, type Ledger } from '../../../src/measure/ledger.ts';
import { CHAT, chatBody, events, post, rawRequest, segments, send, startTarget, TEXT } from './helpers.ts';

let target: ReferenceTarget;
afterEach(() => target?.stop());
const start = async (options: Partial<ReferenceOptions>): Promise<void> => {
  target = await startTarget(options);
};
const outcomes = (ledger: Ledger): string[] => [...ledger.outcome].map((index) => LEDGER_OUTCOMES[index]!);

describe('which requests fail', () => {
  const fates = (seed: number, refuseShare: number, breakShare: number): string[] => {
    const faults = new Faults(seed, { refuseShare, breakShare });
    return Array.from({ length: 20_000 }, (_, ordinal) => faults.of(ordinal));
  };
  const shareOf = (all: string[], fate: string): number =>
    all.filter((one) => one === fate).length / all.length;

  it('is the share that was asked, the same for a seed, another one for another', () => {
    const all = fates(1, 0.05, 0.1);
    expect(shareOf(all, 'refused')).toBeCloseTo(0.05, 2);
    expect(shareOf(all, 'broken')).toBeCloseTo(0.95 * 0.1, 2);
    expect(fates(1, 0.05, 0.1)).toEqual(all);
    expect(fates(2, 0.05, 0.1)).not.toEqual(all);
  });

  it('does not change with the other share, but where one excludes the other', () => {
    const both = fates(3, 0.2, 0.3);
    const alone = fates(3, 0, 0.3);
    both.forEach((fate, i) => {
      if (fate !== 'refused') expect(alone[i]).toBe(fate);
    });
  });

  it('is none or all at the ends, and nothing is drawn without failures', () => {
    expect(shareOf(fates(1, 1, 0), 'refused')).toBe(1);
    expect(shareOf(fates(1, 0, 1), 'broken')).toBe(1);
    expect(faultsOf(1, { refuseShare: 0, breakShare: 0 })).toBeNull();
  });

  it('half of the tokens leave, one at least', () => {
    expect([1, 2, 3, 16, 17].map(tokensBeforeBreak)).toEqual([1, 1, 1, 8, 8]);
  });
});

describe('a refused request', () => {
  it('gets a 503 with an error at once, and its row says so', async () => {
    await start({ refuseShare: 1, latency: 'ttft=60s' });
    const reply = await post(target, CHAT, chatBody({ stream: true, max_tokens: 4 }), {
      'x-request-id': 'a',
    });
    expect(reply.status).toBe(503);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { type: 'server_error', code: 'overloaded' } });
    const ledger = target.ledger();
    expect(outcomes(ledger)).toEqual(['refused']);
    expect([ledger.status[0], ledger.deliveredTokens[0], ledger.askedTokens[0]]).toEqual([503, 0, 4]);
    expect(ledger.requestId).toEqual(['a']);
    expect([ledger.firstNs[0], ledger.lastNs[0]]).toEqual([Number.NaN, Number.NaN]);
    expect(ledger.endNs[0]).toBeGreaterThanOrEqual(ledger.headersNs[0]!);
    expect(ledger.meta).toMatchObject({ refuseShare: 1, breakShare: 0 });
  });

  it('does not hide a body that is wrong, and is counted', async () => {
    await start({ refuseShare: 1 });
    expect((await post(target, CHAT, '{')).status).toBe(400);
    await post(target, TEXT, { prompt: 'a' });
    const stats = JSON.parse((await send(`${target.url}/tare/stats`, 'GET')).text);
    expect(stats).toMatchObject({ refused: 2, fault_injected: 0, in_flight: 0, complete: 0 });
  });
});

describe('a stream that breaks off', () => {
  it.each([
    ['zero', '1.1'],
    ['ttft=2ms', '1.1'],
    ['ttft=2ms,itl=1ms', '1.1'],
    ['ttft=2ms,itl=1ms', '1.0'],
  ])('latency %s, HTTP/%s: half of its tokens, an error, [DONE], and its end', async (latency, version) => {
    await start({ breakShare: 1, latency, role: 'early', tailNs: 3e6 });
    const body = chatBody({ stream: true, max_tokens: 6, stream_options: { include_usage: true } });
    const isEnd = (all: string): boolean => version === '1.1' && all.endsWith('\r\n0\r\n\r\n');
    const all = (await segments(target.port, rawRequest(CHAT, body, version), isEnd)).join('');
    expect(all).toMatch(/^HTTP\/1\.1 200 /);
    const data = [...all.matchAll(/^data: (.*)$/gm)].map((match) => match[1]!);
    expect(data.pop()).toBe('[DONE]');
    const parsed = data.map((text) => JSON.parse(text));
    expect(parsed.pop()).toMatchObject({ error: { type: 'server_error', code: 'internal_error' } });
    expect(parsed.map((one) => one.choices[0].delta.content)).toEqual(['', ' tok', ' tok', ' tok']);
    expect(parsed.map((one) => one.choices[0].finish_reason)).toEqual([null, null, null, null]);
    const ledger = target.ledger();
    expect(outcomes(ledger)).toEqual(['faultInjected']);
    expect([ledger.status[0], ledger.askedTokens[0], ledger.deliveredTokens[0]]).toEqual([200, 6, 3]);
    expect(ledger.lastNs[0]).toBeGreaterThanOrEqual(ledger.firstNs[0]!);
    expect(ledger.endNs[0]! - ledger.lastNs[0]!).toBeGreaterThanOrEqual(3e6);
    if (latency.includes('itl')) {
      expect(ledger.tokenNs).toHaveLength(3);
      expect(ledger.lastNs[0]).toBe(ledger.tokenNs[2]);
      expect(ledger.tokenDueNs.map((ns) => ns - ledger.arrivalNs[0]!)).toEqual(
        Float64Array.of(2e6, 3e6, 4e6),
      );
    }
  });

  it('stands between whole ones of the same body, which are as they are without failures', async () => {
    const asked = { seed: 5, breakShare: 0.3, refuseShare: 0.2 };
    await start(asked);
    const faults = new Faults(asked.seed, asked);
    const expected: string[] = [];
    for (let i = 0; i < 40; i++) {
      const fate = faults.of(i);
      expected.push({ answered: 'complete', refused: 'refused', broken: 'faultInjected' }[fate]);
      const reply = await post(target, CHAT, chatBody({ stream: true, max_tokens: 5 }));
      if (fate === 'answered') expect(events(reply.text).at(-1).choices[0].finish_reason).toBe('length');
    }
    const ledger = target.ledger();
    expect(outcomes(ledger)).toEqual(expected);
    expect(new Set(expected).size).toBe(3);
    const tokens = { complete: 5, refused: 0, faultInjected: 2 };
    expect([...ledger.deliveredTokens]).toEqual(expected.map((name) => tokens[name as keyof typeof tokens]));
    const stats = JSON.parse((await send(`${target.url}/tare/stats`, 'GET')).text);
    expect(stats.fault_injected).toBe(expected.filter((name) => name === 'faultInjected').length);
  });

  it('is a 500 where the answer is not streamed', async () => {
    await start({ breakShare: 1 });
    const reply = await post(target, TEXT, { prompt: 'a b', max_tokens: 4 });
    expect(reply.status).toBe(500);
    expect(JSON.parse(reply.text).error.code).toBe('internal_error');
    const ledger = target.ledger();
    expect(outcomes(ledger)).toEqual(['faultInjected']);
    expect([ledger.status[0], ledger.promptTokens[0], ledger.deliveredTokens[0]]).toEqual([500, 2, 0]);
  });

  it('is not met by the warm-up', async () => {
    await start({ refuseShare: 1, warmUpMs: 1 });
    expect(target.ledger().rows).toBe(0);
  });
});
