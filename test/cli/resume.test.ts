import { describe, expect, it } from 'vitest';
import { EXPLAINED } from '../../src/audit/warnings.ts';
import { goingOn, plannedWarnings, plannedWords } from '../../src/cli/audit-run.ts';

describe('what --resume begins with', () => {
  it.each([
    [0, 'going on with out: none of 12 trials is finished'],
    [1, 'going on with out: 1 of 12 trials is finished'],
    [5, 'going on with out: 5 of 12 trials are finished'],
  ])('%i finished', (done, words) => expect(goingOn('out', done, 12)).toBe(words));
});

const warning = (code: string) => ({ code, evidence: 'sglang …', remedy: 'do' });

describe('warnings of the plan', () => {
  it('outlive --resume, and no others do', () => {
    const all = EXPLAINED.map(({ code }) => warning(code));
    expect(plannedWarnings(all).map(({ code }) => code)).toEqual(['client-left-out', 'other-arrivals']);
  });

  it('call only a client left out that is', () => {
    expect(plannedWords(warning('client-left-out'))).toBe('left out: sglang …; do');
    expect(plannedWords(warning('other-arrivals'))).toBe('warning: sglang …; do');
  });
});
