import { describe, expect, it } from 'vitest';
import { correctText } from '../../../reports/model/correct-text.ts';
import { estimate, growthWords, verdictWords } from '../../../reports/model/words.ts';
import type { CorrectDocument } from '../../../src/audit/model/correct-document.ts';
import type { ClientModel } from '../../../src/audit/model/document.ts';

describe('an estimate', () => {
  it.each([
    [{ value: 410, low: 400, high: 420 }, '410 [400, 420]'],
    [{ value: 410, low: 405, high: null }, '410 (405 or more)'],
    [{ value: 410, low: null, high: 415 }, '410 (415 or less)'],
    [{ value: 410, low: null, high: null }, '410 (no interval)'],
    [null, '–'],
  ])('%j is told as "%s"', (one, text) => {
    expect(estimate(one)).toBe(text);
  });
});

describe('a growth', () => {
  const growth = (measured_over_predicted: number) => ({
    duration_s: 8,
    growth_ms_per_s: 678,
    mean_of_run_ms: 8427,
    measured_over_predicted,
    capacity_rps: 515,
    capacity_by: 'arrivals' as const,
  });

  it('says where what was measured is another thing', () => {
    expect(growthWords(1600, growth(1.95), 16_422, 'sent')).toContain('1.95 times that: more than');
    expect(growthWords(1600, growth(0.4), 3400, 'sent')).toContain('0.40 times that: the rest may be');
    expect(growthWords(1600, growth(0.4), 3400, 'scheduled')).toContain('0.40 times that: it was not beyond');
    expect(growthWords(1600, growth(1.4), 12_000, 'scheduled')).not.toContain('times that');
    expect(growthWords(1600, growth(0.7), 6000, 'scheduled')).not.toContain('times that');
  });
});

it('too little to choose by is not called a client that no model explains', () => {
  const model = { client: 'a', state: 'unexplained', chosen: null, models: [], why: 'too little to choose' };
  expect(verdictWords(model as unknown as ClientModel)).toBe('a: no model is chosen. Too little to choose.');
});

describe('a correction in words', () => {
  const text = (low_ms: number, high_ms: number) =>
    correctText({
      client: 'a',
      client_version: '1',
      rate_rps: 100,
      tail: 'markov',
      model: {
        kind: 'mg1',
        rho: { value: 0.1, low: 0.09, high: null },
        fitted_low_rps: 50,
        fitted_high_rps: 200,
        held_out_error: 0.1,
      },
      figures: [
        {
          figure: 'e2e_mean',
          reported_ms: 10,
          state: 'interval',
          method: 'subtraction',
          low_ms,
          high_ms,
          client_mean_low_ms: 0.05,
          client_mean_high_ms: 0.06,
          higher: null,
          assumptions: [],
        },
      ],
      limits: [],
    } as unknown as CorrectDocument);

  it('has as many digits as tell both ends apart', () => {
    expect(text(9.941, 9.944)).toContain('the server’s own was 9.941 to 9.944 ms');
    expect(text(9.94, 9.95)).toContain('was 9.94 to 9.95 ms');
    expect(text(9.94, 9.94)).toContain('was 9.94 ms');
  });

  it('tells a ρ that is only known from below', () => {
    expect(text(9, 10)).toContain('ρ 0.10 (0.09 or more)');
  });
});
