/** What a load's page says of goodput, of NTPOT's two forms, and of tasks. */
import type { LoadReport, OverSuccesses } from '../../src/load/report.ts';
import type { GoodputFigures, SloReport, TaskReport } from '../../src/load/requests/report.ts';
import { ABSENT, ms, percent, rate } from '../format.ts';
import { type Html, html } from '../html.ts';
import { count, grouped, oneLine } from '../text.ts';
import type { LoadDocument } from './document.ts';

const number = (text: string): Html => html`<td class="number">${text}</td>`;
const head = (text: string): Html => html`<th scope="col" class="number">${text}</th>`;
const share = (value: number | null): string => (value === null ? ABSENT : `${percent(value)} %`);
const two = ({ p50_ms, p99_ms }: OverSuccesses): Html => html`${number(ms(p50_ms))}${number(ms(p99_ms))}`;

/** The instant that figures are from: the scheduled one, but for a closed loop, which has none. */
const fromOf = (r: LoadReport): 'from_scheduled' | 'from_sent' =>
  r.closed_loop === null ? 'from_scheduled' : 'from_sent';

/** NTPOT's two forms, beside the table of latencies; nothing without. */
export function ntpotLine({ report: r }: LoadDocument): Html {
  const n = r.ntpot[fromOf(r)];
  if (n.exact_mean_ms === null || n.aggregate.length === 0) return html``;
  return html`<p>NTPOT ${fromOf(r).replace('_', ' ')}: exact ${ms(n.exact_mean_ms)} ms (mean of E2E / n); aggregate ${n.aggregate
    .filter((a, i) => i === 0 || a.output_tokens_mean !== n.aggregate[0]!.output_tokens_mean)
    .map((a) => `${ms(a.ntpot_ms)} ms with ${rate(a.output_tokens_mean)} tokens by ${a.source}`)
    .join(', ')} (TPOT + TTFT / mean n).</p>
`;
}

/** Which goals were missed: the one that fails most first. */
function misses(g: GoodputFigures): string {
  const missed = g.slos.filter((slo) => slo.missed > 0).toSorted((a, b) => b.missed - a.missed);
  const limit = ({ limit_ms }: SloReport): string => (limit_ms === null ? '' : ` (${ms(limit_ms)} ms)`);
  const parts = missed.map(
    (slo) =>
      `${slo.metric.toUpperCase()}${limit(slo)} by ${grouped(slo.missed)}, alone by ${grouped(slo.missed_alone)}`,
  );
  if (g.not_complete > 0) parts.push(`${grouped(g.not_complete)} not complete`);
  return parts.length === 0 ? 'none' : parts.join('; ');
}

const goodRow = (name: string, g: GoodputFigures): Html =>
  html`<tr><th scope="row">${name}</th>${number(grouped(g.scheduled))}${number(grouped(g.good))}${number(share(g.share_of_scheduled))}${number(rate(g.requests_per_second))}${number(rate(g.tokens_per_second))}<td>${misses(g)}</td></tr>
`;

/** Goodput of the run and by task, with the goals that fail; nothing without goals. */
export function goodputSection({ report: { goodput: g } }: LoadDocument): Html {
  if (g === null) return html``;
  return html`<section aria-labelledby="goodput">
<h2 id="goodput">Goodput</h2>
<p>Goals: ${oneLine(g.goals.join(', '))}, from the ${g.from} instant. A request is good when it succeeded and met every goal.${g.without_tpot > 0 && g.slos.some(({ metric }) => metric === 'tpot') ? ` ${count(g.without_tpot, 'answer')} of one token had no TPOT, and met that goal.` : ''}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="goodput-caption"><table>
<caption id="goodput-caption">${g.over_s === null ? '' : `Rates are over ${rate(g.over_s)} s, from the first instant to the last end. `}A goal that was missed “alone” was the only one that the request missed.</caption>
<thead><tr><th scope="col">requests</th>${['scheduled', 'good', 'share', 'good/s', 'tokens/s'].map(head)}<th scope="col">goals missed</th></tr></thead>
<tbody>
${goodRow('all', g)}${(g.by_task ?? []).map((task) => goodRow(oneLine(task.name), task))}</tbody></table></div>
</section>
`;
}

function taskRow(r: LoadReport, t: TaskReport): Html {
  const from = fromOf(r);
  const { ttft, e2e } = t[from];
  const ntpot = t.ntpot[from];
  const good = r.goodput?.by_task?.find(({ name }) => name === t.name);
  return html`<tr><th scope="row">${oneLine(t.name)}</th>${number(grouped(t.counts.scheduled))}${number(share(t.counts.success_rate))}${number(rate(t.tokens.prompt_by_usage_mean ?? t.tokens.asked_prompt_mean))}${number(rate(t.tokens.output_mean))}${two(ttft.over_successes)}${two(t.tpot.over_successes)}${number(ms(ntpot.exact_mean_ms))}${number(ms(ntpot.aggregate[0]?.ntpot_ms ?? null))}${two(e2e.over_successes)}${r.goodput !== null && number(share(good?.share_of_scheduled ?? null))}</tr>
`;
}

/** The table of tasks; nothing without. */
export function taskSection({ report: r }: LoadDocument): Html {
  if (r.tasks === null) return html``;
  const columns = [
    ...['n', 'success', 'prompt', 'output', 'TTFT p50', 'TTFT p99', 'TPOT p50', 'TPOT p99'],
    ...['NTPOT exact', 'NTPOT aggr.', 'E2E p50', 'E2E p99', ...(r.goodput === null ? [] : ['good'])],
  ];
  return html`<section aria-labelledby="tasks">
<h2 id="tasks">Tasks</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="tasks-caption"><table>
<caption id="tasks-caption">Of successful requests: mean tokens of prompt and output; latencies in ms, ${fromOf(r).replace('_', ' the ')} instant. NTPOT as the mean of E2E / n and in the aggregate form.</caption>
<thead><tr><th scope="col">task</th>${columns.map(head)}</tr></thead>
<tbody>
${r.tasks.map((task) => taskRow(r, task))}</tbody></table></div>
</section>
`;
}
