import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { mean } from '../../src/measure/quantile.ts';
import { countOf, sentOf, servedMs, wholeLatency } from '../kit/load-run.ts';
import { answerAfter } from '../kit/load-script.ts';
import { faulty, figure, isOff, other, right, say, sizeOf, undetermined } from '../kit/load-verdict.ts';

const REQUESTS = 20;
const SLOW_MS = 3000;
const FAST_MS = 200;

export default {
  scope: 'load',
  title: 'the last of 20 requests is answered after 3 s',
  about:
    'One straggler at the end. A client that stops when its time is up, or when “enough” are done, loses just the request that decides its tail.',
  source: 'arithmetic: TTFT mean (19·200 + 3,000) / 20 = 340 ms, max 3,000; without it 200',
  right: 'TTFT mean 340 over 20 requests, or the straggler is said to have been given up',
  runs: [{ name: '20 at 10/s', rateRps: 10, requests: REQUESTS, tokens: 4, arrivals: 'constant' }],
  answer: (asked) => answerAfter(asked, asked.place === REQUESTS - 1 ? SLOW_MS : FAST_MS),
  mayFail: true,
  known: [
    {
      kind: 'tail-cut',
      what: 'does not wait for its last request, and leaves it out',
      arithmetic: 'TTFT mean 200 (−41 %), 19 of 20 counted',
    },
  ],
  judge([run]): LoadVerdict {
    const sent = sentOf(run!);
    if (sent < run!.requests) return undetermined(`only ${sent} of ${run!.requests} requests arrived`);
    const cut = countOf(run!, 'clientClosed');
    const whole = wholeLatency(run!);
    const values = whole === null ? [] : Array.from(servedMs(run!, whole.metric));
    const truth = values.length === 0 ? null : mean(values);
    const completed = run!.reported?.completed ?? null;
    const told = (run!.reported?.failed ?? 0) + (run!.reported?.dropped ?? 0);
    const figures = [
      figure('completed', 'requests', sent, completed, 0, 'printed'),
      ...(whole === null
        ? []
        : [
            figure(
              `${whole.metric.toUpperCase()} mean`,
              'ms',
              truth,
              whole.meanMs,
              Math.max(15, 0.05 * truth!),
              'printed',
            ),
          ]),
    ];
    if (cut > 0 || (completed !== null && completed < sent)) {
      const words = `it waited for ${sent - cut} of ${sent} and counts ${completed ?? 'none'}`;
      const size = { value: -Math.max(cut, sent - (completed ?? 0)), unit: 'requests', figure: 'completed' };
      return told >= Math.max(cut, sent - (completed ?? sent))
        ? other('tail-cut', `${words}; it says that ${told} did not end`, size, figures)
        : faulty(
            'tail-cut',
            `${words}, and says ${told === 0 ? 'of none' : `of ${told}`} that it did not end`,
            size,
            figures,
          );
    }
    const off = figures.slice(1).find(isOff);
    if (off === undefined)
      return right(
        `it waited for all ${sent}${whole === null ? '' : `, and its mean is that of all of them`}`,
        figures,
      );
    const without = mean(values.toSorted((a, b) => a - b).slice(0, -1));
    return Math.abs(off.got! - without) <= Math.max(15, 0.05 * without)
      ? faulty(
          'tail-cut',
          `its mean is ${say(off.got!)} ms, that of the ${sent - 1} before the last one`,
          sizeOf(off),
          figures,
        )
      : faulty(
          'unnamed',
          `its mean is ${say(off.got!)} ms where ${say(off.right!)} is right`,
          sizeOf(off),
          figures,
        );
  },
} satisfies LoadProbe;
