import { describe, expect, it } from 'vitest';
import { overSuccesses } from '../../src/load/build-report.ts';
import { OUTCOME } from '../../src/load/outcome.ts';
import { stagesReport } from '../../src/load/report-stages.ts';
import { StageStrata } from '../../src/load/strata-stage.ts';
import { parseBursts, parseStages } from '../../src/measure/load/stage-text.ts';
import { once, type StagePlan } from '../../src/measure/load/stages.ts';

const MS = 1e6;
const S = 1e9;
/** So large that a fraction of a nanosecond is lost, as on a machine that has been up for weeks. */
const START = 4_000_000 * S + 123_456_789;

function report(
  plan: StagePlan,
  inStage: number[],
  requests: [dueS: number, lagMs: number, e2eMs: number, outcome?: number][],
) {
  const strata = [new StageStrata(plan, START), new StageStrata(plan, START)];
  requests.forEach(([dueS, lagMs, e2eMs, outcome = OUTCOME.complete], i) => {
    const scheduledNs = START + dueS * S;
    strata[i % 2]!.take({
      scheduledNs,
      sentNs: scheduledNs + lagMs * MS,
      firstNs: scheduledNs + (e2eMs / 2) * MS,
      lastNs: scheduledNs + e2eMs * MS,
      endNs: scheduledNs + e2eMs * MS,
      outcome,
    });
  });
  return stagesReport(
    { plan, inStage, untilS: plan.lengthS, workers: strata.map((s) => s.snapshot()) },
    overSuccesses,
  );
}

describe('figures by stage', () => {
  it('take a request where it was due, and sends and ends where they happened', () => {
    const plan = once(parseStages('2s@2,4s@0,1s@2'));
    const { list, sent_after, completed_after } = report(
      plan,
      [4, 0, 2],
      [
        [0, 0, 10],
        [0.5, 0, 20],
        // Sent and ended in the pause.
        [1, 1500, 1600],
        // Failed.
        [1.5, 0, 30, OUTCOME.httpError],
        [6, 0, 40],
        // Ended after the last stage.
        [6.5, 0, 900],
      ],
    );
    expect(list.map((s) => s.stage)).toEqual(['2s@2', '4s@0', '1s@2']);
    expect(list.map((s) => [s.scheduled, s.ended, s.complete])).toEqual([
      [4, 4, 3],
      [0, 0, 0],
      [2, 2, 2],
    ]);
    expect(list.map((s) => s.success_rate)).toEqual([0.75, null, 1]);
    expect(list.map((s) => s.scheduled_rps)).toEqual([2, 0, 2]);
    expect(list.map((s) => s.sent_rps)).toEqual([1.5, 0.25, 2]);
    expect(list.map((s) => s.completed_rps)).toEqual([1, 0.25, 1]);
    expect([sent_after, completed_after]).toEqual([0, 1]);
    expect(list[0]!.e2e).toMatchObject({ n: 3, min_ms: 10, max_ms: 1600 });
    expect(list[0]!.ttft).toMatchObject({ n: 3, min_ms: 5, max_ms: 800 });
    expect(list[1]!.e2e).toMatchObject({ n: 0, p50_ms: null, absent: 'nothing was due in this stage' });
    expect(list[2]!.e2e).toMatchObject({ n: 2, max_ms: 900 });
  });

  it('give a request that is due on a border to the stage that begins there', () => {
    const plan = once(parseStages('0.1s@10,0.2s@10,0.3s@10'));
    const { list } = report(
      plan,
      [1, 2, 3],
      [0, 0.1, 0.2, 0.3, 0.4, 0.5].map((s) => [s, 0, 1]),
    );
    expect(list.map((s) => s.ended)).toEqual([1, 2, 3]);
  });

  it('put all repetitions of a stage into one', () => {
    const plan = { stages: parseBursts('on=1s@2,off=1s'), lengthS: 5 };
    const { list } = report(
      plan,
      [6, 0],
      [0, 0.5, 2, 2.5, 4, 4.5].map((s) => [s, 0, 1]),
    );
    expect(list.map((s) => [s.time_s, s.ended, s.completed_rps])).toEqual([
      [3, 6, 2],
      [2, 0, 0],
    ]);
  });
});
