import { describe, expect, it } from 'vitest';
import { goingOn } from '../../src/cli/audit-run.ts';

describe('what --resume begins with', () => {
  it.each([
    [0, 'going on with out: none of 12 trials is finished'],
    [1, 'going on with out: 1 of 12 trials is finished'],
    [5, 'going on with out: 5 of 12 trials are finished'],
  ])('%i finished', (done, words) => expect(goingOn('out', done, 12)).toBe(words));
});
