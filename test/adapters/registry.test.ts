import { describe, expect, it } from 'vitest';
import type { Aspect } from '../../adapters/contract.ts';
import { nearest } from '../../adapters/kit/near-miss.ts';
import { allAdapters, findAdapter } from '../../adapters/registry.ts';
import { EXIT, UserError } from '../../src/system/user-error.ts';

describe('registry', () => {
  it('has one adapter a name, each found by it, each with facts that say where they come from', () => {
    const names = allAdapters.map((adapter) => adapter.name);
    expect(new Set(names).size).toBe(names.length);
    for (const adapter of allAdapters) {
      expect(findAdapter(adapter.name)).toBe(adapter);
      expect(adapter.name).toMatch(/^[a-z0-9-]+$/);
      expect(adapter.facts.evidence.length).toBeGreaterThan(0);
      for (const fact of adapter.facts.evidence) expect(fact.where).not.toBe('');
    }
  });

  it.each(allAdapters.map((adapter) => [adapter.name, adapter.facts] as const))(
    '%s has evidence for all that its figures rest on',
    (_, { definitions, evidence }) => {
      const needed: Aspect[] = [
        ...(['t0', 'ttft', 'e2e', 'throughput', 'failures', 'tokenSource'] as const),
        ...(['processes', 'connections', 'warmup', 'schedule'] as const),
        ...(['itl', 'tpot', 'ntpot'] as const).filter((metric) => definitions[metric] !== 'none'),
      ];
      const there = new Set(evidence.map((fact) => fact.about));
      expect(needed.filter((aspect) => !there.has(aspect))).toEqual([]);
    },
  );

  it('names the nearest and all known clients for an unknown one, as a usage error', () => {
    let error: unknown;
    try {
      findAdapter('asincio');
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).code).toBe(EXIT.usage);
    expect((error as UserError).message).toContain(
      'no client "asincio"; did you mean asyncio? Known clients: ',
    );
    expect(() => findAdapter('completely-different')).toThrow(
      /no client "completely-different"\. Known clients/,
    );
  });

  it('finds a near miss and no far one', () => {
    const known = ['vllm', 'vllm-rs', 'k6', 'genai-perf'];
    expect(nearest('vlm', known)).toBe('vllm');
    expect(nearest('VLLM', known)).toBe('vllm');
    expect(nearest('genaiperf', known)).toBe('genai-perf');
    expect(nearest('locust', known)).toBeNull();
    expect(nearest('x', [])).toBeNull();
  });
});
