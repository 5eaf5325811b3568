/** From what k6 left in a trial's folder to a report. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { absent, type MetricTable, type Summary } from '../../src/measure/metrics.ts';
import type { Parsed, ParseRequest } from '../contract.ts';
import { summarize } from '../kit/figures.ts';
import { readLooseJson } from '../kit/loose-json.ts';
import { constantScenario } from './plan.ts';
import { complaintIn, firstFailure, readRecords } from './records.ts';
import { failures, type K6Summary, readSummary } from './summary.ts';

export const FILES = {
  plan: 'k6-plan.json',
  config: 'k6-config.json',
  summary: 'k6-summary.json',
  log: 'k6.log',
  records: 'k6-requests.log',
} as const;

/** Source: errext/exitcodes/codes.go. */
const EXIT_CODES: Readonly<Record<number, string>> = {
  97: 'cloud run failed',
  98: 'no progress from the cloud',
  99: 'a threshold was crossed',
  100: 'setup took too long',
  101: 'teardown took too long',
  102: 'a time-out',
  103: 'stopped through its REST API',
  104: 'its configuration is not valid',
  105: 'stopped by a signal',
  106: 'its REST API could not start',
  107: 'an exception in the script',
  108: 'the script aborted the test',
  109: 'a panic in Go',
  110: 'the script marked the test as failed',
};
const THRESHOLD = 99;
const SIGNALLED = 105;

const ended = (exitCode: number | null): string => {
  if (exitCode === null) return 'k6 was ended by a signal';
  const meaning = EXIT_CODES[exitCode];
  return `k6 ended with exit code ${exitCode}${meaning ? ` (${meaning})` : ''}`;
};

const NO_EVENTS = 'k6 reads the whole answer before it shows any of it, so it times no event of a stream';
const NO_P99 = 'k6 prints the percentiles that summaryTrendStats names, and this was not among them';

/** A trend over successes. Without the sub-metric the plain one serves, but only while nothing failed: failures enter it as 0 ms. */
function trend(summary: K6Summary, metric: string, failed: number): Summary {
  const values =
    summary.values(`${metric}{expected_response:true}`) ?? (failed === 0 ? summary.values(metric) : null);
  if (values === null) {
    return absent(
      failed === 0 ? `no ${metric} in k6's summary` : `k6 counts failed requests as 0 ms in ${metric}`,
    );
  }
  const figures = {
    n: values.count ?? null,
    mean: values.avg ?? null,
    p50: values.med ?? null,
    p90: values['p(90)'] ?? null,
    p99: values['p(99)'] ?? null,
  };
  return summarize(figures, 'ms', NO_P99);
}

const metricsOf = (summary: K6Summary, failed: number): MetricTable => ({
  ttft: trend(summary, 'http_req_waiting', failed),
  itl: absent(NO_EVENTS),
  tpot: absent(NO_EVENTS),
  ntpot: absent('k6 counts no tokens'),
  e2e: trend(summary, 'http_req_duration', failed),
});

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** What k6 said of its own end, from its log or, before that is open, its standard error. */
async function lastWords(request: ParseRequest): Promise<string> {
  const log = await textOf(join(request.dir, FILES.log));
  const stderr = await textOf(request.stderrFile);
  const said = complaintIn(log, 'error') ?? complaintIn(stderr, 'error') ?? stderr.trim().split('\n').at(-1);
  return said ? `: ${said}` : '';
}

/** "; for example …": one of the failures, as k6's log or our records tell it. */
const example = (log: string, records: string): string => {
  const why = complaintIn(log, 'warning') ?? firstFailure(records);
  return why ? `; for example ${why}` : '';
};

function notesOf(summary: K6Summary, request: ParseRequest, failure: string | null): string[] {
  const { exitCode, workload } = request;
  const notes: string[] = [];
  if (exitCode === SIGNALLED) notes.push('k6 was stopped by a signal: its figures are of a part of the run');
  if (exitCode === THRESHOLD) notes.push('k6 says that a threshold was crossed (exit code 99)');
  const users = summary.values('vus_max')?.max ?? 0;
  const planned = constantScenario(workload).preAllocatedVUs;
  if (users > planned) {
    notes.push(
      `k6 made virtual users during the run (${planned} planned, ${users} in the end), in its own CPU time`,
    );
  }
  const dropped = summary.values('dropped_iterations')?.count ?? 0;
  if (dropped > 0) notes.push(`k6 dropped ${dropped} iterations for want of an idle virtual user`);
  if (failure !== null) notes.push(failure);
  return notes;
}

export async function parseK6(request: ParseRequest): Promise<Parsed> {
  const { dir, exitCode } = request;
  const file = join(dir, FILES.summary);
  const json = await readLooseJson(file);
  if (!json.ok) {
    const reason = `${ended(exitCode)} and its summary cannot be read (${json.reason})${await lastWords(request)}`;
    const byItsOwnAccount = exitCode !== 0 && exitCode !== null && exitCode !== SIGNALLED;
    return { state: byItsOwnAccount ? 'failed' : 'unparsable', reason };
  }
  const summary = readSummary(json.value);
  if (typeof summary === 'string') return { state: 'unparsable', reason: `k6's summary: ${summary}` };
  if (exitCode !== 0 && exitCode !== null && exitCode !== THRESHOLD && exitCode !== SIGNALLED) {
    return { state: 'failed', reason: `${ended(exitCode)}${await lastWords(request)}` };
  }
  const counted = failures(summary);
  const log = await textOf(join(dir, FILES.log));
  const lines = await textOf(join(dir, FILES.records));
  if (counted === null || counted.total === 0) {
    return { state: 'failed', reason: `k6 made no request${await lastWords(request)}` };
  }
  const { failed, total } = counted;
  if (failed === total) {
    // k6 exits 0 here and prints latencies of 0 ms.
    return { state: 'failed', reason: `all ${total} requests failed${example(log, lines)}` };
  }
  const failure = failed > 0 ? `${failed} of ${total} requests failed${example(log, lines)}` : null;
  const records = readRecords(lines);
  return {
    state: 'parsed',
    report: {
      metrics: metricsOf(summary, failed),
      achievedRps: summary.values('http_reqs')?.rate ?? null,
      durationS: summary.durationS,
      completed: total - failed,
      failed,
      outputTokens: null,
      dropped: summary.values('dropped_iterations')?.count ?? 0,
      records: records.length > 0 ? records : null,
      notes: notesOf(summary, request, failure),
    },
  };
}
