import { madeUp } from '../../src/measure/diagnosis/printed.ts';
import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { mean, summarize } from '../../src/measure/quantile.ts';
import { countOf, printed, servedMs } from '../kit/load-run.ts';
import { faulty, figure, notApplicable, right, say, sizeOf } from '../kit/load-verdict.ts';

export default {
  scope: 'load',
  title: '100 ms for each request at 5/s: nothing to correct',
  about:
    'A “correction” for coordinated omission enters each latency again, step by step shorter, as if requests had waited behind it. Applied where none waited, it halves the median and multiplies the samples.',
  source:
    'arithmetic: 30 requests of 100 ms have p50 100; entered also as 99, 98, … 1 they are 30 · 100 samples and more, p50 51',
  right: 'p50 100 ms, 30 samples',
  runs: [
    { name: '30 at 5/s', rateRps: 5, requests: 30, tokens: 4, arrivals: 'constant', latency: 'ttft=100ms' },
  ],
  known: [
    {
      kind: 'samples-made-up',
      what: 'fills its histogram with latencies that no request had',
      arithmetic: 'p50 51 ms (−49 %), 3,060 samples of 30 requests',
      reported: ['autocannon 8.0.0 overallRate'],
    },
  ],
  judge([run]): LoadVerdict {
    const metric = printed(run!, 'e2e', 'p50') === null ? 'ttft' : 'e2e';
    const p50 = printed(run!, metric, 'p50');
    const values = servedMs(run!, metric);
    if (p50 === null || values.length === 0) return notApplicable('it prints no median of whole requests');
    const truth = summarize(values, '').p50_ms!;
    const n = run!.reported!.metrics[metric].n;
    const figures = [
      figure(`${metric.toUpperCase()} p50`, 'ms', truth, p50, Math.max(10, 0.1 * truth), 'printed'),
      figure('samples', 'requests', countOf(run!, 'complete'), n, 0.2 * values.length, 'printed'),
    ];
    const off = Math.abs(p50 - truth) > Math.max(10, 0.1 * truth);
    const many = n !== null && n > 1.5 * values.length;
    if (!off && !many)
      return right(
        n === null
          ? 'its median is that of the requests'
          : `its median is that of the requests, over ${say(n)} values`,
        figures,
      );
    const size = sizeOf(figures[0]!);
    const fills = [1, Math.round(1000 / run!.rateRps)].some((step) => {
      const filled = summarize(madeUp(values, step), '');
      return filled.p50_ms !== null && Math.abs(filled.p50_ms - p50) <= Math.max(5, 0.1 * p50) && off;
    });
    if (fills || many)
      return faulty(
        'samples-made-up',
        `its median is ${say(p50)} ms where the requests took ${say(mean(values))} in the mean${n === null ? '' : `, over ${say(n)} samples of ${values.length} requests`}: latencies that no request had`,
        size,
        figures,
      );
    return faulty(
      'unnamed',
      `its median is ${say(p50)} ms where the requests took ${say(mean(values))} in the mean`,
      size,
      figures,
    );
  },
} satisfies LoadProbe;
