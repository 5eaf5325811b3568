import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/claims/arithmetic-check.ts';
import { digestOf } from '../../src/claims/verdict/digest.ts';

const one = (over: Partial<CheckResult>): CheckResult => ({
  check: 'littles-law',
  title: "Little's law, row a",
  state: 'limits',
  rows: ['a'],
  figures: [],
  headlines: [],
  inputs: [],
  working: [],
  finding: 'Too few in flight.',
  explanations: [],
  questions: [],
  ...over,
});

describe('what stands out of a claim', () => {
  it('tells the same finding of many rows once, by the last of them', () => {
    const digest = digestOf(
      ['a', 'b', 'c'].map((row) => one({ title: `Little's law, row ${row}`, finding: `At ${row}.` })),
    );
    expect(digest).toHaveLength(1);
    expect(digest[0]).toMatchObject({
      finding: 'At c.',
      also: ["Little's law, row a", "Little's law, row b"],
    });
  });

  it('begins with contradictions, and ends with the length of runs', () => {
    const digest = digestOf([
      one({ check: 'window', title: 'Time of sending, row a' }),
      one({ title: "Little's law, row a" }),
      one({ title: "Little's law over the sweep", rows: ['a', 'b'] }),
      one({ check: 'counts', title: 'Requests accounted for, row a', state: 'contradicts' }),
      one({ state: 'agrees' }),
      one({ state: 'not applicable' }),
    ]);
    expect(digest.map(({ title }) => title)).toEqual([
      'Requests accounted for, row a',
      "Little's law over the sweep",
      "Little's law, row a",
      'Time of sending, row a',
    ]);
    expect(digest[0]).not.toHaveProperty('across');
  });

  it('keeps headlines apart, and a contradiction from a limit of the same kind', () => {
    const of = (title: string, state: CheckResult['state']) => one({ check: 'ratios', title, state });
    expect(
      digestOf([
        of('Headline: 2x', 'limits'),
        of('Headline: 3x', 'contradicts'),
        of('Headline: 4x', 'contradicts'),
        one({ title: "Little's law, row a", state: 'contradicts' }),
        one({ title: "Little's law, row b", state: 'limits' }),
      ]),
    ).toHaveLength(5);
  });
});
