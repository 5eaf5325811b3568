/** A load report in a few lines, for people. */

import Table from 'cli-table3';
import type { Latency, LoadReport, OverSuccesses } from '../load/report.ts';
import { isNote } from '../load/warning-kinds.ts';
import { closedLines, stageTable, traceLines } from './load-arrivals-summary.ts';
import { excludedLines } from './load-exclude.ts';
import { requestLines, taskLines } from './load-requests-summary.ts';

const ms = (value: number | null): string =>
  value === null ? '–' : value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 1);
const rate = (value: number | null): string => (value === null ? '–' : value.toFixed(value < 100 ? 2 : 0));
const share = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(2)} %`);

const seconds = (value: number | null): string => (value === null ? '–' : `${value.toFixed(2)} s`);

function row(name: string, s: OverSuccesses): string[] {
  return [name, String(s.n), ms(s.mean_ms), ms(s.p50_ms), ms(s.p90_ms), ms(s.p99_ms), ms(s.max_ms)];
}

/** The table of latencies, of successful requests; with failures, a second row counts them as infinitely late. */
function latencyTable(r: LoadReport): string {
  const table = new Table({
    head: ['ms', 'n', 'mean', 'p50', 'p90', 'p99', 'max'],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
  });
  const add = (name: string, l: Latency): void => {
    if (l.over_successes.n === 0) return;
    table.push(row(name, l.over_successes));
    const all = l.over_all;
    if (r.counts.failed > 0)
      table.push([
        `  over all ${all.n}`,
        '',
        '',
        ms(all.p50_ms),
        ms(all.p90_ms),
        ms(all.p99_ms),
        ms(all.max_ms),
      ]);
  };
  add('TTFT from scheduled', r.from_scheduled.ttft);
  add('TTFT from sent', r.from_sent.ttft);
  add('first answer from scheduled', r.from_scheduled.first_answer);
  add('E2E from scheduled', r.from_scheduled.e2e);
  add('E2E from sent', r.from_sent.e2e);
  add('NTPOT from scheduled', r.from_scheduled.ntpot);
  if (r.closed_loop !== null) add('NTPOT from sent', r.from_sent.ntpot);
  add('TPOT', r.tpot);
  if (r.itl.n > 0) table.push(row('ITL', r.itl));
  if (r.schedule_lag.n > 0) table.push(row('sent − scheduled', r.schedule_lag));
  return table.length > 0 ? `${table.toString()}\n` : '';
}

/** A drawn rate this share off the one asked is told. */
const MAX_STRAY = 0.05;

const ofSchedule = (r: LoadReport, rps: number | null, ratio: number | null): string =>
  `${rate(rps)}/s${r.closed_loop === null ? ` (${share(ratio)} of the schedule)` : ''}`;

/** The rate as drawn, where it strays from the one asked: the number of requests is set, their gaps are random. */
function drawnLines({
  rate: { requested_rps: asked, scheduled_rps: drawn },
  counts,
  state,
}: LoadReport): string[] {
  if (state !== 'complete' || asked === null || drawn === null || Math.abs(drawn / asked - 1) <= MAX_STRAY)
    return [];
  return [
    `the arrivals as drawn come to ${rate(drawn)}/s where ${rate(asked)}/s was asked: ${counts.scheduled} requests at random gaps`,
  ];
}

/** What happened, in lines that each end with a line feed. */
export function loadSummary(r: LoadReport): string {
  const failed = Object.entries(r.counts.outcomes).filter(([name, n]) => name !== 'complete' && n > 0);
  const lines = [
    `${r.state}${r.reason === null ? '' : `: ${r.reason}`}`,
    `${r.counts.complete} of ${r.counts.scheduled} requests succeeded (${share(r.counts.success_rate)})${failed
      .map(([name, n]) => `, ${n} ${name}`)
      .join('')}`,
    `sent ${ofSchedule(r, r.rate.sent_rps, r.rate.sends_ratio)}, completed ${ofSchedule(r, r.rate.completed_rps, r.rate.completions_ratio)}, ${rate(r.tokens.per_second)} tokens/s by ${r.tokens.source}`,
    `${r.client.choice.why}`,
    `${r.client.pacing} pacing, at most ${r.counts.peak_in_flight} requests under way; start-up ${seconds(r.startup_s)}, end ${seconds(r.teardown_s)}`,
  ];
  lines.push(...drawnLines(r));
  lines.splice(1, 0, ...closedLines(r), ...traceLines(r), ...excludedLines(r));
  if (r.counts.other_length > 0)
    lines.push(
      `${r.counts.other_length} answers had another length than the ${r.options.output_tokens === null ? '' : `${r.options.output_tokens} `}tokens asked${r.options.lengths === 'alike' ? '' : `: their lengths are then the server’s, not those that were drawn; many servers heed --extra-body '{"ignore_eos":true}'`}`,
    );
  if (r.retry.retried > 0)
    lines.push(
      `${r.retry.retried} refused requests were sent again after Retry-After (${r.retry.resent} times, waits up to ${r.retry.longest_wait_s.toFixed(1)} s): ${r.retry.recovered} were complete in the end`,
    );
  if (r.retry.given_up.cut_off > 0)
    lines.push(
      `${r.retry.given_up.cut_off} refused requests still waited for their Retry-After when the run ended: they count as failed`,
    );
  if (r.counts.delayed > 0) lines.push(`${r.counts.delayed} requests waited for --max-in-flight`);
  lines.push(...requestLines(r));
  for (const { outcome, example } of r.failures)
    lines.push(`${outcome}: ${example.split('\n')[0]!.slice(0, 200)}`);
  for (const w of r.warnings)
    lines.push(`${isNote(w.code) ? 'Note' : 'NOT TO BE TRUSTED'}, ${w.code}: ${w.evidence}; ${w.remedy}`);
  for (const n of r.notes) lines.push(`Note, ${n.code}: ${n.evidence}; ${n.remedy}`);
  return `${lines.join('\n')}\n${latencyTable(r)}${taskLines(r)}${stageTable(r)}`;
}
