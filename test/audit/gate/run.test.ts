import { describe, expect, it } from 'vitest';
import { buildGate } from '../../../src/audit/gate/build.ts';
import { parseGateDocument } from '../../../src/audit/gate/document-schema.ts';
import { type GateEvent, type GateInput, runGate } from '../../../src/audit/gate/run.ts';
import { FIRST_LOOK } from '../../../src/measure/gate/looks.ts';
import { UserError } from '../../../src/system/user-error.ts';
import { scattered, scriptedGate, shownTrial } from './trials.ts';

const WHEN = {
  version: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:01:00.000Z',
};

async function gate(input: GateInput) {
  const run = await runGate(input);
  return { run, ...buildGate(input, run, WHEN) };
}

const bias =
  (around: number, spread: number, p99 = around) =>
  (_: string, nth: number) => ({
    bias: { ttft_p50: scattered(around, spread, nth), ttft_p99: scattered(p99, spread, nth) },
  });

describe('a gate', () => {
  it('passes a client that is within, after three repetitions', async () => {
    const { run, document } = await gate(scriptedGate({ script: bias(0.3, 0.05) }));
    expect(run.end).toBe('settled');
    expect(run.trials).toHaveLength(3);
    expect(document).toMatchObject({ verdict: 'pass', exit_code: 0, reason: '', state: 'finished' });
    expect(document.checks.map(({ name, state }) => [name, state])).toEqual([
      ['run', 'pass'],
      ['rate', 'pass'],
      ['ttft_p50', 'pass'],
      ['ttft_p99', 'pass'],
    ]);
    const p50 = document.checks[2]!;
    expect(p50.low).toBeLessThan(0.3);
    expect(p50.high).toBeGreaterThan(0.3);
    expect(p50).toMatchObject({ confidence: 0.975, limit_high: 1, limit_low: -1, floor: 0.3, trials: 3 });
    expect(document.error_rate).toEqual({
      at_most: 0.05,
      checks: 3,
      first_look: 3,
      looks: { 'tare-multi at 200/s': 1 },
    });
  });

  it('fails a client that is beyond, by exit code 3', async () => {
    const { run, document } = await gate(scriptedGate({ script: bias(8, 0.1) }));
    expect(run.trials).toHaveLength(3);
    expect(document).toMatchObject({ verdict: 'fail', exit_code: 3 });
    expect(document.checks.find(({ name }) => name === 'ttft_p50')).toMatchObject({ state: 'fail' });
  });

  it('a negative bias fails alike', async () => {
    const { document } = await gate(scriptedGate({ script: bias(-8, 0.1) }));
    expect(document.verdict).toBe('fail');
  });

  it('goes on until it is decided, and no longer', async () => {
    // Half of the interval of three is more than the 0.5 ms to the limit; of five less.
    const { run, document } = await gate(
      scriptedGate({ script: bias(0.5, 0.25, 0.5), budgetS: 200, tolerance: 'ttft_p50=1ms' }),
    );
    expect(run.end).toBe('settled');
    expect(run.trials.length).toBeGreaterThan(3);
    expect(run.trials.length).toBeLessThan(12);
    expect(document.verdict).toBe('pass');
  });

  it('is undetermined where the budget ends first, and says what would decide it', async () => {
    const clock = { s: 0 };
    const { run, document } = await gate(
      scriptedGate({ script: bias(0.5, 0.25, 0.5), budgetS: 50, tolerance: 'ttft_p50=1ms' }, clock),
    );
    expect(run.end).toBe('budget');
    expect(clock.s).toBeLessThanOrEqual(50);
    expect(document).toMatchObject({ verdict: 'undetermined', exit_code: 4 });
    expect(document.reason).toBe('the budget of 50 s was over before all was decided');
    const open = document.checks.find(({ state }) => state === 'undetermined')!;
    expect(open.remedy).toMatch(/^about \d+ repetitions would tell/);
  });

  it('a repetition that would not fit is not begun, by what earlier ones took', async () => {
    const clock = { s: 0 };
    const script = (client: string, nth: number) => ({ ...bias(0.5, 0.4)(client, nth), elapsed_s: 12 });
    const { run } = await gate(scriptedGate({ script, budgetS: 60 }, clock));
    expect(run.trials).toHaveLength(3);
    expect(clock.s).toBe(56);
  });

  it('is invalid where the machine disturbed the repetitions, and says so in place of a verdict', async () => {
    const script = (_: string, nth: number) => ({
      bias: { ttft_p50: 30 },
      ...(nth > 1 ? { steal: 0.4 } : {}),
    });
    const { run, document } = await gate(scriptedGate({ script }));
    expect(document).toMatchObject({ verdict: 'invalid', exit_code: 5 });
    expect(document.reason).toContain('the hypervisor took 40 % of CPU time');
    expect(document.checks.every(({ state }) => state !== 'fail')).toBe(true);
    expect(document.counted.filter(({ left_out }) => left_out !== null)).toHaveLength(run.trials.length - 1);
  });

  it('a single disturbed repetition is made anew, and is in no figure', async () => {
    const script = (client: string, nth: number) =>
      nth === 2 ? { bias: { ttft_p50: 30 }, steal: 0.4 } : bias(0.3, 0.05)(client, nth);
    const { run, document } = await gate(scriptedGate({ script, budgetS: 70 }));
    expect(run.trials).toHaveLength(4);
    expect(document.verdict).toBe('pass');
    expect(document.checks[2]!.value).toBeLessThan(0.5);
  });

  it('is invalid where the target itself was at its limit', async () => {
    const script = () => ({ bias: { ttft_p50: 30 }, targetCpu: 0.95 });
    const { document } = await gate(scriptedGate({ script }));
    expect(document).toMatchObject({ verdict: 'invalid', exit_code: 5 });
    expect(document.reason).toContain('the target itself used 95 % of its core');
  });

  it('does not begin without a floor, unless the rate alone is judged', async () => {
    const none = await gate(scriptedGate({ floorMs: null }));
    expect(none.document).toMatchObject({ verdict: 'invalid', exit_code: 5, checks: [], trials: [] });
    const measureFloor = () => Promise.reject(new Error('not to be measured'));
    const rate = await gate(scriptedGate({ tolerance: 'rate=2%', change: { measureFloor } }));
    expect(rate.document.verdict).toBe('pass');
  });

  it('a client that does not run fails after two runs, with what it said', async () => {
    const script = () => ({ outcome: { kind: 'clientFailed' as const, reason: 'no module named x' } });
    const { run, document } = await gate(scriptedGate({ script }));
    expect(run.trials).toHaveLength(2);
    expect(document).toMatchObject({ verdict: 'fail', exit_code: 3 });
    expect(document.checks[0]!.reason).toContain('no module named x');
    expect(document.checks.slice(1).every(({ state }) => state === 'notJudged')).toBe(true);
  });

  it('one run of several without figures leaves it open: no pass, no failure', async () => {
    const script = (client: string, nth: number) =>
      nth === 1
        ? { outcome: { kind: 'timedOut' as const, reason: 'it was still running' } }
        : bias(0.3, 0.02)(client, nth);
    const { run, document } = await gate(scriptedGate({ script, budgetS: 300 }));
    // A second one would decide: it goes on while there is time.
    expect(run.end).toBe('budget');
    expect(run.trials.length).toBeGreaterThan(FIRST_LOOK);
    expect(document).toMatchObject({ verdict: 'undetermined', exit_code: 4 });
    expect(document.reason).toContain('the budget of 300 s was over');
    expect(document.checks.filter(({ state }) => state === 'undetermined').map(({ name }) => name)).toEqual([
      'run',
    ]);
  });

  it('a second run without figures, however late, fails it', async () => {
    const script = (client: string, nth: number) =>
      nth === 1 || nth === 5
        ? { outcome: { kind: 'clientFailed' as const, reason: 'it crashed' } }
        : bias(0.3, 0.02)(client, nth);
    const { run, document } = await gate(scriptedGate({ script, budgetS: 300 }));
    expect(run.trials).toHaveLength(5);
    expect(document).toMatchObject({ verdict: 'fail', exit_code: 3 });
  });

  it('saturation in every repetition fails, however unlike they are', async () => {
    const script = (_: string, nth: number) => ({ share: [0.5, 0.9, 0.7][nth - 1] ?? 0.7 });
    const { run, document } = await gate(scriptedGate({ script }));
    expect(run.trials).toHaveLength(3);
    expect(document.checks.find(({ name }) => name === 'rate')).toMatchObject({ state: 'fail' });
    expect(document.exit_code).toBe(3);
  });

  it('too much of the rate fails as too little does; requests that failed count', async () => {
    expect((await gate(scriptedGate({ script: () => ({ share: 1.1 }) }))).document.verdict).toBe('fail');
    const failing = await gate(scriptedGate({ script: () => ({ failed: 80 }) }));
    expect(failing.document.checks[1]).toMatchObject({
      state: 'fail',
      reason: expect.stringContaining('by its own count'),
    });
  });

  it('a figure that is not given is not judged; one that was asked for by name leaves it open', async () => {
    const without = ['ttft_p50', 'ttft_p99'];
    const script = (_: string, nth: number) => ({ without, bias: { e2e_p99: scattered(0.5, 0.05, nth) } });
    const tolerance = 'rate=2%,ttft_p50=1ms,e2e_p99=5ms';
    const asked = await gate(scriptedGate({ script, tolerance }));
    expect(asked.document.verdict).toBe('undetermined');
    expect(asked.run.trials).toHaveLength(3);
    const matter = await gate(scriptedGate({ script, tolerance, change: { explicit: false } }));
    expect(matter.document.verdict).toBe('pass');
    expect(matter.document.checks.find(({ name }) => name === 'ttft_p50')!.state).toBe('notJudged');
    const none = await gate(
      scriptedGate({ script: () => ({ without }), tolerance: 'ttft_p50=1ms', change: { explicit: false } }),
    );
    expect(none.document.verdict).toBe('undetermined');
  });

  it('of the default tolerance a tail that scatters holds no gate open, and fails it where it is surely beyond', async () => {
    const script = (tail: number, spread: number) => (_: string, nth: number) => ({
      bias: { ttft_p50: scattered(0.5, 0.05, nth), ttft_p99: scattered(tail, spread, nth) },
    });
    const byDefault = { explicit: false };
    const open = await gate(scriptedGate({ script: script(4, 3), change: byDefault }));
    expect(open.document.verdict).toBe('pass');
    expect(open.document.checks.find(({ name }) => name === 'ttft_p99')).toMatchObject({
      state: 'notJudged',
      reason: expect.stringContaining('can only fail'),
    });
    const asked = await gate(scriptedGate({ script: script(4, 3), change: { explicit: true } }));
    expect(asked.document.verdict).toBe('undetermined');
    expect((await gate(scriptedGate({ script: script(30, 1), change: byDefault }))).document.verdict).toBe(
      'fail',
    );
    const median = (_: string, nth: number) => ({ bias: { ttft_p50: scattered(0.9, 1, nth) } });
    expect((await gate(scriptedGate({ script: median, change: byDefault }))).document.verdict).toBe(
      'undetermined',
    );
  });

  it('figures that are printed in steps tell no more than those, though all are equal', async () => {
    const of = (printed: readonly number[]) =>
      gate(
        scriptedGate({
          script: () => ({ bias: { ttft_p50: 0.8 }, printed }),
          tolerance: 'ttft_p50=1ms',
          budgetS: 60,
        }),
      );
    const rounded = await of([50, 51, 203]);
    expect(rounded.document.verdict).toBe('undetermined');
    const p50 = rounded.document.checks.find(({ name }) => name === 'ttft_p50')!;
    expect([p50.low, p50.high]).toEqual([expect.closeTo(0.3, 9), expect.closeTo(1.3, 9)]);
    expect((await of([50.013, 51.2, 203])).document.verdict).toBe('pass');
  });

  it('what is beyond the tolerance and within the floor is the machine’s to mend', async () => {
    const { document } = await gate(
      scriptedGate({ script: bias(2, 0.05), floorMs: 3, tolerance: 'ttft_p50=1ms' }),
    );
    expect(document.verdict).toBe('undetermined');
    expect(document.checks[2]!.reason).toContain('within what the machine itself may add');
    expect(document.checks[2]!.remedy).toContain('a quieter machine');
  });

  it('by Ctrl-C keeps what is there and is undetermined', async () => {
    const controller = new AbortController();
    let n = 0;
    const runTrial: GateInput['runTrial'] = async (planned) => {
      if (++n < 3) return shownTrial(planned);
      controller.abort();
      return shownTrial(planned, { outcome: { kind: 'incomplete', reason: 'the audit was interrupted' } });
    };
    const { run, document } = await gate(scriptedGate({ change: { signal: controller.signal, runTrial } }));
    expect(run.trials).toHaveLength(2);
    expect(document).toMatchObject({
      state: 'interrupted',
      verdict: 'undetermined',
      exit_code: 4,
      reason: 'it was interrupted',
    });
  });

  it('one that cannot even be prepared is no verdict on it, and the others go on', async () => {
    const runTrial: GateInput['runTrial'] = async (planned) => {
      if (planned.client === 'broken') throw new UserError('its template is gone');
      return shownTrial(planned);
    };
    const { document } = await gate(
      scriptedGate({ clients: ['broken', 'tare-multi'], budgetS: 120, change: { runTrial } }),
    );
    expect(document).toMatchObject({ verdict: 'invalid', exit_code: 5 });
    expect(document.reason).toBe('broken could not be run: its template is gone');
    expect(
      document.checks.filter(({ client }) => client === 'tare-multi').every(({ state }) => state === 'pass'),
    ).toBe(true);
  });

  it('of several clients and rates only those that are open go on, in an order that differs between rounds', async () => {
    const ran: string[] = [];
    const script = (client: string, nth: number, rate: number) =>
      bias(client === 'b' && rate === 200 ? 0.75 : 0.2, client === 'b' && rate === 200 ? 0.15 : 0.02)(
        client,
        nth,
      );
    const { run, document } = await gate(
      scriptedGate({ clients: ['a', 'b'], rates: [100, 200], script, budgetS: 500 }, { s: 0 }, ran),
    );
    expect(run.end).toBe('settled');
    const count = (cell: string) => ran.filter((one) => one.startsWith(cell)).length;
    expect([count('a@100'), count('a@200'), count('b@100')]).toEqual([3, 3, 3]);
    expect(count('b@200')).toBeGreaterThan(3);
    const rounds = [0, 1, 2].map((r) => ran.slice(4 * r, 4 * r + 4).map((one) => one.split('#')[0]));
    for (const round of rounds) expect(new Set(round).size).toBe(4);
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(1);
    // The error is shared among the checks of all four.
    expect(document.error_rate!.checks).toBe(12);
  });

  it('is a document of its own schema', async () => {
    const { document, audit } = await gate(
      scriptedGate({ against: 'k6', script: bias(0.3, 0.05), budgetS: 300 }),
    );
    expect(parseGateDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
    expect(audit.trials.map(({ id }) => id)).toEqual(document.trials.map(({ id }) => id));
  });

  it('tells of each repetition and of what is decided', async () => {
    const kinds: string[] = [];
    const onEvent = (event: GateEvent) => void kinds.push(event.kind);
    await gate(scriptedGate({ change: { onEvent } }));
    expect(kinds).toEqual([...Array(3).fill(['trialStart', 'trialEnd']).flat(), 'settled']);
  });

  /** A gate of clients that hang as long as they are let. */
  const hanging = async (clients: readonly string[], budgetS: number, hangs: (nth: number) => boolean) => {
    const clock = { s: 0 };
    const runTrial: GateInput['runTrial'] = async (planned, _adapter, _found, { deadlineS }) => {
      const hung = hangs(planned.repetition);
      const elapsed_s = hung ? deadlineS! + 2.5 : planned.estimatedS;
      clock.s += elapsed_s;
      return shownTrial(planned, {
        elapsed_s,
        ...(hung ? { outcome: { kind: 'timedOut' as const, reason: 'it was still running' } } : {}),
      });
    };
    return { clock, ...(await gate(scriptedGate({ clients, budgetS, change: { runTrial } }, clock))) };
  };

  it.each([
    ['every time', ['tare-multi'], 57, () => true, 2],
    ['from the second repetition on', ['tare-multi'], 57, (nth: number) => nth > 1, 3],
    ['two of them', ['a', 'b'], 90, () => true, 4],
  ] as const)(
    'a client that hangs (%s) fails within the budget',
    async (_, clients, budgetS, hangs, runs) => {
      const { clock, run, document } = await hanging(clients, budgetS, hangs);
      expect(document).toMatchObject({ verdict: 'fail', exit_code: 3 });
      expect(run.trials).toHaveLength(runs);
      expect(clock.s).toBeLessThanOrEqual(budgetS);
    },
  );

  it('one that the end of the budget cuts short is not called hanging', async () => {
    const { clock, run, document } = await hanging(['tare-multi'], 57, (nth) => nth === 4);
    expect(run.trials.length).toBeLessThanOrEqual(4);
    expect(clock.s).toBeLessThanOrEqual(57);
    expect(document.verdict).toBe('pass');
  });

  it('a client that hangs is ended within the time of the gate', async () => {
    const deadlines: number[] = [];
    const runTrial: GateInput['runTrial'] = async (planned, _adapter, _found, { deadlineS }) => {
      deadlines.push(deadlineS!);
      return shownTrial(planned);
    };
    const input = scriptedGate({ change: { runTrial } });
    await gate(input);
    expect(deadlines.every((s) => s <= input.budgetS)).toBe(true);
  });
});

describe('a client beside another', () => {
  const beside = (a: number, b: number) => (client: string, nth: number) =>
    bias(client === 'a' ? a : b, 0.05)(client, nth + (client === 'a' ? 0 : 3));

  it('runs in the same rounds, and is no worse: A/A passes', async () => {
    const ran: string[] = [];
    const { document } = await gate(
      scriptedGate({ clients: ['a'], against: 'b', script: beside(0.3, 0.3), budgetS: 300 }, { s: 0 }, ran),
    );
    expect(document.verdict).toBe('pass');
    const changes = document.checks.filter(({ kind }) => kind === 'change');
    expect(changes.map(({ name, state }) => [name, state])).toEqual([
      ['rate', 'pass'],
      ['ttft_p50', 'pass'],
      ['ttft_p99', 'pass'],
    ]);
    // Who is compared with is not judged itself.
    expect(document.checks.every(({ client }) => client === 'a')).toBe(true);
    for (let r = 0; r < ran.length / 2; r++)
      expect(
        ran
          .slice(2 * r, 2 * r + 2)
          .map((one) => one[0])
          .sort(),
      ).toEqual(['a', 'b']);
  });

  it('that is worse by more than the floor fails, though it is within tolerance', async () => {
    const { document } = await gate(
      scriptedGate({
        clients: ['a'],
        against: 'b',
        script: beside(0.8, 0.2),
        tolerance: 'ttft_p50=3ms',
        floorMs: 0.2,
        budgetS: 300,
      }),
    );
    expect(document.verdict).toBe('fail');
    const failed = document.checks.filter(({ state }) => state === 'fail');
    expect(failed.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['change ttft_p50']);
    expect(failed[0]!.value).toBeCloseTo(0.6, 1);
  });

  it('that is better by as much passes', async () => {
    const { document } = await gate(
      scriptedGate({
        clients: ['a'],
        against: 'b',
        script: beside(0.2, 0.8),
        tolerance: 'ttft_p50=3ms',
        floorMs: 0.2,
        budgetS: 300,
      }),
    );
    expect(document.verdict).toBe('pass');
  });

  it('whose runs all crashed leaves it open: nothing was compared', async () => {
    const script = (client: string, nth: number) =>
      client === 'b'
        ? { outcome: { kind: 'clientFailed' as const, reason: 'no module' } }
        : bias(0.3, 0.05)(client, nth);
    const { run, document } = await gate(
      scriptedGate({ clients: ['a'], against: 'b', script, budgetS: 300 }),
    );
    expect(document).toMatchObject({ verdict: 'undetermined', exit_code: 4 });
    expect(document.reason).toContain('b has no repetition with figures');
    // And nothing is to be waited for.
    expect([run.end, run.trials.length]).toEqual(['settled', 6]);
  });

  it.each([
    ['a', 'it is given no more'],
    ['b', 'there is nothing to compare with'],
  ])('of which %s alone lacks a figure leaves it open, with words', async (lacking, words) => {
    const script = (client: string, nth: number) => ({
      ...bias(0.3, 0.05)(client, nth),
      without: client === lacking ? ['ttft_p99'] : [],
    });
    const { document } = await gate(
      scriptedGate({ clients: ['a'], against: 'b', script, budgetS: 300, change: { explicit: false } }),
    );
    expect(document.exit_code).toBe(4);
    const change = document.checks.find(({ kind, name }) => kind === 'change' && name === 'ttft_p99')!;
    expect(change).toMatchObject({ state: 'undetermined', reason: expect.stringContaining(words) });
  });

  it('a figure that neither gives is not judged', async () => {
    const script = (client: string, nth: number) => ({
      ...bias(0.3, 0.05)(client, nth),
      without: ['ttft_p99'],
    });
    const { document } = await gate(
      scriptedGate({ clients: ['a'], against: 'b', script, budgetS: 300, change: { explicit: false } }),
    );
    expect(document.verdict).toBe('pass');
  });

  it('a change has no jump where a mean goes through zero', async () => {
    const changeOf = async (a: number, b: number) => {
      const { document } = await gate(
        scriptedGate({
          clients: ['a'],
          against: 'b',
          tolerance: 'ttft_p50=9ms',
          budgetS: 120,
          script: (client, nth) => ({ bias: { ttft_p50: scattered(client === 'a' ? a : b, 1e-3, nth) } }),
        }),
      );
      return document.checks.find(({ kind, name }) => kind === 'change' && name === 'ttft_p50')!;
    };
    // As far from the truth on the other side: no worse. Before, this was a change of 2 ms or of −2 by a hair.
    for (const [a, b] of [
      [-1.001, 1],
      [-0.999, 1],
      [1, -1.001],
    ] as const)
      expect((await changeOf(a, b)).value).toBeCloseTo(0, 2);
    expect((await changeOf(-2, 1)).value).toBeCloseTo(1, 2);
    expect((await changeOf(-2, 1)).state).toBe('fail');
  });

  it('a run that crashed is in no share of the rate, before or now', async () => {
    const script = (client: string, nth: number) =>
      client === 'a' && nth === 2
        ? { outcome: { kind: 'clientFailed' as const, reason: 'x' }, keepsTruth: 0.1 }
        : bias(0.3, 0.05)(client, nth);
    const { document } = await gate(scriptedGate({ clients: ['a'], against: 'b', script, budgetS: 120 }));
    const rates = document.checks.filter(({ name }) => name === 'rate');
    expect(rates.map(({ kind, value }) => [kind, value])).toEqual([
      ['rate', 1],
      ['change', 0],
    ]);
  });
});

describe('a rate by its raw shares', () => {
  const rateOf = async (shares: readonly number[], arrivals: 'constant' | 'poisson') => {
    const base = scriptedGate({
      tolerance: 'rate=2%',
      budgetS: 60,
      script: (_, nth) => ({ share: shares[nth - 1] ?? 0.95, outcome: { kind: 'measured' as const } }),
    });
    const { document } = await gate({ ...base, plan: { ...base.plan, arrivals } });
    return document.checks.find(({ name }) => name === 'rate')!;
  };

  it('a Poisson client that sends 95 % of the rate does not pass 2 %: what chance may do widens, and forgives nothing', async () => {
    const rate = await rateOf([0.945, 0.95, 0.955], 'poisson');
    expect(rate.state).not.toBe('pass');
    expect(rate.value).toBeCloseTo(0.95, 9);
    // As they would really scatter.
    const wide = await rateOf([0.92, 0.95, 0.98, 0.93], 'poisson');
    expect(wide.state).toBe('undetermined');
    expect(wide.remedy).toMatch(/random.*longer repetitions/);
  });

  it('of constant arrivals it fails', async () => {
    const rate = await rateOf([0.945, 0.95, 0.955], 'constant');
    expect([rate.state, rate.value]).toEqual(['fail', expect.closeTo(0.95, 9)]);
  });

  it('random shares that scatter about one are open', async () => {
    expect((await rateOf([0.97, 1.03, 1.01], 'poisson')).state).toBe('undetermined');
  });
});
