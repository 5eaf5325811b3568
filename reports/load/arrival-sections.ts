/** What a load's page says of stages, of a trace, and of a closed loop. */
import type { OverSuccesses } from '../../src/load/report.ts';
import { ABSENT, ms, percent, rate } from '../format.ts';
import { type Html, html } from '../html.ts';
import { grouped, oneLine } from '../text.ts';
import type { LoadDocument } from './document.ts';

/** A closed loop and a trace, in the verdict; nothing for a plain open loop. */
export function arrivalLines({ report: { closed_loop: loop, trace } }: LoadDocument): Html {
  const law = loop?.little_ratio ?? null;
  return html`${
    loop !== null &&
    html`<p><strong>Closed loop</strong> of ${grouped(loop.concurrency)} users: it came to ${rate(loop.achieved_rps)} requests/s, which is a result and no setting. ${law === null ? '' : `By Little’s law rate × E2E is ${rate(loop.rate_times_e2e)} of ${rate(loop.mean_in_flight)} under way (ratio ${law.toFixed(3)}). `}Note: ${loop.caution}.</p>`
  }${
    trace !== null &&
    html`<p>Trace ${oneLine(trace.file)} (${trace.format}): ${grouped(trace.used)} of ${grouped(trace.rows)} rows${trace.failed_rows > 0 ? `; ${grouped(trace.failed_rows)} without output were ${trace.failed_rows_are}` : ''}; lengths ${trace.lengths}.${trace.notes.map((note) => ` Note: ${note}.`)}</p>`
  }`;
}

const number = (text: string): Html => html`<td class="number">${text}</td>`;
const two = ({ p50_ms, p99_ms }: OverSuccesses): Html => html`${number(ms(p50_ms))}${number(ms(p99_ms))}`;

/** The table of stages; nothing without. */
export function stageSection({ report: { stages } }: LoadDocument): Html {
  if (stages === null) return html``;
  const after =
    stages.completed_after > 0
      ? ` ${grouped(stages.completed_after)} answers ended after the last stage.`
      : '';
  return html`<section aria-labelledby="stages">
<h2 id="stages">Stages</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="stages-caption"><table>
<caption id="stages-caption">Requests and latencies (ms, from the scheduled instant, of successful requests) belong to the stage in which a request was due; rates count what was due, sent and done in the stage’s own time.${after}</caption>
<thead><tr><th scope="col">stage</th>${['s', 'due', 'success', 'due/s', 'sent/s', 'done/s', 'TTFT p50', 'TTFT p99', 'E2E p50', 'E2E p99'].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>
${stages.list.map(
  (s) =>
    html`<tr><th scope="row">${s.stage}</th>${number(rate(s.time_s))}${number(grouped(s.scheduled))}${number(s.success_rate === null ? ABSENT : `${percent(s.success_rate)} %`)}${number(rate(s.scheduled_rps))}${number(rate(s.sent_rps))}${number(rate(s.completed_rps))}${two(s.ttft)}${two(s.e2e)}</tr>
`,
)}</tbody></table></div>
</section>`;
}
