/** Whole sweeps of queues whose capacity is known. */
import { describe, expect, it } from 'vitest';
import type { SweepGoal } from '../../../src/measure/knee/plan-sweep.ts';
import { Sweep } from '../../../src/measure/knee/sweep.ts';
import type { StepRequests } from '../../../src/measure/knee/types.ts';
import { play, type Queue } from './queues.ts';

const GOAL: SweepGoal = { lowRps: 10, highRps: 4000, stepS: 5, points: null, precision: 0.05 };
const OVERHEAD_S = 3;

interface Played {
  readonly sweep: Sweep;
  readonly ended: string;
  readonly spentS: number;
}

/** Plays a sweep to its end on a clock of its own; `seen` changes what the client sees. */
function sweepOf(
  queue: Queue,
  seed: number,
  goal: Partial<SweepGoal> = {},
  seen: (r: StepRequests, rate: number) => StepRequests = (r) => r,
  budgetS = 180,
): Played {
  const sweep = new Sweep({ ...GOAL, ...goal });
  const capacity = queue.servers / queue.serviceS;
  let spentS = 0;
  for (;;) {
    const next = sweep.next({ leftS: budgetS - spentS, overheadS: OVERHEAD_S });
    if (next.kind === 'done') return { sweep, ended: next.why, spentS };
    expect(next.rateRps).toBeLessThanOrEqual({ ...GOAL, ...goal }.highRps * 1.000001);
    spentS += next.durationS * Math.max(1, next.rateRps / capacity) + OVERHEAD_S;
    sweep.add(
      next,
      seen(play(queue, next.rateRps, next.durationS, seed * 100 + sweep.steps.length), next.rateRps),
    );
  }
}

const KINDS = [
  ['D', 'D'],
  ['M', 'D'],
  ['M', 'M'],
] as const;
const cases = KINDS.flatMap(([arrivals, service]) => [50, 500, 2000].map((c) => ({ arrivals, service, c })));

describe('the knee of a queue with 5 servers', () => {
  it.each(cases)(
    '$arrivals/$service/5 of $c/s: within 5 %, or not claimed, 20 seeds',
    ({ arrivals, service, c }) => {
      const queue: Queue = { servers: 5, serviceS: 5 / c, service, arrivals };
      let found = 0;
      for (let seed = 1; seed <= 20; seed++) {
        const { sweep, spentS } = sweepOf(queue, seed);
        const knee = sweep.knee();
        expect(spentS).toBeLessThanOrEqual(181);
        if (knee.state !== 'found') continue;
        found++;
        const { value, low, high } = knee.rps;
        expect(value / c).toBeGreaterThan(0.95);
        expect(value / c).toBeLessThan(1.05);
        // A 95 % interval of figures that are this good: it may miss by a hair.
        expect(low / c).toBeLessThan(1.02);
        expect(high / c).toBeGreaterThan(0.98);
      }
      expect(found).toBeGreaterThanOrEqual(19);
    },
    60_000,
  );

  it('is the same with 1 and with 200 servers, whose answers come in bursts', () => {
    for (const servers of [1, 200])
      for (const arrivals of ['D', 'M'] as const) {
        const { sweep } = sweepOf({ servers, serviceS: servers / 300, service: 'D', arrivals }, 1);
        expect(sweep.knee().rps!.value / 300).toBeCloseTo(1, 1.3);
      }
  });

  it('is confirmed by a stable step below and an overloaded one above', () => {
    const { sweep, ended } = sweepOf({ servers: 5, serviceS: 0.01, service: 'D', arrivals: 'M' }, 3);
    const { bracket } = sweep.knee();
    expect(bracket.stableRps!).toBeGreaterThan(450);
    expect(bracket.overloadedRps!).toBeLessThan(550);
    expect(ended).toBe('the knee is known well enough');
  });
});

