import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { mean } from '../../src/measure/quantile.ts';
import { countOf, printed, sentOf, servedMs } from '../kit/load-run.ts';
import { faulty, figure, other, right, say, undetermined } from '../kit/load-verdict.ts';

const SEED = 5;

/** Requests that its counts may differ by from the target’s: those under way at the end. */
const MISCOUNT = 2;

export default {
  scope: 'load',
  title: '250 of 256 requests are refused at once',
  about:
    'The six that are served look fine. Their percentiles, printed as the system’s, make a server that refuses look faster than one that serves; only a success rate beside them says what happened.',
  source:
    'arithmetic: 6 / 256 = 2.3 % succeed; over all requests P95 does not exist, since 97.7 % have no end',
  right: 'success 2.3 %, failures counted; no latency of refusals among those of answers',
  runs: [
    {
      name: '256 at 64/s',
      rateRps: 64,
      requests: 256,
      tokens: 4,
      arrivals: 'constant',
      latency: 'ttft=100ms,itl=20ms',
      flags: ['--refuse', String(250 / 256)],
      // By this seed just 250 of the first 256 are refused.
      seed: SEED,
    },
  ],
  mayFail: true,
  countsOnly: true,
  known: [
    {
      kind: 'survivors-only',
      what: 'prints percentiles of those served, and no word of the failures',
      arithmetic: 'P95 of 6 requests, 160 ms; success 100 % or none given',
      reported: ['aiperf#688'],
    },
    {
      kind: 'error-as-success',
      what: 'counts refusals as completed',
      arithmetic: 'success 100 % where 2.3 % is right',
    },
    {
      kind: 'refusals-in-percentiles',
      what: 'has the time to a refusal among the latencies of answers',
      arithmetic: 'E2E p50 of a millisecond or two where the six took 160 ms',
      definition: true,
      reported: ['vegeta, oha and autocannon count every answer'],
    },
  ],
  judge([run]): LoadVerdict {
    const { definitions, reported, exitCode } = run!;
    const served = countOf(run!, 'complete');
    const refused = countOf(run!, 'refused');
    const sent = sentOf(run!);
    const abort = definitions.failures === 'abortRun';
    if (reported === null) {
      const words = `it ended with ${exitCode} and no figures after ${sent} requests`;
      if (exitCode === 0) return faulty('survivors-only', `${words}: nothing says that it failed`, null, []);
      return abort
        ? other('aborts-run', `${words}. That is stated of it.`, null, [])
        : other('aborts-run', words, null, []);
    }
    if (refused === 0) return undetermined('nothing was refused');
    const { completed, failed } = reported;
    const success = completed === null || failed === null ? null : (100 * completed) / (completed + failed);
    const truth = (100 * served) / (served + refused);
    const figures = [
      figure('success', '%', truth, success, 0.6, 'printed'),
      figure('failures', 'requests', refused, failed, MISCOUNT, 'printed'),
    ];
    const size =
      success === null ? null : { value: success - truth, unit: 'percentage points', figure: 'success' };
    const exit = exitCode === 0 ? ' It exits with 0, as if all were well.' : ` It exits with ${exitCode}.`;
    const p50 = printed(run!, 'e2e', 'p50');
    const answers =
      served === 0
        ? null
        : mean(servedMs({ ...run!, definitions: { ...definitions, failures: 'excluded' } }, 'e2e'));
    if (completed !== null && completed > served + MISCOUNT)
      return faulty(
        'error-as-success',
        `it counts ${completed} completed where ${served} were served.${exit}`,
        size,
        figures,
      );
    if (failed !== null && Math.abs(failed - refused) > MISCOUNT && failed >= 0.5 * refused)
      return faulty(
        'failures-miscounted',
        `it says that ${failed} failed where ${refused} were refused.${exit}`,
        size,
        figures,
      );
    if (failed === null || failed < 0.5 * refused)
      return faulty(
        'survivors-only',
        `${refused} of ${sent} were refused, and it ${failed === null ? 'gives no failures' : `says ${failed} failed`}: its percentiles are those of ${served}.${exit}`,
        size,
        figures,
      );
    if (p50 !== null && answers !== null && p50 < 0.5 * answers) {
      const words = `E2E p50 is ${say(p50)} ms, the time to a refusal; the ${served} that were served took ${say(answers)}.${exit}`;
      return definitions.failures === 'counted'
        ? other('refusals-in-percentiles', `${words} That is stated of it.`, size, figures)
        : faulty('refusals-in-percentiles', words, size, figures);
    }
    return right(`it says that ${failed} of ${sent} failed.${exit}`, figures);
  },
} satisfies LoadProbe;
