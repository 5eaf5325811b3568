import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { mean } from '../../src/measure/quantile.ts';
import { capOf, neededOf, shareOnTheBooks } from '../kit/load-cap.ts';
import { isRandom, peakOf, sendRateOf, sentOf, servedMs, waitsMs, wholeLatency } from '../kit/load-run.ts';
import { faulty, figure, other, percentOff, right, say, sizeOf } from '../kit/load-verdict.ts';

export default {
  scope: 'load',
  title: '128 requests should be under way at once',
  about:
    'Each takes 1,180 ms, so at 108.5/s 128 are under way. A pool of connections that ends at 100 (a common default) becomes a cap: the load is another than was asked, and nothing of the server shows that.',
  source: 'Little’s law: 108.5/s · 1.18 s = 128; a pool of 100 ends at 100 / 1.18 s = 84.7 requests/s',
  right: '128 under way, 108.5 requests/s',
  runs: [
    {
      name: '108.5/s of 1.18 s',
      rateRps: 108.5,
      requests: 434,
      tokens: 5,
      arrivals: 'constant',
      latency: 'ttft=200ms,itl=245ms',
    },
  ],
  known: [
    {
      kind: 'in-flight-cap',
      what: 'never has more under way than its pool of connections allows',
      arithmetic:
        'pool of 100: peak 100 of 128, 84.7 requests/s of 108.5 (−22 %); E2E up by the wait where the clock covers it',
      reported: ['guidellm#487'],
    },
  ],
  refuses: ({ openLoop }) =>
    openLoop ? null : 'a closed loop: how many are under way is what it is asked for',
  judge([run]): LoadVerdict {
    const needed = neededOf(run!);
    const peak = peakOf(run!);
    const slack = isRandom(run!) ? 3 * Math.sqrt(needed) : 0.04 * needed;
    const figures = [
      figure('most under way', 'requests', Math.round(needed), peak, slack, 'ledger'),
      figure(
        'sends',
        'requests/s',
        run!.rateRps,
        sendRateOf(run!),
        run!.rateRps * (isRandom(run!) ? 0.15 : 0.02),
        'ledger',
      ),
    ];
    const cap = capOf(run!);
    if (cap === null)
      return right(
        peak >= needed - slack
          ? `${peak} were under way`
          : `${peak} were under way where ${say(needed)} should have been, and they do not stand at a number as under a cap: ${sentOf(run!)} of ${run!.requests} were sent, at ${say(sendRateOf(run!) ?? 0)}/s`,
        figures,
      );
    const heldS = needed / run!.rateRps;
    const words = `no more than ${cap.cap} were under way where ${say(needed)} should have been, so it cannot send more than ${cap.cap} / ${say(heldS)} s = ${say(cap.cap / heldS)} requests/s (${percentOff(cap.cap / heldS, run!.rateRps)})`;
    const whole = wholeLatency(run!);
    const { meanMs: waitMs } = waitsMs(run!);
    const share =
      whole === null || !(waitMs > 25)
        ? null
        : shareOnTheBooks(whole.meanMs, mean(servedMs(run!, whole.metric)), waitMs);
    const books =
      share === null
        ? ''
        : share > 0.8
          ? '; the wait is in its latencies, as if it were the server’s'
          : share < 0.2
            ? '; the wait is in no latency'
            : '; a part of the wait is in its latencies';
    const size = sizeOf(figures[0]!);
    const { dropped } = run!.reported ?? { dropped: null };
    const missing = run!.requests - sentOf(run!);
    if (missing > 0 && (dropped ?? 0) >= 0.9 * missing)
      return other(
        'in-flight-cap',
        `${words}. What was due beyond it was dropped, and it says so: ${dropped}.`,
        size,
        figures,
      );
    return faulty('in-flight-cap', words + books, size, figures);
  },
} satisfies LoadProbe;
