import type { Definitions } from '../../src/measure/definitions.ts';
import { expectedRun } from '../../src/measure/expected-run.ts';
import type { LoadProbe, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { sendRateOf } from '../kit/load-run.ts';
import { faulty, figure, notApplicable, other, right, say, sizeOf } from '../kit/load-verdict.ts';

const THROUGHPUTS = ['sendGaps', 'sendWindow', 'firstSendToLastEnd', 'firstGapToLastEnd'] as const;
const HAS_DRAIN: readonly Definitions['throughput'][] = ['firstSendToLastEnd', 'firstGapToLastEnd'];

/** Of a rate, what a client's own start and end of its clock may differ by. */
const NEAR = 0.015;
/** Of the rate that is stated: its clock may start a little early, and stop a little late. */
const NEAR_STATED = 0.05;
const isNear = (a: number, b: number | null, share = NEAR): boolean =>
  b !== null && Math.abs(a - b) <= share * b;

const rateBy = (run: LoadRun, throughput: Definitions['throughput']): number | null =>
  expectedRun(run.ledger, { ...run.definitions, throughput }, run.first).achieved_rps;

export default {
  scope: 'load',
  title: '10/s, and answers that go on after the last send',
  about:
    'A client that divides its requests by the time to the last answer prints less than it sent, the more so the shorter the run and the longer the answers. Called throughput that may be meant; called request rate it is wrong, and the server gets the blame.',
  source:
    'arithmetic: 100 sends 0.1 s apart take 9.9 s, the last answer 1.18 s more: 100 / 11.08 = 9.03; 40 sends take 3.9 s, and 4 s more: 40 / 7.9 = 5.06 (100 of 10 s: 100 / 19.9 = 5.03)',
  right: 'send rate 10.0',
  runs: [
    {
      name: '100 of 1.18 s',
      rateRps: 10,
      requests: 100,
      tokens: 50,
      arrivals: 'constant',
      latency: 'ttft=200ms,itl=20ms',
    },
    {
      name: '40 of 4 s',
      rateRps: 10,
      requests: 40,
      tokens: 5,
      arrivals: 'constant',
      latency: 'ttft=200ms,itl=950ms',
    },
  ],
  known: [
    {
      kind: 'drain-in-rate',
      what: 'divides by the time to the last answer',
      arithmetic: '9.03 (−9.7 %) and 5.06 (−49 %)',
      definition: true,
      reported: ['tt-inference-server#1478'],
    },
  ],
  refuses: ({ openLoop }) => (openLoop ? null : 'a closed loop: its rate is that of its answers'),
  judge(runs): LoadVerdict {
    const figures = runs.map((run) =>
      figure(
        `request rate, ${run.requests} at ${run.rateRps}/s`,
        'requests/s',
        // What it really sent: a rate that strays by chance or by drift is another probe's matter.
        sendRateOf(run),
        run.reported?.achievedRps ?? null,
        0.03 * run.rateRps,
        'printed',
      ),
    );
    const printed = runs.flatMap((run) => {
      const got = run.reported?.achievedRps ?? null;
      return got === null ? [] : [{ run, got }];
    });
    if (printed.length === 0) return notApplicable('it prints no request rate', figures);
    const stated = printed[0]!.run.definitions.throughput;
    const fits = THROUGHPUTS.filter((one) =>
      printed.every(({ run, got }) => isNear(got, rateBy(run, one), one === stated ? NEAR_STATED : NEAR)),
    );
    if (fits.some((one) => !HAS_DRAIN.includes(one)) && !fits.some((one) => HAS_DRAIN.includes(one)))
      return right('its rate is that of its sends', figures);
    const worst = figures.findLast(({ got }) => got !== null)!;
    const size = sizeOf(worst);
    const list = printed
      .map(({ run, got }) => `${say(got)} where it sent ${say(sendRateOf(run) ?? 0)}`)
      .join(', ');
    if (fits.length > 0) {
      const words = `it divides by the time to the last answer: ${list}`;
      return HAS_DRAIN.includes(stated)
        ? other('drain-in-rate', `${words}. That is stated of it.`, size, figures)
        : faulty('drain-in-rate', words, size, figures);
    }
    if (
      figures.every(({ right: sent, got, tolerance }) => got === null || Math.abs(got - sent!) <= tolerance)
    )
      return right('its rate is that of its sends, as far as can be told', figures);
    // Its clock may run on: start-up or shutdown in the time that it divides by.
    const longer = printed.every(({ run, got }) => got < (rateBy(run, 'firstSendToLastEnd') ?? 0));
    return longer
      ? faulty('drain-in-rate', `it divides by more than the time to the last answer: ${list}`, size, figures)
      : faulty('unnamed', `its rate is no known division: ${list}`, size, figures);
  },
} satisfies LoadProbe;
