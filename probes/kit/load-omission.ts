/** Whether what a client held back is in its tail: percentiles from the schedule against those that it prints. */
import type { LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { summarize } from '../../src/measure/quantile.ts';
import { fromScheduleMs, isRandom, printed, sentOf, servedMs, wholeLatency } from './load-run.ts';
import { faulty, figure, notApplicable, other, right, say, sizeOf } from './load-verdict.ts';

/** A tail that is longer than this from the schedule than from the send, ms, is a stall of the client’s. */
const LEAST_MS = 25;
const NAMES = ['p90', 'p99'] as const;

function look(run: LoadRun, metric: 'ttft' | 'e2e') {
  const truth = summarize(fromScheduleMs(run, metric), 'none');
  const sent = summarize(servedMs(run, metric), 'none');
  return NAMES.flatMap((name) => {
    const got = printed(run, metric, name);
    const [due, from] = [truth[`${name}_ms`], sent[`${name}_ms`]];
    return got === null || due === null || from === null ? [] : [{ name, got, due, from }];
  });
}

/** Judges one run at equal gaps. */
export function judgeOmission(run: LoadRun): LoadVerdict {
  const whole = wholeLatency(run);
  if (whole === null) return notApplicable('it prints no latency of whole requests');
  if (isRandom(run)) return notApplicable('its gaps are random, so when a request was due cannot be known');
  const drifts = run.departures.some(({ kind }) => ['drift', 'rate', 'random-gaps'].includes(kind));
  if (drifts || sentOf(run) !== run.requests)
    return notApplicable(
      'it sends at another rate than was asked, so when a request was due cannot be known',
    );
  const found = look(run, whole.metric);
  if (found.length === 0) return notApplicable('it prints no p90 or p99 of whole requests');
  const named = run.faults.find(({ kind }) => kind === 'coordinated-omission');
  const figures = found.map(({ name, got, due, from }) =>
    figure(
      `${whole.metric.toUpperCase()} ${name} from schedule`,
      'ms',
      due,
      got,
      Math.max(LEAST_MS, due - from) / 2,
      'printed',
    ),
  );
  const worst = found.filter(({ due, from }) => due - from > LEAST_MS).sort((a, b) => b.due - a.due)[0];
  const omitted = worst !== undefined && worst.got - worst.from < 0.5 * (worst.due - worst.from);
  if (!omitted && named === undefined)
    return right(
      worst === undefined
        ? `it held nothing back by more than ${LEAST_MS} ms at p90 or p99`
        : `it held requests back, and its figures hold that: ${worst.name} ${say(worst.got)} ms where ${say(worst.due)} is right`,
      figures,
    );
  const words =
    omitted && worst !== undefined
      ? `requests were sent late by ${say(worst.due - worst.from)} ms at ${worst.name}, and its ${worst.name} of ${say(worst.got)} ms does not hold that`
      : named!.evidence;
  const size =
    omitted && worst !== undefined
      ? sizeOf(figures.find(({ name }) => name.includes(worst.name))!)
      : { value: named!.size, unit: named!.unit, figure: 'mean wait' };
  return run.definitions.t0 === 'sent'
    ? other('omission', `${words}. It is stated of it that its clock starts at the send.`, size, figures)
    : faulty('omission', words, size, figures);
}

/** Why it cannot be known when a request of a client was due; null: it can. */
export const lacksSchedule = (client: {
  readonly arrivals: readonly string[];
  readonly openLoop: boolean;
}) =>
  !client.openLoop
    ? 'a closed loop: its users send when they are answered, so nothing is due before'
    : client.arrivals.includes('constant')
      ? null
      : 'with random gaps alone it cannot be known when a request was due';
