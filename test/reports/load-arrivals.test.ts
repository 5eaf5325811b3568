import { describe, expect, it } from 'vitest';
import type { Html } from '../../reports/html.ts';
import { arrivalLines, stageSection } from '../../reports/load/arrival-sections.ts';
import type { LoadDocument } from '../../reports/load/document.ts';
import { overSuccesses } from '../../src/load/build-report.ts';
import { DurationHistogram } from '../../src/load/histogram.ts';
import type { LoadReport } from '../../src/load/report.ts';
import { closedReport } from '../../src/load/report-closed.ts';

const document = (change: Partial<LoadReport>): LoadDocument =>
  ({ report: { stages: null, trace: null, closed_loop: null, ...change } }) as LoadDocument;
const text = (html: Html): string =>
  html.text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function latency(...valuesMs: number[]) {
  const h = new DurationHistogram();
  for (const value of valuesMs) h.record(value * 1e6);
  return overSuccesses(h, 'nothing was due in this stage');
}

describe('the page of a load', () => {
  it('says nothing of stages, traces and closed loops where there were none', () => {
    expect(text(stageSection(document({})))).toBe('');
    expect(text(arrivalLines(document({})))).toBe('');
  });

  it('has a row for each stage, with dashes for what is not there', () => {
    const stage = {
      stage: '2s@50',
      time_s: 2,
      scheduled: 100,
      ended: 100,
      complete: 75,
      success_rate: 0.75,
      scheduled_rps: 50,
      sent_rps: 49.5,
      completed_rps: 37.5,
      ttft: latency(10, 12),
      e2e: latency(30, 34),
    };
    const pause = {
      ...stage,
      stage: '1s@0',
      scheduled: 0,
      success_rate: null,
      ttft: latency(),
      e2e: latency(),
    };
    const shown = text(
      stageSection(
        document({ stages: { list: [stage, pause], length_s: 3, sent_after: 0, completed_after: 4 } }),
      ),
    );
    expect(shown).toMatch(/2s@50 2 100 75\S* % 50 49\.5 37\.5 10\.0 12\.0 30\.0 34\.0/);
    expect(shown).toMatch(/1s@0 2 0 – .* – – – –$/);
    expect(shown).toMatch(/4 answers ended after the last stage/);
  });

  it('says aloud what a closed loop hides, and what of a trace was used', () => {
    const loop = closedReport(
      { users: 10, thinkS: 0, staggerS: 0, durationS: 10, requests: null },
      [{ elapsedNs: 10e9, busyNs: 100e9, ended: 2500 }],
      40e6,
    );
    const shown = text(arrivalLines(document({ closed_loop: loop })));
    expect(shown).toMatch(/Closed loop of 10 users: it came to 250 requests\/s, which is a result/);
    expect(shown).toMatch(/ratio 1\.000.*hides queueing \(coordinated omission\)/);
    const trace: LoadReport['trace'] = {
      file: 'BurstGPT_1.csv',
      format: 'burstgpt',
      rows: 5000,
      used: 4900,
      before_slice: 0,
      other_model: 0,
      failed_rows: 100,
      failed_rows_are: 'skipped',
      prompts_raised: 0,
      slice_s: null,
      model: null,
      scale: 1,
      lengths: 'as in the trace',
      notes: ['whole seconds'],
    };
    expect(text(arrivalLines(document({ trace })))).toMatch(
      /BurstGPT_1\.csv \(burstgpt\): 4,900 of 5,000 rows; 100 without output were skipped; lengths as in the trace\. Note: whole seconds\./,
    );
  });
});
