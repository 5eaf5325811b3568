import { describe, expect, it } from 'vitest';
import type { Trial } from '../../../src/audit/document.ts';
import type { EnvelopeDocument } from '../../../src/audit/envelope/document.ts';
import { parseEnvelopeDocument } from '../../../src/audit/envelope/document-schema.ts';
import { type EnvelopeEvent, runEnvelope } from '../../../src/audit/envelope/run.ts';
import { UserError } from '../../../src/system/user-error.ts';
import { endedTrial, simulatedInput, simulatedTrial } from './simulated-trials.ts';

const clientOf = (document: EnvelopeDocument, name: string) =>
  document.clients.find((client) => client.name === name)!;

describe('a search of clients whose queue is known', () => {
  it('ends around the rate at which the bias passes the tolerance', async () => {
    const { document } = await runEnvelope(simulatedInput({ clients: ['asyncio'], budget: 30 }));
    const { bracket, failed_first, at_holds, at_fails } = clientOf(document, 'asyncio');
    expect(document.state).toBe('finished');
    expect(bracket).toMatchObject({ state: 'bracket' });
    // TTFT p50 is 0.85 of a mean wait of (1 ms / 1.72)(0.08 + 1.1 ρ/(1 − ρ)): 1 ms at 1,099/s.
    expect(bracket!.holds!.rate_rps).toBeLessThan(1099);
    expect(bracket!.fails!.rate_rps).toBeGreaterThan(1099);
    expect(bracket!.fails!.rate_rps / bracket!.holds!.rate_rps).toBeLessThan(1.5);
    expect(failed_first!.words).toMatch(/^TTFT p(50|99) \+.* allowed$/);
    for (const side of [at_holds!, at_fails!]) {
      expect(side.fidelity).toBeCloseTo(1, 2);
      expect(side.terms.map(({ name }) => name)).toEqual(['ttft_p50', 'ttft_p99', 'e2e_p99']);
      expect(side.trials.length).toBeGreaterThanOrEqual(2);
      for (const { low_ms, bias_ms, high_ms, interval } of side.terms) {
        // Between two trials an interval would be as wide as t = 12.7 makes it.
        expect(interval).toBe(side.trials.length < 3 ? 'hull of trials' : 'between trials');
        expect(low_ms).toBeLessThan(bias_ms!);
        expect(high_ms).toBeGreaterThan(bias_ms!);
      }
    }
    const p50 = (side: typeof at_holds) => side!.terms[0]!.bias_ms!;
    expect(p50(at_holds)).toBeLessThan(1);
    expect(p50(at_fails)).toBeGreaterThan(1);
  });

  it('by the rate alone ends where the client sends too little, and needs no floor', async () => {
    const measureFloor = () => Promise.reject(new Error('not to be measured'));
    const { document } = await runEnvelope(
      simulatedInput({ clients: ['drifter'], budget: 30, tolerance: 'rate=2%', change: { measureFloor } }),
    );
    const { bracket, failed_first } = clientOf(document, 'drifter');
    // It drifts by 0.8 ms a request: 2 % of the gap at 25.5/s.
    expect(bracket).toMatchObject({ holds: { rate_rps: 25 } });
    expect(bracket!.fails!.rate_rps).toBeGreaterThan(25.5);
    expect(failed_first).toMatchObject({ name: 'rate', trials: 2, of: 2 });
    expect(failed_first!.words).toContain('of the asked rate arrived');
  });

  it('is a document of its own schema, with each trial in it once', async () => {
    const { document, audit } = await runEnvelope(simulatedInput({ clients: ['asyncio', 'tare-multi'] }));
    expect(parseEnvelopeDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
    expect(document.trials.map(({ order }) => order)).toEqual(document.trials.map((_, i) => i));
    expect(new Set(document.trials.map(({ id }) => id)).size).toBe(document.trials.length);
    expect(audit.trials.map(({ id }) => id)).toEqual(document.trials.map(({ id }) => id));
    expect(document.plan.rates_rps).toEqual(
      [...new Set(document.trials.map(({ rate_rps }) => rate_rps))].sort((a, b) => a - b),
    );
  });

  it('takes clients in turn, in an order that differs between rounds', async () => {
    const clients = ['asyncio', 'tare-multi', 'drifter'];
    const { document } = await runEnvelope(simulatedInput({ clients, tolerance: 'ttft_p50=1ms,rate=60%' }));
    const rounds = [0, 1, 2, 3].map((r) =>
      document.trials.slice(3 * r, 3 * r + 3).map(({ client }) => client),
    );
    for (const round of rounds) expect([...round].sort()).toEqual([...clients].sort());
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(1);
  });

  it('all clients meet the same draws at a rate, and another one when it is repeated', async () => {
    const seeds = new Map<string, Set<number>>();
    const runTrial = async (planned: Parameters<typeof simulatedTrial>[0]) => {
      const key = `${planned.rateRps} ${planned.repetition}`;
      seeds.set(key, (seeds.get(key) ?? new Set()).add(planned.workload.seed));
      return simulatedTrial(planned);
    };
    await runEnvelope(simulatedInput({ clients: ['asyncio', 'tare-multi'], runTrial }));
    expect([...seeds.values()].every(({ size }) => size === 1)).toBe(true);
    expect(new Set([...seeds.values()].map((set) => [...set][0])).size).toBe(seeds.size);
  });
});

describe('a disturbed trial', () => {
  it('at a side of the bracket is not in the figures there', async () => {
    const runTrial = async (planned: Parameters<typeof simulatedTrial>[0]) => {
      const trial = simulatedTrial(planned);
      if (planned.rateRps !== 50 || planned.repetition > 1) return trial;
      const observed = { ...trial.observed!, steal_share: 0.5 };
      return { ...trial, observed, truth: { ...trial.truth!, rate_fidelity: 0.5 } };
    };
    const input = simulatedInput({ clients: ['tare-multi'], budget: 20, tolerance: 'rate=2%', runTrial });
    const { document } = await runEnvelope({ ...input, search: { ...input.search, to_rps: 50 } });
    const { bracket, at_holds } = clientOf(document, 'tare-multi');
    expect(bracket!.holds).toMatchObject({ rate_rps: 50, holds: 2, undetermined: 1 });
    expect(at_holds!.trials).toHaveLength(2);
    expect(at_holds!.fidelity).toBeCloseTo(1, 2);
  });
});

describe('clients that fail', () => {
  it('a crash at some rate is a failure there, and in words', async () => {
    // GenAI-Perf of the sample gives nothing above 400/s.
    const { document } = await runEnvelope(simulatedInput({ clients: ['genai-perf'], budget: 20 }));
    const { bracket, failed_first } = clientOf(document, 'genai-perf');
    expect(bracket).toMatchObject({ holds: { rate_rps: 400 }, state: 'bracket' });
    expect(failed_first).toMatchObject({
      name: 'run',
      trials: 2,
      of: 2,
      words: expect.stringContaining('Connection reset'),
    });
  });

  it('one that never runs is not measured, after two trials, and the others go on', async () => {
    const runTrial = async (planned: Parameters<typeof simulatedTrial>[0]) =>
      planned.client === 'drifter'
        ? endedTrial(planned, { kind: 'clientFailed', reason: 'no module named x' })
        : simulatedTrial(planned);
    const { document } = await runEnvelope(simulatedInput({ clients: ['drifter', 'asyncio'], runTrial }));
    const drifter = clientOf(document, 'drifter');
    expect(drifter).toMatchObject({ state: 'notMeasured', bracket: null, reason: 'no module named x' });
    expect(drifter.trials).toBeLessThanOrEqual(3);
    expect(clientOf(document, 'asyncio').bracket!.state).toBe('bracket');
  });

  it('one that cannot even be prepared ends alone', async () => {
    const runTrial = async (planned: Parameters<typeof simulatedTrial>[0]) => {
      if (planned.client === 'drifter') throw new UserError('its template is gone');
      return simulatedTrial(planned);
    };
    const { document } = await runEnvelope(simulatedInput({ clients: ['drifter', 'asyncio'], runTrial }));
    expect(clientOf(document, 'drifter')).toMatchObject({ state: 'notRun', reason: 'its template is gone' });
    expect(clientOf(document, 'asyncio').bracket!.state).toBe('bracket');
    expect(document.state).toBe('finished');
  });

  it('a figure that a client does not give is not judged, and named', async () => {
    const tolerance = 'ttft_p99=5ms,itl_p50=1ms';
    const { document } = await runEnvelope(simulatedInput({ clients: ['k6'], tolerance }));
    const { bracket, not_given } = clientOf(document, 'k6');
    expect(not_given).toEqual(['itl_p50']);
    expect(bracket!.holds).not.toBeNull();
  });
});

describe('the end of a search', () => {
  it('is at its budget of trials', async () => {
    const { document } = await runEnvelope(simulatedInput({ clients: ['asyncio', 'k6'], budget: 5 }));
    for (const { trials } of document.clients) expect(trials).toBeLessThanOrEqual(5);
  });

  it('is at its budget of time, and no trial begins that would not fit', async () => {
    const clock = { s: 0 };
    const input = simulatedInput({ clients: ['asyncio', 'k6'], budget: 30 }, clock);
    const search = { ...input.search, budget_time_s: 120 };
    const { document } = await runEnvelope({ ...input, search });
    expect(clock.s).toBeLessThanOrEqual(120);
    expect(clock.s).toBeGreaterThan(80);
    expect(document.state).toBe('finished');
    expect(clientOf(document, 'asyncio').bracket).toMatchObject({ limit: 'budget' });
  });

  it('by Ctrl-C keeps what is there, and it is gone on with to the same end', async () => {
    const whole = await runEnvelope(simulatedInput({ clients: ['asyncio', 'k6'] }));
    const controller = new AbortController();
    let n = 0;
    const runTrial = async (planned: Parameters<typeof simulatedTrial>[0]): Promise<Trial> => {
      if (++n < 8) return simulatedTrial(planned);
      controller.abort();
      return endedTrial(planned, { kind: 'incomplete', reason: 'the audit was interrupted' });
    };
    const cut = await runEnvelope(
      simulatedInput({ clients: ['asyncio', 'k6'], runTrial, change: { signal: controller.signal } }),
    );
    expect(cut.document.state).toBe('interrupted');
    expect(cut.document.trials).toHaveLength(7);
    expect(clientOf(cut.document, 'asyncio').bracket).toMatchObject({
      state: 'atLeast',
      limit: 'interrupted',
    });
    const rest = await runEnvelope(
      simulatedInput({
        clients: ['asyncio', 'k6'],
        change: {
          done: { trials: cut.audit.trials, judged: cut.document.trials },
          floor: cut.document.floor,
        },
      }),
    );
    expect(rest.document.state).toBe('finished');
    const brackets = (document: EnvelopeDocument) =>
      document.clients.map(({ bracket }) => bracket!.holds!.rate_rps);
    expect(brackets(rest.document)).toEqual(brackets(whole.document));
  });

  it('without a plausible floor it does not begin', async () => {
    const measureFloor = async () => ({ floor: null, machine: null });
    await expect(
      runEnvelope(simulatedInput({ clients: ['asyncio'], change: { measureFloor } })),
    ).rejects.toMatchObject({ code: 5, message: expect.stringContaining('rate alone') });
  });

  it('is told: a line a trial with what is left, which falls', async () => {
    const events: EnvelopeEvent[] = [];
    const onEvent = (event: EnvelopeEvent) => events.push(event);
    await runEnvelope(simulatedInput({ clients: ['asyncio'], change: { onEvent } }));
    const left = events.flatMap((event) => (event.kind === 'trialEnd' ? [event.leftS] : []));
    expect(left.length).toBeGreaterThan(5);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    expect(events.at(-1)).toMatchObject({ kind: 'clientEnd', client: 'asyncio', left: 0 });
  });

  it('keeps the document after every trial', async () => {
    const kept: number[] = [];
    const save = async (document: EnvelopeDocument) => void kept.push(document.trials.length);
    const { document } = await runEnvelope(simulatedInput({ clients: ['asyncio'], change: { save } }));
    expect(kept).toEqual([
      ...document.trials.map((_, i) => i),
      document.trials.length,
      document.trials.length,
    ]);
  });
});
