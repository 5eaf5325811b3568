import type { LoadFigure, LoadProbe, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { mean } from '../../src/measure/quantile.ts';
import { type Cap, capOf, shareOnTheBooks } from '../kit/load-cap.ts';
import { sentOf, servedMs, waitsMs, wholeLatency } from '../kit/load-run.ts';
import { faulty, figure, isOff, notApplicable, other, right, say, sizeOf } from '../kit/load-verdict.ts';

interface Judged {
  readonly run: LoadRun;
  readonly cap: Cap | null;
  readonly waitMs: number;
  readonly served: number;
  readonly figure: LoadFigure;
}

function look(run: LoadRun): Judged | null {
  const whole = wholeLatency(run);
  if (whole === null) return null;
  const served = mean(servedMs(run, whole.metric));
  const cap = capOf(run);
  const { meanMs, chanceMs } = waitsMs(run);
  const waitMs = cap === null ? 0 : meanMs;
  const fromSchedule = served + waitMs;
  const name = `${whole.metric.toUpperCase()} mean from schedule, ${run.requests} at ${run.rateRps}/s`;
  const tolerance = Math.max(25, 0.05 * fromSchedule) + (cap === null ? 0 : chanceMs);
  return {
    run,
    cap,
    waitMs,
    served,
    figure: figure(name, 'ms', fromSchedule, whole.meanMs, tolerance, 'printed'),
  };
}

export default {
  scope: 'load',
  title: 'more is due than a client with a cap may have under way',
  about:
    'At 10/s with 0.5 s a request five are under way, at 40/s with 0.19 s 7.6. A client that allows fewer lets the rest wait. Users would wait, too: the wait belongs to E2E from the schedule, and a clock that starts after the cap hides it.',
  source:
    'arithmetic: under a cap of 1 the i-th of 8 waits 0.5·i − 0.1·i s, so E2E from schedule is 0.5 + 0.4·3.5 = 1.9 s in the mean; under a cap of 4 the i-th of 40 waits ⌊i/4⌋·(0.19 − 4/40) s, 0.405 s in the mean',
  right: 'nothing waits; where a cap makes it wait, E2E holds the wait',
  runs: [
    { name: '8 at 10/s', rateRps: 10, requests: 8, tokens: 4, arrivals: 'constant', latency: 'ttft=500ms' },
    { name: '40 at 40/s', rateRps: 40, requests: 40, tokens: 4, arrivals: 'constant', latency: 'ttft=190ms' },
  ],
  known: [
    {
      kind: 'cap-wait-omitted',
      what: 'starts the clock of a request when the cap lets it through',
      arithmetic: 'cap 1: E2E 0.5 s where 1.9 is right (−74 %); cap 4: 0.19 s where 0.595 is right (−68 %)',
      definition: true,
      reported: ['vllm#54101'],
    },
  ],
  refuses: ({ openLoop }) =>
    openLoop ? null : 'a closed loop: its users send when they are answered, so nothing is due before',
  judge(runs): LoadVerdict {
    const all = runs.map(look).filter((one) => one !== null);
    if (all.length === 0) return notApplicable('it prints no latency of whole requests');
    const figures = all.map((one) => one.figure);
    // Under some other lateness than a cap's the figures are another probe's matter.
    const held = all.filter(({ cap, waitMs, figure: { tolerance } }) => cap !== null && waitMs > tolerance);
    const worst = held.sort((a, b) => b.waitMs / b.served - a.waitMs / a.served)[0];
    if (worst === undefined)
      return right(
        `no cap holds it back (${runs.map((run) => `${sentOf(run)} of ${run.requests}`).join(', ')} were sent)`,
        figures,
      );
    const { run, cap, waitMs, served, figure: mine } = worst;
    const share = shareOnTheBooks(mine.got!, served, waitMs);
    const words = `no more than ${cap!.cap} were under way where ${say(cap!.needed)} should have been: requests waited ${say(waitMs)} ms in the mean`;
    if (share > 0.8)
      return isOff(mine) && mine.got! > mine.right!
        ? faulty(
            'unnamed',
            `${words}; its figures hold more than that: ${say(mine.got!)} ms where ${say(mine.right!)} is right`,
            sizeOf(mine),
            figures,
          )
        : right(`${words}, and its figures hold that`, figures);
    const omitted = `${words}, and ${share < 0.2 ? 'none' : 'a part'} of that is in its figures: ${say(mine.got!)} ms where ${say(mine.right!)} is right`;
    const size = sizeOf(mine);
    return run.definitions.t0 === 'sent'
      ? other(
          'cap-wait-omitted',
          `${omitted}. It is stated of it that its clock starts at the send.`,
          size,
          figures,
        )
      : faulty('cap-wait-omitted', omitted, size, figures);
  },
} satisfies LoadProbe;
