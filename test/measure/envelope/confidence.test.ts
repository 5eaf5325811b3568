import { describe, expect, it } from 'vitest';
import { leadConfidence, noiseSeen, noiseUsed } from '../../../src/measure/envelope/confidence.ts';
import { canRepeat, type Try, tallies } from '../../../src/measure/envelope/tally.ts';
import { uniform } from '../../../src/measure/random.ts';

describe('a verdict that leads by d trials', () => {
  it('errs as the gambler is ruined', () => {
    expect(leadConfidence(0, 0.1)).toBe(0.5);
    expect(leadConfidence(1, 0.1)).toBeCloseTo(0.9, 12);
    expect(leadConfidence(2, 0.1)).toBeCloseTo(81 / 82, 12);
    expect(leadConfidence(3, 0.2)).toBeCloseTo(64 / 65, 12);
  });

  it('is right that often where trials go on until it leads', () => {
    const u = uniform(5, 1);
    let right = 0;
    for (let i = 0; i < 20_000; i++) {
      let lead = 0;
      while (Math.abs(lead) < 2) lead += u() < 0.2 ? -1 : 1;
      if (lead > 0) right++;
    }
    expect(right / 20_000).toBeCloseTo(leadConfidence(2, 0.2), 2);
  });
});

describe('noise', () => {
  it('is seen at rates that were tried more than once', () => {
    const cells = [
      { holds: 3, fails: 1 },
      { holds: 1, fails: 0 },
      { holds: 0, fails: 2 },
    ];
    expect(noiseSeen(cells)).toEqual({ trials: 6, disagree: 1 });
  });

  it('is what is assumed, or more where more was seen in enough trials', () => {
    expect(noiseUsed({ trials: 9, disagree: 4 })).toBe(0.1);
    expect(noiseUsed({ trials: 20, disagree: 1 })).toBe(0.1);
    expect(noiseUsed({ trials: 20, disagree: 5 })).toBe(0.25);
    expect(noiseUsed({ trials: 20, disagree: 10 })).toBe(0.45);
  });
});

describe('the trials at a rate', () => {
  const at = (...verdicts: Try['verdict'][]) =>
    tallies(
      verdicts.map((verdict) => ({ rate_rps: 1, verdict, purpose: 'ramp' })),
      2,
    )[0]!;

  it.each([
    [['holds'], 'holds', 1],
    [['fails', 'fails'], 'fails', 2],
    [['holds', 'fails'], 'open', 0],
    [['undetermined'], 'open', 0],
    [['undetermined', 'undetermined'], 'unclear', 0],
    [['holds', 'undetermined', 'undetermined'], 'holds', 1],
    // Contradicted and undetermined: what is known of it is worth another trial.
    [['holds', 'fails', 'undetermined', 'undetermined'], 'open', 0],
    [['holds', 'fails', 'holds', 'fails', 'holds', 'fails'], 'unclear', 0],
    [['target', 'target'], 'target', 2],
    [['target', 'fails', 'fails'], 'fails', 3],
    [['holds', 'holds', 'target'], 'holds', 1],
  ] as const)('%j: %s', (verdicts, standing, lead) => {
    expect(at(...verdicts)).toMatchObject({ standing, lead, trials: verdicts.length });
  });

  it('are not gone on with where they tell nothing, or are many', () => {
    expect(canRepeat(at('holds', 'undetermined', 'undetermined'), 2)).toBe(true);
    expect(canRepeat(at('holds', 'undetermined', 'undetermined', 'undetermined'), 2)).toBe(false);
    expect(canRepeat(at(...Array(7).fill('holds')), 2)).toBe(false);
  });
});
