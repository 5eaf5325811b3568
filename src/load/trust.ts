/** When the client's own figures are not to be trusted: it watches itself, and says so with evidence and a remedy. */
import { countWarning } from './count-warning.ts';
import type { LoadReport, LoadWarning } from './report.ts';
import { littleWarning } from './report-closed.ts';
import { excludedWarning } from './report-excluded.ts';
import { backlogGrew } from './requests/backlog.ts';

/** Sends below this share of the schedule's rate: the load was another one than asked. */
export const MIN_SENDS_RATIO = 0.99;
/** Completions below this share: a backlog grows, at the server or here, while sends still look right. */
export const MIN_COMPLETIONS_RATIO = 0.99;
/** Requests that failed or were never sent, above this share: what is left is another load, and its percentiles are survivors'. */
export const MAX_LOST_SHARE = 0.01;
/** Lag (sent − scheduled) at p99 above this, ms … */
export const MAX_LAG_P99_MS = 1;
/** … or above this share of the median TTFT from sent. */
export const MAX_LAG_SHARE = 0.1;
/** Below this, ms, a lag is not worth a warning however short the TTFT. */
export const MIN_LAG_P99_MS = 0.1;
/** Utilization of a blocking event loop, above which its own queue shows (M/D/1: at 0.5 the mean wait is half a service time). */
export const MAX_LOOP_UTILIZATION = 0.5;
/** Without pacing gaps a spinning loop's utilization says nothing; its CPU share below this says that others took its core. */
export const MIN_SPIN_CPU_SHARE = 0.9;
/** Below this many requests the ratios of rates say nothing: one late request moves them. */
const MIN_REQUESTS = 100;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

type Draft = Omit<LoadReport, 'trusted' | 'warnings' | 'notes'>;

function rateWarnings(r: Draft): LoadWarning[] {
  const warnings: LoadWarning[] = [];
  if (r.counts.scheduled < MIN_REQUESTS) return warnings;
  const { sends_ratio: sends, completions_ratio: completions } = r.rate;
  if (sends !== null && sends < MIN_SENDS_RATIO)
    warnings.push({
      code: 'sends-behind',
      evidence: `${r.rate.sent_rps!.toFixed(1)} requests/s were sent, ${percent(sends)} of the schedule`,
      remedy:
        r.counts.delayed > 0
          ? `${r.counts.delayed} requests waited for --max-in-flight${r.options.max_in_flight === null ? '' : ` ${r.options.max_in_flight}`}: raise that limit, or lower the rate; more cores would not help`
          : 'lower the rate, or give the client more cores and --workers',
    });
  if (completions !== null && completions < MIN_COMPLETIONS_RATIO && !drawnOut(r) && !failuresExplain(r))
    warnings.push({
      code: 'completions-behind',
      evidence: `${r.rate.completed_rps!.toFixed(1)} answers/s were completed, ${percent(completions)} of the schedule; ${r.counts.in_flight_at_last_send} requests were under way at the last send`,
      remedy: backlog(r)
        ? 'the queue grew during the run, so latencies are a function of its length: lower the rate'
        : 'answers ended more slowly than requests were due, though no queue is seen at the last send: see the latencies over time (--out), and run longer to know',
    });
  return warnings;
}

/** Whether more were under way or waiting at the last send than a steady run has. Without an answer nothing is known of that. */
function backlog(r: Draft): boolean {
  const mean = r.from_sent.e2e.over_successes.mean_ms;
  if (mean === null || r.rate.scheduled_rps === null) return false;
  return backlogGrew(r.counts.in_flight_at_last_send, r.rate.scheduled_rps, mean / 1000);
}

/** Whether what failed accounts for the completions that are missing, and no queue is seen: then `requests-lost` says it. */
function failuresExplain(r: Draft): boolean {
  const { complete, scheduled } = r.counts;
  const kept = complete / scheduled;
  if (1 - kept <= MAX_LOST_SHARE || backlog(r)) return false;
  return r.rate.completions_ratio! >= MIN_COMPLETIONS_RATIO * kept;
}

