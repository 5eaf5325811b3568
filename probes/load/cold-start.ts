import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { mean } from '../../src/measure/quantile.ts';
import { sentOf, servedMs, wholeLatency } from '../kit/load-run.ts';
import { answerAfter } from '../kit/load-script.ts';
import {
  faulty,
  figure,
  isOff,
  notApplicable,
  right,
  say,
  sizeOf,
  undetermined,
} from '../kit/load-verdict.ts';

const SLOW = 3;
const SLOW_MS = 2000;
const FAST_MS = 200;

export default {
  scope: 'load',
  title: 'the first three requests take 2 s, the others 0.2 s',
  about:
    'A server that loads, compiles or fills a cache is slow at first. A client may leave such requests out as warm-up, where it says so; one that drops them silently prints a server that nobody met.',
  source: 'arithmetic: TTFT mean (3·2,000 + 17·200) / 20 = 470 ms, E2E 30 more; without the first three 200',
  right: 'TTFT mean 470 over 20 requests; warm-up requests that are stated are not among the 20',
  runs: [{ name: '20 at 5/s', rateRps: 5, requests: 20, tokens: 4, arrivals: 'constant' }],
  answer: (asked) => answerAfter(asked, asked.place < SLOW ? SLOW_MS : FAST_MS),
  known: [
    {
      kind: 'warm-up-dropped',
      what: 'leaves its first requests out of the figures, unstated',
      arithmetic: 'without three TTFT mean 200 (−57 %), n 17',
    },
    {
      kind: 'requests-lost',
      what: 'counts other requests than those in its figures',
      arithmetic: 'TTFT mean 470, which is of 20, over 12 completed',
    },
  ],
  judge([run]): LoadVerdict {
    const whole = wholeLatency(run!);
    if (whole === null) return notApplicable('it prints no mean of whole requests');
    const values = Array.from(servedMs(run!, whole.metric));
    const n = run!.reported!.metrics[whole.metric].n;
    const completed = run!.reported!.completed;
    const sent = sentOf(run!);
    if (values.length < run!.requests)
      return undetermined(
        `only ${values.length} of ${run!.requests} requests were completed (${sent} arrived), so it cannot be told which it left out`,
      );
    const truth = mean(values);
    const slack = Math.max(15, 0.04 * truth);
    const figures = [
      figure(`${whole.metric.toUpperCase()} mean`, 'ms', truth, whole.meanMs, slack, 'printed'),
      figure('completed', 'requests', values.length, completed, 0, 'printed'),
      figure('values in its summary', 'requests', values.length, n, 0, 'printed'),
    ];
    if (!isOff(figures[0]!)) {
      const count = figures.slice(1).find(isOff);
      const same = `its mean is that of all ${values.length} requests, the slow first ones too`;
      return count === undefined
        ? right(same, figures)
        : faulty(
            'requests-lost',
            `${same}, and it prints ${say(count.got!)} for ${count.name}`,
            sizeOf(count),
            figures,
          );
    }
    const size = sizeOf(figures[0]!);
    // Rows are in order of arrival: the mean without the first k of them.
    const left = Array.from({ length: values.length - 1 }, (_, k) => k + 1).find(
      (k) => Math.abs(mean(values.slice(k)) - whole.meanMs) <= Math.max(15, 0.04 * whole.meanMs),
    );
    const samples = n === null ? '' : `, over ${n} values`;
    return left === undefined
      ? faulty(
          'unnamed',
          `its mean is ${say(whole.meanMs)} ms where ${say(truth)} is right${samples}`,
          size,
          figures,
        )
      : faulty(
          'warm-up-dropped',
          `its mean is ${say(whole.meanMs)} ms${samples}: that of the requests without the first ${left}, which it does not state`,
          size,
          figures,
        );
  },
} satisfies LoadProbe;
