/** The rate as drawn, in the summary. */
import { describe, expect, it } from 'vitest';
import { loadSummary } from '../../src/cli/load-summary.ts';
import { sampleRun, steady } from '../reports/load-sample.ts';

describe('the summary of random arrivals', () => {
  const { report } = sampleRun(steady(40), { arrivals: { kind: 'poisson' } });
  const of = (scheduled_rps: number) =>
    loadSummary({ ...report, rate: { ...report.rate, requested_rps: 60, scheduled_rps } });

  it('tells the rate as drawn where it is more than 5 % off', () => {
    expect(of(56.9)).toMatch(
      /as drawn come to 56.90\/s where 60.00\/s was asked: 40 requests at random gaps/,
    );
    expect(of(57.1)).not.toMatch(/as drawn/);
  });
});
