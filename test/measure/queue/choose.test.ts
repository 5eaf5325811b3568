import { describe, expect, it } from 'vitest';
import { choose } from '../../../src/measure/queue/choose.ts';
import type { FittedModel, ModelKind } from '../../../src/measure/queue/types.ts';

const model = (kind: ModelKind, heldOutError: number, other: Partial<FittedModel> = {}): FittedModel => {
  const one = { value: 1, low: 1, high: 1 };
  const bases = { ttftBaseMs: null, e2eBaseMs: null };
  return {
    kind,
    parameters:
      kind === 'mg1'
        ? { kind, muRps: one, cv2: one, batchEvents: null, ...bases }
        : { kind, turnMs: one, requestMs: one, ...bases },
    loops: 1,
    split: 'random',
    heldOutError,
    heldOutNoise: 0.01,
    refuted: false,
    unsound: null,
    fittedRps: { low: 1, high: 2 },
    draws: [],
    parametricDraws: 0,
    residuals: [],
    ...other,
  };
};
const chance = (probability: number) => () => probability;

describe('which model is shown', () => {
  it('one that is beyond the limit is in no tie', () => {
    expect(choose([model('mg1', 0.3), model('gated', 0.245)], 5, chance(1))).toMatchObject({
      chosen: 'gated',
      tie: false,
    });
    for (const error of [0.45, 0.6])
      expect(choose([model('mg1', error), model('gated', 0.05)], 5, chance(0.06))).toMatchObject({
        chosen: 'gated',
        tie: false,
      });
  });

  it('within the margin the simpler one; where only chance ties them the better one', () => {
    expect(choose([model('mg1', 0.06), model('gated', 0.05)], 5, chance(0))).toMatchObject({
      chosen: 'mg1',
      tie: true,
    });
    const lucky = choose([model('mg1', 0.15), model('gated', 0.05)], 5, chance(0.06));
    expect(lucky).toMatchObject({ chosen: 'gated', tie: true });
    expect(lucky.why).toContain('range of both');
    expect(choose([model('mg1', 0.15), model('gated', 0.05)], 5, chance(0.04))).toMatchObject({
      chosen: 'gated',
      tie: false,
    });
  });

  it('one that its own residuals refute does not tie with one that they do not, whatever its luck', () => {
    const refuted = model('mg1', 0.05, { refuted: true });
    expect(choose([refuted, model('gated', 0.1)], 5, chance(1))).toMatchObject({
      chosen: 'gated',
      tie: false,
    });
    expect(choose([refuted, model('gated', 0.1, { refuted: true })], 5, chance(0))).toMatchObject({
      chosen: 'mg1',
    });
    // Where the other one explains nothing, a real loop's small faults are no reason to say nothing.
    expect(choose([refuted, model('gated', 0.4)], 5, chance(0))).toMatchObject({ chosen: 'mg1', tie: false });
  });

  it('none that is not sound', () => {
    const why = 'its cost of a turn comes out at the end of the search';
    const none = choose([model('mg1', 0.4), model('gated', 0.01, { unsound: why })], 5, chance(0));
    expect(none.chosen).toBeNull();
    expect(none.why).toContain(why);
    expect(none.why).toContain('40 %');
  });
});
