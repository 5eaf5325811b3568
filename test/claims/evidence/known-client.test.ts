import { describe, expect, it } from 'vitest';
import { allAdapters } from '../../../adapters/registry.ts';
import { adapterNamed, CLIENT_ALIASES, normalName } from '../../../src/claims/evidence/aliases.ts';
import { CONSEQUENCES } from '../../../src/claims/evidence/consequences.ts';
import { FOUND_BY_PROBES } from '../../../src/claims/evidence/findings.ts';
import { clientKnowledge, sameVersion } from '../../../src/claims/evidence/known-client.ts';

describe('the name of a client', () => {
  it.each([
    ['vLLM bench', 'vllm'],
    ['  vllm  bench serve ', 'vllm'],
    ['benchmark_serving.py', 'vllm'],
    ['genai-perf', 'genai-perf'],
    ['GenAI Perf', 'genai-perf'],
    ['AIPerf', 'aiperf'],
    ['k6', 'k6'],
    ['sglang.bench_serving', 'sglang'],
    ['SGLang bench-serving', 'sglang'],
    ['Locust', 'locust'],
    ['inference_perf', 'inference-perf'],
    ['InferenceMAX', 'inference-x'],
    ['tare', 'tare'],
  ])('%s is %s', (name, adapter) => {
    expect(adapterNamed(name)).toBe(adapter);
    expect(clientKnowledge(name)?.name).toBe(adapter);
  });

  it.each(['', 'vllmbench2', 'a vLLM bench fork', 'my own asyncio script', 'wrk', 'llmperf', 'k66', 'perf'])(
    'is not guessed: %s',
    (name) => {
      expect(adapterNamed(name)).toBeNull();
      expect(clientKnowledge(name)).toBeNull();
    },
  );

  it('is nothing where none is stated', () => {
    expect(clientKnowledge(null)).toBeNull();
  });

  it('has one adapter an alias, and every adapter its own name among them', () => {
    const all = Object.values(CLIENT_ALIASES).flatMap((aliases) => [...new Set(aliases.map(normalName))]);
    expect(all.length).toBe(new Set(all).size);
    expect(Object.keys(CLIENT_ALIASES).sort()).toEqual(allAdapters.map(({ name }) => name).sort());
    for (const { name } of allAdapters) expect(adapterNamed(name)).toBe(name);
  });
});

describe('what is known of a client', () => {
  it('has every definition in words, with its place', () => {
    for (const { name, facts } of allAdapters) {
      const known = clientKnowledge(name)!;
      const about = known.definitions.map((one) => one.about);
      for (const one of ['t0', 'TTFT', 'ITL', 'TPOT', 'E2E', 'token source', 'failed requests'])
        expect(about).toContain(one);
      expect(known.definitions.every(({ what, where }) => what !== '' && where !== '')).toBe(true);
      for (const fact of facts.evidence) expect(known.definitions).toContainEqual(fact);
    }
  });

  it('says what the client decides, and leaves to its flags what they decide', () => {
    expect(clientKnowledge('vllm')!.decides).toMatchObject({
      loop: 'single',
      t0: 'sent',
      tokenSource: 'usage',
    });
    expect(clientKnowledge('aiperf')!.decides).toMatchObject({ loop: null, tokenSource: null });
    expect(clientKnowledge('vegeta')!.decides).toMatchObject({ loop: 'multi', arrivals: ['constant'] });
    expect(clientKnowledge('locust')!.decides.arrivals).toEqual([]);
  });

  it.each(['k6', 'locust', 'locust-fast', 'locust-2p'])(
    'holds a claim of %s to nothing: its script decides',
    (name) => {
      const { decides, script } = clientKnowledge(name)!;
      expect(decides).toEqual({ loop: null, t0: null, tokenSource: null, arrivals: [], streaming: null });
      expect(script).toMatch(/^adapters\/(k6|locust)\//);
    },
  );

  it.each(['vegeta', 'oha', 'autocannon'])('leaves to the body that %s sends what is in it', (name) => {
    expect(clientKnowledge(name)).toMatchObject({
      script: null,
      decides: { tokenSource: null, streaming: null },
    });
  });

  it('says of k6 and locust that a script decides', () => {
    expect(clientKnowledge('k6')!.definitions[0]!.about).toBe('script');
    expect(clientKnowledge('vllm')!.definitions[0]!.about).not.toBe('script');
  });

  it('has the findings of the probing, each with its command, version and consequence', () => {
    for (const { client, version, faults } of FOUND_BY_PROBES.clients) {
      const found = clientKnowledge(client)!.findings;
      expect(found.length).toBe(faults.length);
      for (const [i, one] of found.entries()) {
        expect(one.source).toBe(faults[i]!.command);
        expect(one.versions).toContain(version);
        expect(one.what).toContain(faults[i]!.words);
      }
    }
    const faults = FOUND_BY_PROBES.clients.flatMap((one) => one.faults.map(({ fault }) => fault));
    expect(faults.filter((fault) => CONSEQUENCES[fault] === undefined)).toEqual([]);
  });

  it('says of a finding whose version it is', () => {
    const of = (version: string | null) => clientKnowledge('vllm', version)!.findings[0]!.versions;
    expect(of('0.33.0')).toBe('0.33.0, as the claim’s');
    expect(of('0.6.0')).toBe('0.33.0; the claim’s 0.6.0 is another version');
    expect(of(null)).toBe('0.33.0; the claim does not state its version');
  });

  it.each([
    ['v0.33.0', '0.33.0', true],
    ['0.1.0', '0.1.0, Node 20.20.2', true],
    ['0.1.0, Node 20.20.2', '0.1.0', true],
    ['0.1', '0.1.0', false],
    ['0.33.0', '0.33.01', false],
    [null, '0.33.0', null],
    ['0.33.0', '', null],
  ])('compares version %s with %s: %s', (claimed, ours, same) => {
    expect(sameVersion(claimed, ours)).toBe(same);
  });
});