/** The longest of answers of unlike lengths draws the window of completions out: then the requests under way tell of a backlog. */
function drawnOut(r: Draft): boolean {
  if (
    r.options.lengths === 'alike' ||
    r.from_sent.e2e.over_successes.n === 0 ||
    r.rate.scheduled_rps === null
  )
    return false;
  return !backlog(r);
}

/** Rates are taken over their own windows, which shrink when all ends early: only counts show that. */
function lostWarning(r: Draft): LoadWarning[] {
  const { scheduled, sent, complete } = r.counts;
  const lost = scheduled - complete;
  if (lost <= MAX_LOST_SHARE * scheduled) return [];
  return [
    {
      code: 'requests-lost',
      evidence: `${complete} of ${scheduled} requests were completed (${sent} were sent)`,
      remedy: 'percentiles over successes are those of the survivors: read "over all", and see the failures',
    },
  ];
}

function lagWarning(r: Draft): LoadWarning[] {
  const p99 = r.schedule_lag.p99_ms;
  const streamed = r.from_sent.ttft.over_successes.p50_ms;
  const ttft = streamed ?? r.from_sent.e2e.over_successes.p50_ms;
  if (p99 === null || r.counts.delayed > 0) return [];
  const tooLong =
    p99 > MAX_LAG_P99_MS || (ttft !== null && p99 > MIN_LAG_P99_MS && p99 > MAX_LAG_SHARE * ttft);
  if (!tooLong) return [];
  const share =
    ttft === null ? '' : `, ${percent(p99 / ttft)} of the median ${streamed === null ? 'E2E' : 'TTFT'}`;
  return [
    {
      code: 'schedule-lag',
      evidence: `requests were sent up to ${p99.toFixed(3)} ms late (p99)${share}`,
      remedy:
        'figures from the scheduled instant include it: give the client a core of its own (--cpus), or lower the rate',
    },
  ];
}

function loopWarnings(r: Draft): LoadWarning[] {
  const warnings: LoadWarning[] = [];
  for (const w of r.workers) {
    const busy = w.event_loop_utilization;
    if (r.client.pacing === 'block' && busy !== null && busy > MAX_LOOP_UTILIZATION)
      warnings.push({
        code: 'busy-loop',
        evidence: `worker ${w.worker}'s event loop was busy ${percent(busy)} of the time`,
        remedy: `answers wait for their turn in the client: use more workers or a lower ${r.closed_loop === null ? 'rate' : '--concurrency'}`,
      });
    if (
      r.client.pacing === 'spin' &&
      w.cpu_share !== null &&
      w.state === 'done' &&
      spins(r) &&
      w.cpu_share < MIN_SPIN_CPU_SHARE
    )
      warnings.push({
        code: 'core-shared',
        evidence: `worker ${w.worker} spun, but got only ${percent(w.cpu_share)} of a core`,
        remedy: 'something else ran on its core: pin it (--cpus) or use --pacing block',
      });
  }
  return warnings;
}

/** Whether arrivals are so dense that a spinning loop never sleeps (gaps of 2 ms and less); with stages that changes. */
const spins = (r: Draft): boolean =>
  r.stages === null && (r.rate.scheduled_rps ?? 0) / r.client.workers > 2000;

function stateWarnings(r: Draft): LoadWarning[] {
  if (r.state === 'complete') return [];
  return [
    {
      code: r.state,
      evidence: r.reason ?? `the run was ${r.state}`,
      remedy: 'figures hold for what was done, not for the run that was asked',
    },
  ];
}

function faultWarning({ fault }: Draft): LoadWarning[] {
  if (fault === null) return [];
  return [
    {
      code: 'known-fault',
      evidence: `it ran with the fault ${fault.name}: ${fault.words}`,
      remedy: 'this is a control and no measurement: leave out --fault',
    },
  ];
}

/** All warnings, worst first. None about the client: its figures can be trusted. */
export const judge = (r: Draft): LoadWarning[] => [
  ...faultWarning(r),
  ...stateWarnings(r),
  ...lostWarning(r),
  ...excludedWarning(r),
  ...rateWarnings(r),
  ...lagWarning(r),
  ...loopWarnings(r),
  ...countWarning(r),
  ...littleWarning(r),
];
