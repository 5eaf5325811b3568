import { describe, expect, it } from 'vitest';
import { backlogGrew } from '../../../src/load/requests/backlog.ts';

describe('a backlog among answers of unlike lengths', () => {
  // 50/s with a mean of 2 s: 100 under way, σ 10.
  it.each([
    ['as many as Little’s law has', 100, false],
    ['a quarter more, within three σ', 150, false],
    ['what delays that grow to twice their mean leave', 200, true],
    ['a run that ended before its answers did', 40, false],
  ])('%s: %i', (_, underWay, grew) => {
    expect(backlogGrew(underWay, 50, 2)).toBe(grew);
  });

  it('small numbers are no backlog', () => {
    expect(backlogGrew(3, 1, 1)).toBe(false);
  });
});