describe('no knee is stated', () => {
  const queue: Queue = { servers: 5, serviceS: 0.1, service: 'D', arrivals: 'M' };

  it('where the top rate is below it, and no step goes beyond that', () => {
    const { sweep } = sweepOf(queue, 1, { highRps: 40 });
    expect(sweep.knee()).toMatchObject({ state: 'notReached' });
    expect(sweep.knee().bracket.stableRps!).toBeGreaterThan(30);
    expect(Math.max(...sweep.steps.map(({ rateRps }) => rateRps))).toBe(40);
  });

  it('where the lowest rate is above it', () => {
    const { sweep } = sweepOf(queue, 1, { lowRps: 100, highRps: 400 });
    const knee = sweep.knee();
    expect(knee.state).toBe('undetermined');
    expect('why' in knee && knee.why).toMatch(
      /no step was stable; completions level off at (49|50).*begin the sweep lower/,
    );
  });

  it('where the client gives out before the server', () => {
    // Above 30/s everything is late on our side, before the send and after it.
    const slowClient = (r: StepRequests, rate: number): StepRequests => {
      if (rate <= 30) return r;
      const late = r.scheduledS.map((at) => at * (rate / 30));
      return { ...r, sentS: late, endS: late.map((at) => at + 0.1) };
    };
    const { sweep, ended } = sweepOf(queue, 1, {}, slowClient);
    expect(sweep.knee()).toMatchObject({ state: 'clientLimited' });
    expect(ended).toBe('the client gave out, twice');
  });

  it('where a request takes so long that no step fits', () => {
    const { sweep, ended } = sweepOf({ ...queue, serviceS: 20 }, 1);
    expect(sweep.knee().state).toBe('undetermined');
    expect(ended).toMatch(/time budget is used up/);
  });

  it('without a step', () => {
    expect(new Sweep(GOAL).knee()).toMatchObject({ state: 'undetermined', why: 'no step was run' });
  });
});

describe('a server that is not a plain queue', () => {
  it('whose throughput falls under overload has its knee between steps, and says so', () => {
    const { sweep } = sweepOf(
      {
        servers: 5,
        serviceS: 0.01,
        service: 'D',
        arrivals: 'D',
        slowdown: (waiting) => Math.min(2, waiting / 20),
      },
      1,
    );
    const knee = sweep.knee();
    expect(knee).toMatchObject({ state: 'found', basis: 'bracket' });
    expect(knee.rps!.low).toBeGreaterThan(450);
    expect(knee.rps!.high).toBeLessThan(550);
    expect('notes' in knee && knee.notes[0]).toMatch(/throughput falls under overload/);
  });

  it('that refuses instead of queueing has it where 1 % is refused', () => {
    const { sweep } = sweepOf({ servers: 5, serviceS: 0.01, service: 'D', arrivals: 'M', queueLimit: 0 }, 1);
    const knee = sweep.knee();
    expect(knee).toMatchObject({ state: 'found', basis: 'bracket' });
    // Erlang's B with 5 servers is 1 % at 1.361 erlangs: 136/s.
    expect(knee.rps!.low).toBeLessThan(136 * 1.1);
    expect(knee.rps!.high).toBeGreaterThan(136 * 0.9);
  });
});

describe('a grid', () => {
  it('is gone through in ascending order, and left once overload is clear', () => {
    const { sweep, ended } = sweepOf({ servers: 5, serviceS: 0.1, service: 'D', arrivals: 'D' }, 1, {
      lowRps: 10,
      highRps: 640,
      points: 7,
    });
    expect(sweep.steps.map(({ rateRps }) => Math.round(rateRps))).toEqual([10, 20, 40, 80, 160]);
    expect(ended).toBe('the server was clearly overloaded at two rates');
    expect(sweep.knee().rps!.value).toBeCloseTo(50, 1);
  });

  it('of one point is that rate', () => {
    const { sweep } = sweepOf({ servers: 5, serviceS: 0.1, service: 'D', arrivals: 'D' }, 1, { points: 1 });
    expect(sweep.steps.map(({ rateRps }) => rateRps)).toEqual([10]);
  });
});
