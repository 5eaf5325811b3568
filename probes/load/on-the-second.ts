import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { judgeDepartures, lacksPoisson } from '../kit/load-departures.ts';
import { arrivalsMs, sentOf } from '../kit/load-run.ts';
import { figure, undetermined } from '../kit/load-verdict.ts';

/** The largest share of arrivals within 2 ms of one instant of the second. */
function mostAtOneInstant(at: Float64Array): number {
  const phases = at.map((ms) => ms % 1000).sort();
  const around = [...phases, ...phases.map((ms) => ms + 1000)];
  let most = 0;
  for (let from = 0, to = 0; from < phases.length; from++) {
    while (to < around.length && around[to]! - phases[from]! <= 4) to++;
    most = Math.max(most, to - from);
  }
  return most / at.length;
}

/** The fullest of some 250 windows holds about 0.4 % with five standard deviations and two more: a count is whole. */
const byChance = (n: number): number => 5 * Math.sqrt(0.004 / n) + 2 / n;

export default {
  scope: 'load',
  title: 'Poisson arrivals at 10/s for 15 seconds, at 50/s for 20',
  about:
    'A timer that draws its gaps second by second, and scales each second’s to fit, sends a request on every whole second and as many in each. Queues see neither in a Poisson process.',
  source:
    'a Poisson process has no instant of its own: a window of 4 ms holds 0.4 % of its arrivals in the mean (docs/arrivals.md)',
  right: 'no instant of the second has an arrival second after second',
  // At 50/s one arrival in fifty is pinned: 200 arrivals do not show it, 1,000 do (docs/arrivals.md).
  runs: [
    { name: '10/s', rateRps: 10, requests: 150, tokens: 4, arrivals: 'poisson', latency: 'zero' },
    { name: '50/s', rateRps: 50, requests: 1000, tokens: 4, arrivals: 'poisson', latency: 'zero' },
  ],
  known: [
    {
      kind: 'on-the-second',
      what: 'scales each second’s gaps so that its last arrival falls on the whole second',
      arithmetic: 'at 10/s 10.6 % of the arrivals lie on whole seconds, at 50/s 2.6 %',
      reported: ['inference-perf loadgen/load_timer.py'],
    },
    {
      kind: 'renewed-each-second',
      what: 'sends as many in every second',
      arithmetic: 'index of dispersion of counts over 1 s near 0 where 1 is right',
    },
  ],
  refuses: lacksPoisson,
  judge(runs): LoadVerdict {
    const few = runs.find((run) => sentOf(run) < 0.5 * run.requests || sentOf(run) < 50);
    if (few !== undefined)
      return undetermined(`only ${sentOf(few)} of ${few.requests} requests arrived at ${few.rateRps}/s`);
    const figures = runs.map((run) => {
      const at = arrivalsMs(run);
      return figure(
        `arrivals at one instant of the second at ${run.rateRps}/s`,
        'share',
        0.004,
        mostAtOneInstant(at),
        byChance(at.length),
        'ledger',
      );
    });
    return judgeDepartures(
      runs,
      ['on-the-second', 'renewed-each-second'],
      'no instant of the second has an arrival second after second, and no count is the same in each',
      figures,
    );
  },
} satisfies LoadProbe;
