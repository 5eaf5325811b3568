import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { mean } from '../../src/measure/quantile.ts';
import { countOf, printed, sentOf, servedMs } from '../kit/load-run.ts';
import { faulty, figure, other, right, say, undetermined } from '../kit/load-verdict.ts';

const SEED = 5;
/** Percentage points, and requests. */
const SUCCESS_SLACK = 0.6;
const COUNT_SLACK = 2;

const TELLS = /\b(fail(s|ed|ures?)?|errors?|errored|refused|50[0-9])\b/i;

/** How it ended, and whether anything beside its counts warns of the failures. */
function exitWords(exitCode: number | null, notes: readonly string[]): string {
  const note = notes.find((one) => TELLS.test(one));
  const warns = note === undefined ? '' : ` It says: ${note}`;
  if (exitCode === null) return warns;
  return exitCode === 0
    ? ` It exits with 0, as if all were well${note === undefined ? ', and warns of nothing' : ''}.${warns}`
    : ` It exits with ${exitCode}.${warns}`;
}

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
      kind: 'failures-miscounted',
      what: 'counts other failures than there were',
      arithmetic: '130 where 250 is right (−48 %)',
    },
    {
      kind: 'successes-lost',
      what: 'counts fewer completed than were served',
      arithmetic: '0 where 6 is right: success 0 %',
    },
    {
      kind: 'error-as-success',
      what: 'counts refusals as completed',
      arithmetic: 'success 100 % where 2.3 % is right; 120 completed where 6 are: 47 %',
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
    const { definitions, reported, exitCode, notes = [] } = run!;
    const served = countOf(run!, 'complete');
    const refused = countOf(run!, 'refused');
    const sent = sentOf(run!);
    const abort = definitions.failures === 'abortRun';
    if (reported === null) {
      const words = `it ended ${exitCode === null ? 'without an exit code' : `with ${exitCode}`} and no figures after ${sent} requests`;
      if (exitCode === 0)
        return faulty('survivors-only', `${words}: its exit code says that all is well`, null, []);
      return other('aborts-run', `${words}${abort ? '. That is stated of it.' : ''}`, null, []);
    }
    if (refused === 0) return undetermined('nothing was refused');
    const { completed, failed } = reported;
    const success = completed === null || failed === null ? null : (100 * completed) / (completed + failed);
    const truth = (100 * served) / (served + refused);
    const figures = [
      figure('success', '%', truth, success, SUCCESS_SLACK, 'printed'),
      figure('completed', 'requests', served, completed, COUNT_SLACK, 'printed'),
      figure('failures', 'requests', refused, failed, COUNT_SLACK, 'printed'),
    ];
    const size =
      success === null ? null : { value: success - truth, unit: 'percentage points', figure: 'success' };
    const exit = exitWords(exitCode, notes);
    const [p50, p99] = [printed(run!, 'e2e', 'p50'), printed(run!, 'e2e', 'p99')];
    const share = sent === 0 ? 0 : (sent - served) / sent;
    const none =
      p99 === null || share < 0.01
        ? ''
        : ` Its E2E p99 of ${say(p99)} ms is of some: over all ${sent} there is none, for ${say(100 * share)} % have no answer.`;
    const answers =
      served === 0
        ? null
        : mean(servedMs({ ...run!, definitions: { ...definitions, failures: 'excluded' } }, 'e2e'));
    if (completed !== null && completed > served + COUNT_SLACK)
      return faulty(
        'error-as-success',
        `it counts ${completed} completed where ${served} were served.${exit}`,
        size,
        figures,
      );
    if (failed === null || failed <= COUNT_SLACK)
      return faulty(
        'survivors-only',
        `${refused} of ${sent} were refused, and it ${failed === null ? 'gives no count of failures' : `says ${failed} failed`}.${none}${exit}`,
        size,
        figures,
      );
    // A request that it gave up, or never sent, may be a failure to it.
    const most = Math.max(refused, run!.requests - served) + COUNT_SLACK;
    if (failed < refused - COUNT_SLACK || failed > most)
      return faulty(
        'failures-miscounted',
        `${refused} of ${sent} were refused, and it says ${failed} failed.${exit}`,
        { value: failed - refused, unit: 'requests', figure: 'failures' },
        figures,
      );
    if (completed !== null && completed < served - COUNT_SLACK)
      return faulty(
        'successes-lost',
        `it counts ${completed} completed where ${served} were served.${exit}`,
        size,
        figures,
      );
    if (p50 !== null && answers !== null && p50 < 0.5 * answers) {
      const words = `E2E p50 is ${say(p50)} ms, as a refusal takes; the ${served} that were served took ${say(answers)} in the mean.${exit}`;
      return definitions.failures === 'counted'
        ? other('refusals-in-percentiles', `${words} It is stated of it that it counts them.`, size, figures)
        : faulty('refusals-in-percentiles', words, size, figures);
    }
    return right(
      `${refused} of ${sent} were refused, and it says that ${failed} failed.${none}${exit}`,
      figures,
    );
  },
} satisfies LoadProbe;
