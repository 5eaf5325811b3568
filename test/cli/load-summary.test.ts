import { describe, expect, it } from 'vitest';
import { loadSummary } from '../../src/cli/load-summary.ts';
import { sweepSummary } from '../../src/cli/load-sweep-summary.ts';
import { latencyKnee } from '../../src/load/sweep/build-report.ts';
import type { SweepReport } from '../../src/load/sweep/report.ts';
import { sampleRun, steady } from '../reports/load-sample.ts';

describe('what is printed of a run that was ended early', () => {
  it('does not say that requests were sent again which still waited', () => {
    const { report } = sampleRun(steady(5));
    const given_up = { ...report.retry.given_up, cut_off: 10 };
    const text = loadSummary({ ...report, retry: { ...report.retry, given_up } });
    expect(text).toContain('10 refused requests still waited for their Retry-After');
    expect(text).not.toContain('sent again');
  });

  it('looks for no bend in a sweep without a step', () => {
    const knee = { state: 'undetermined', absent: 'it was ended', stable_rps: null, overloaded_rps: null };
    const report = {
      steps: [],
      elapsed_s: 1,
      ended: 'interrupted',
      knee,
      goal_knee: null,
      latency_knee: latencyKnee([]),
    };
    const text = sweepSummary(report as unknown as SweepReport);
    expect(text).toContain('0 steps');
    expect(text).not.toContain('bend');
  });
});
