import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { fitDrift, gapOf, isCeiling } from '../kit/load-drift.ts';
import { isRandom, sendRateOf } from '../kit/load-run.ts';
import { faulty, figure, percentOff, right, say, undetermined } from '../kit/load-verdict.ts';

/** A rate that is off by less is the clock's. */
const LEAST_SHARE = 0.01;
const SIGMAS = 4;

const runAt = (rateRps: number, requests: number) =>
  ({ name: `${rateRps}/s`, rateRps, requests, tokens: 4, arrivals: 'constant', latency: 'zero' }) as const;

export default {
  scope: 'load',
  title: 'zero latency, rates from 10 to 1,000/s',
  about:
    'A client that sleeps the gap after each send, instead of until the next instant of a schedule, is late by its own work and the timer’s, each time anew. The higher the rate, the lower the load that it really sends, and the better the latencies that it prints.',
  source: 'arithmetic: achieved = 1 / (1/R + δ); δ by least squares of 1/achieved − 1/R over the rates',
  right: 'achieved = requested at each rate, as far as chance in random gaps allows',
  runs: [runAt(10, 20), runAt(100, 200), runAt(500, 700), runAt(1000, 1200)],
  known: [
    {
      kind: 'sleep-drift',
      what: 'each gap between sends is longer by δ than asked',
      arithmetic:
        'δ = 0.449 ms: 9.96 (−0.4 %) at 10/s, 95.7 (−4.3 %) at 100, 408 (−18 %) at 500, 690 (−31 %) at 1,000',
      reported: ['vllm#21104'],
    },
  ],
  refuses: ({ openLoop }) =>
    openLoop ? null : 'a closed loop: its users send when they are answered, so it has no gaps to keep',
  judge(runs): LoadVerdict {
    const figures = runs.map((run) =>
      figure(
        `sends at ${run.rateRps}/s`,
        'requests/s',
        run.rateRps,
        sendRateOf(run),
        run.rateRps * (isRandom(run) ? Math.max(0.02, SIGMAS / Math.sqrt(run.requests)) : 0.02),
        'ledger',
      ),
    );
    const gaps = runs.map(gapOf).filter((gap) => gap !== null);
    if (gaps.length === 0) return undetermined('too few requests arrived', figures);
    const { deltaMs, sdMs } = fitDrift(gaps);
    const off = gaps.filter(
      ({ gapMs, statedMs, sdMs: sd }) => gapMs - statedMs > Math.max(SIGMAS * sd, LEAST_SHARE * statedMs),
    );
    const list = runs.map((run) => `${say(sendRateOf(run) ?? 0)} of ${say(run.rateRps)}`).join(', ');
    if (off.length === 0 || deltaMs < SIGMAS * sdMs)
      return right(`its gaps are not longer than asked by the same at each rate (sent: ${list})`, figures);
    if (isCeiling(gaps, deltaMs))
      return right(
        `its gaps are those that were asked up to a ceiling of about ${say(1000 / Math.max(...off.map(({ gapMs }) => gapMs)))} requests/s, and no gap is longer by the same at each rate (sent: ${list})`,
        figures,
      );
    const at = 1000;
    const ends = percentOff(1 / (1 / at + deltaMs / 1000), at);
    return faulty(
      'sleep-drift',
      `each gap is ${say(deltaMs)} ms longer than asked (sent: ${list}); at ${say(at)}/s that makes ${ends}`,
      { value: deltaMs, unit: 'ms', figure: 'each gap' },
      figures,
    );
  },
} satisfies LoadProbe;
