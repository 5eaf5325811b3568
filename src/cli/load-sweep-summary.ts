/** A saturation sweep for people: a line a step while it runs, then the table and the knee. */
import Table from 'cli-table3';
import type { GoalKneeReport, KneeReport, SweepReport, SweepStepReport } from '../load/sweep/report.ts';

const rate = (value: number | null): string =>
  value === null ? '–' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
const ms = (value: number | null): string =>
  value === null ? '–' : value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0);

const WORDS: Readonly<Record<SweepStepReport['verdict'], string>> = {
  stable: 'stable',
  unstable: 'overloaded',
  shedding: 'refuses',
  clientLimited: 'client limited',
  undecided: 'undecided',
};

/** What a step came to, with its line feed. */
export const stepLine = (s: SweepStepReport): string =>
  `${rate(s.rate_rps)}/s for ${s.duration_s.toFixed(0)} s (${s.purpose}): ${WORDS[s.verdict]}; ${s.why}\n`;

function table(steps: readonly SweepStepReport[]): string {
  const t = new Table({
    head: [
      ...['rate', 'sent/s', 'completed/s', 'failed', 'TTFT p50', 'p99 ms', 'E2E p50', 'p99 ms'],
      ...['under way at end', 'backlog +/s', ''],
    ],
    style: { head: [], border: [] },
    colAligns: Array.from({ length: 10 }, () => 'right' as const),
  });
  for (const s of [...steps].sort((a, b) => a.sent_rps - b.sent_rps))
    t.push([
      rate(s.rate_rps),
      rate(s.sent_rps),
      rate(s.completed_rps),
      `${(s.failed_share * 100).toFixed(1)} %`,
      ms(s.ttft_p50_ms),
      ms(s.ttft_p99_ms),
      ms(s.e2e_p50_ms),
      ms(s.e2e_p99_ms),
      `${s.in_flight_at_end}${s.cut_short ? ' (cut short)' : ''}`,
      s.backlog === null ? '–' : `${s.backlog.rps >= 0 ? '+' : ''}${rate(s.backlog.rps)}`,
      WORDS[s.verdict],
    ]);
  return `${t.toString()}\n`;
}

function kneeLines(k: KneeReport): string[] {
  const between =
    k.stable_rps === null && k.overloaded_rps === null
      ? ''
      : ` (stable at ${rate(k.stable_rps)}/s, overloaded at ${rate(k.overloaded_rps)}/s)`;
  if (k.state === 'found')
    return [
      `knee: ${rate(k.rps)}/s, 95 % interval ${rate(k.low_rps)} to ${rate(k.high_rps)}, by the ${k.basis === 'plateau' ? 'completions under overload' : 'bracket of steps'}${between}`,
      ...k.notes.map((note) => `note: ${note}`),
    ];
  const least = k.stable_rps === null ? '' : `; it is above ${rate(k.stable_rps)}/s`;
  const words = {
    notReached: `no knee up to the top rate: ${k.absent}${least}`,
    clientLimited: `no knee is stated, since the client gave out before the server: ${k.absent}${least}. Give it more cores or --workers, or another machine`,
    undetermined: `no knee is stated: ${k.absent}${between}`,
  };
  return [words[k.state]];
}

function goalLines(g: GoalKneeReport | null): string[] {
  if (g === null) return [];
  const share = `${(g.least_good_share * 100).toFixed(0)} % of the requests meet ${g.goals.join(', ')}`;
  const fails = g.fails_rps === null ? '' : `, no more at ${rate(g.fails_rps)}/s`;
  return [
    g.holds_rps === null
      ? `by goals: ${g.absent}`
      : `by goals: ${share} up to ${rate(g.holds_rps)}/s${fails}${g.absent === undefined ? '' : ` (${g.absent})`}`,
  ];
}

/** The table and the knee, in lines that each end with a line feed. */
export function sweepSummary(r: SweepReport): string {
  const lines = [
    `${r.steps.length} steps in ${r.elapsed_s.toFixed(0)} s; ended: ${r.ended}`,
    ...kneeLines(r.knee),
    ...goalLines(r.goal_knee),
    ...(r.steps.length === 0 ? [] : bendLines(r)),
  ];
  return `${r.steps.length === 0 ? '' : table(r.steps)}${lines.join('\n')}\n`;
}

function bendLines({ latency_knee: bend }: SweepReport): string[] {
  return [
    bend.rps === null
      ? `secondary: ${bend.method} finds no bend of ${bend.metric === 'ttft_p99_ms' ? 'TTFT' : 'E2E'} p99: ${bend.absent}`
      : `secondary: ${bend.method} puts the bend of ${bend.metric === 'ttft_p99_ms' ? 'TTFT' : 'E2E'} p99 at ${rate(bend.rps)}/s; it depends on the rates that were run`,
  ];
}
