import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { judgeDepartures, lacksPoisson, processCv2 } from '../kit/load-departures.ts';
import { arrivalsMs } from '../kit/load-run.ts';
import { figure, undetermined } from '../kit/load-verdict.ts';

export default {
  scope: 'load',
  title: 'Poisson arrivals at 40/s, 200 of them',
  about:
    'Several senders that draw their gaps from one seed send together: as many at once as there are senders, which no rate and hardly a CV² shows. Gaps that are equal, swing or grow are no Poisson process either.',
  source:
    'gaps of a Poisson process are independent and exponential: CV² 1, shortest gaps rare (docs/arrivals.md)',
  right: 'independent exponential gaps',
  runs: [{ name: '40/s', rateRps: 40, requests: 200, tokens: 4, arrivals: 'poisson', latency: 'zero' }],
  known: [
    {
      kind: 'clumps',
      what: 'k senders share a seed, so k requests leave at once',
      arithmetic: 'clumps of k requests at 40/k a second',
      reported: ['guidellm: 10 workers, one seed'],
    },
    {
      kind: 'regular-gaps',
      what: 'sends equal gaps for a Poisson process',
      arithmetic: 'CV² ≈ 0 where 1 is right',
    },
    { kind: 'bursts', what: 'the rate swings', arithmetic: 'index of dispersion of counts far above CV²' },
  ],
  refuses: lacksPoisson,
  judge([run]): LoadVerdict {
    const at = arrivalsMs(run!);
    if (at.length < 50) return undetermined(`only ${at.length} requests arrived`);
    return judgeDepartures(
      [run!],
      ['clumps', 'ticks', 'regular-gaps', 'other-cv2', 'ramp', 'bursts', 'unnamed'],
      'no clumps, ticks, bursts, ramp or gaps of another kind show',
      [figure('CV² of gaps', '', 1, processCv2(run!), 0.6, 'ledger')],
    );
  },
} satisfies LoadProbe;
