import { describe, expect, it } from 'vitest';
import { arrivalRows, departureWords } from '../../reports/arrivals-table.ts';
import { trialsCsv } from '../../reports/csv.ts';
import { arrivalPart } from '../../reports/page/arrivals.ts';
import type { AuditDocument } from '../../src/audit/document.ts';
import { DEPARTURES, type Departure } from '../../src/measure/arrival-process/types.ts';
import { sampleDocument } from './sample.ts';

const base = sampleDocument({ rates: [100], clients: ['asyncio'] });
const drift: Departure = { kind: 'drift', size: 0.449, unit: 'ms', evidence: 'gaps of 10.4 ms <b>' };

/** The audit with these departures in its first `n` trials, none in the others. */
const departing = (n: number): AuditDocument => ({
  ...base,
  trials: base.trials.map((trial, i) => ({
    ...trial,
    truth: {
      ...trial.truth!,
      arrivals: { ...trial.truth!.arrivals!, agrees: i >= n, departures: i < n ? [drift] : [] },
    },
  })),
});

describe('arrivalRows', () => {
  it('says what was asked and what was found', () => {
    const [row] = arrivalRows(departing(0));
    expect(row).toMatchObject({ client: 'asyncio', rate_rps: 100, stated: 'poisson', departures: [] });
    expect(row!.found).toMatch(/^Poisson, [\d.]+\/s/);
  });

  it('names a departure that half of the trials show, and not one of fewer', () => {
    const all = base.trials.length;
    expect(arrivalRows(departing(Math.ceil(all / 2)))[0]!.departures).toEqual([
      {
        kind: 'drift',
        words: 'every gap is +0.449 ms off',
        trials: Math.ceil(all / 2),
        evidence: drift.evidence,
      },
    ]);
    expect(arrivalRows(departing(Math.ceil(all / 2) - 1))[0]!.departures).toEqual([]);
  });

  it('has no row for results of a version that did not look', () => {
    const old = {
      ...base,
      trials: base.trials.map((trial) => ({ ...trial, truth: { ...trial.truth!, arrivals: undefined } })),
    };
    expect(arrivalRows(old)).toEqual([]);
    expect(arrivalPart(old).text).toBe('');
  });

  it('has words for every departure', () => {
    for (const kind of DEPARTURES) expect(departureWords({ kind, size: -0.5 })).toMatch(/^\S.*[\w)%]$/);
  });
});

describe('arrivals in page and file', () => {
  it('the page escapes what came from outside', () => {
    const { text } = arrivalPart(departing(3));
    expect(text).toContain('gaps of 10.4 ms &lt;b&gt;');
    expect(text).not.toContain('<b>');
  });

  it('trials.csv holds process and departures', () => {
    expect(trialsCsv(departing(1))).toContain('drift 0.449 ms');
  });
});
