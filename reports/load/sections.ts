/** The parts of a load's page: verdict, figures, warnings, failures, conditions, how to repeat it. */
import type { LoadReport, LoadWarning, OverAll, OverSuccesses } from '../../src/load/report.ts';
import { isNote } from '../../src/load/warning-kinds.ts';
import { commandLine } from '../command-line.ts';
import { ms, percent, rate } from '../format.ts';
import { type Html, html } from '../html.ts';
import { count, grouped, oneLine } from '../text.ts';
import { arrivalLines } from './arrival-sections.ts';
import type { LoadDocument } from './document.ts';
import { loadProvenance } from './provenance.ts';
import { latencies } from './summary-csv.ts';

const item = (style: string, sign: string, label: string, words: Html | string): Html =>
  html`<li><span class="badge ${style}"><span aria-hidden="true">${sign}</span> ${label}</span> <span>${words}</span></li>
`;

/** Warnings that are reasons for distrust. */
export const reasons = (r: LoadReport): readonly LoadWarning[] =>
  r.warnings.filter(({ code }) => !isNote(code));

function trustItem(r: LoadReport): Html {
  if (r.trusted)
    return item('good', '✓', 'trusted', 'The client found no reason to distrust its own figures.');
  const why = reasons(r);
  return item(
    'bad',
    '✕',
    'not to be trusted',
    html`${count(why.length, 'reason')}: ${why.map(({ code }, i) => html`${i > 0 && ', '}<a href="#warning-${i}">${code}</a>`)}.`,
  );
}

function successItem(r: LoadReport): Html {
  const { complete, scheduled, success_rate: share, outcomes } = r.counts;
  const failed = Object.entries(outcomes).filter(([name, n]) => name !== 'complete' && n > 0);
  return item(
    complete === scheduled ? 'good' : complete === 0 ? 'bad' : 'unsure',
    complete === scheduled ? '✓' : complete === 0 ? '✕' : '◐',
    `${percent(share)} % succeeded`,
    `${grouped(complete)} of ${count(scheduled, 'request')} got a whole answer${failed.map(([name, n]) => `, ${grouped(n)} ${name}`).join('')}.${r.retry.retried > 0 ? ` ${grouped(r.retry.recovered)} of ${grouped(r.retry.retried)} refused ones were complete after Retry-After.` : ''}`,
  );
}

function rateItem({ rate: r, tokens }: LoadReport): Html {
  const kept =
    r.sends_ratio !== null &&
    r.completions_ratio !== null &&
    Math.min(r.sends_ratio, r.completions_ratio) >= 0.99;
  const of = (value: number | null): string =>
    value === null ? '' : ` (${percent(value)} % of the schedule)`;
  return item(
    r.sends_ratio === null ? 'unsure' : kept ? 'good' : 'bad',
    r.sends_ratio === null ? '?' : kept ? '✓' : '✕',
    `${rate(r.sent_rps)}/s sent`,
    `${r.requested_rps === null ? 'No rate was asked' : `${rate(r.requested_rps)} requests/s asked`}, ${rate(r.scheduled_rps)} scheduled as drawn, ${rate(r.sent_rps)} sent${of(r.sends_ratio)}, ${rate(r.completed_rps)} completed${of(r.completions_ratio)}; ${rate(tokens.per_second)} output tokens/s by ${tokens.source}.`,
  );
}

/** Verdict first: whether to trust it, what succeeded, what rate it was. */
export function verdictSection(document: LoadDocument): Html {
  const { report: r } = document;
  const { ttft, e2e } = r.closed_loop === null ? r.from_scheduled : r.from_sent;
  const figures = (s: OverSuccesses): string => `p50 ${ms(s.p50_ms)}, p99 ${ms(s.p99_ms)} ms`;
  return html`<section aria-labelledby="verdict">
<h2 id="verdict">Verdict</h2>
<ul class="verdicts">
${r.state !== 'complete' && item('bad', '✕', r.state, oneLine(r.reason ?? 'the run is not the one that was asked'))}${r.fault !== null && item('bad', '✕', 'a control', `It ran with the known fault ${oneLine(r.fault.name)}: ${oneLine(r.fault.words)}. This is no measurement.`)}${trustItem(r)}${successItem(r)}${rateItem(r)}</ul>
${arrivalLines(document)}<p>From the ${r.closed_loop === null ? 'scheduled' : 'sent'} instant, of successful requests: TTFT ${figures(ttft.over_successes)}; E2E ${figures(e2e.over_successes)}.</p>
</section>`;
}

const NAMES: Readonly<Record<string, string>> = {
  ttft: 'TTFT',
  first_answer: 'first answer token',
  e2e: 'E2E',
  ntpot: 'NTPOT',
  tpot: 'TPOT',
  itl: 'ITL',
  headers: 'response head',
  schedule_lag: 'sent − scheduled',
};

function row(
  { metric, t0, over, figures: f }: ReturnType<typeof latencies>[number],
  sameAsBefore: boolean,
): Html {
  const s = f as OverSuccesses & OverAll;
  const cells = [s.mean_ms ?? null, s.p50_ms, s.p90_ms, s.p99_ms, s.p999_ms, s.max_ms];
  const beyond = (value: number | null, i: number): string =>
    over === 'all' && value === null && i > 0 && s.n > 0 ? '∞' : ms(value);
  return html`<tr>${sameAsBefore ? html`<th scope="row"><span class="quiet">${NAMES[metric]}, all</span></th>` : html`<th scope="row">${NAMES[metric]}</th>`}<td>${metric === 'schedule_lag' ? '' : t0}</td><td>${over}</td><td class="number">${grouped(s.n)}</td>${cells.map((value, i) => html`<td class="number">${beyond(value, i)}</td>`)}</tr>
`;
}

/** Percentiles of every latency; over all requests too, where some failed. */
export function figureSection({ report: r }: LoadDocument): Html {
  const rows = latencies(r).filter(
    ({ figures, over }) =>
      figures.n > 0 &&
      (over === 'all'
        ? r.counts.failed > 0 &&
          !(
            'absent' in figures &&
            figures.p50_ms === null &&
            figures.max_ms === null &&
            r.counts.complete === 0
          )
        : true),
  );
  const present = new Set(
    rows.filter(({ over }) => over !== 'all').map(({ metric, t0 }) => `${metric} ${t0}`),
  );
  const shown = rows.filter(({ metric, t0 }) => present.has(`${metric} ${t0}`));
  return html`<section aria-labelledby="figures">
<h2 id="figures">Latencies</h2>
${
  shown.length === 0
    ? html`<p>No request has a latency.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-labelledby="figures-caption"><table>
<caption id="figures-caption">Milliseconds. Over “all”, a failed request is infinitely late (∞); over “successes”, it is left out. t0 is the instant that a latency runs from.</caption>
<thead><tr><th scope="col">figure</th><th scope="col">t0</th><th scope="col">over</th><th scope="col" class="number">n</th><th scope="col" class="number">mean</th><th scope="col" class="number">p50</th><th scope="col" class="number">p90</th><th scope="col" class="number">p99</th><th scope="col" class="number">p99.9</th><th scope="col" class="number">max</th></tr></thead>
<tbody>
${shown.map((one) => row(one, one.over === 'all'))}</tbody>
</table></div>`
}
</section>`;
}

const listOf = (prefix: string, warnings: readonly LoadWarning[]): Html => html`<ul class="warnings">
${warnings.map(
  ({ code, evidence, remedy }, i) =>
    html`<li id="${prefix}-${i}"><strong>${oneLine(code)}</strong>: ${oneLine(evidence)}. <em>${oneLine(remedy)}</em></li>
`,
)}</ul>`;

/** Warnings with what to do about them, then notes; nothing without any. */
export function warningSection({ report: r }: LoadDocument): Html {
  const notes = [...r.warnings.filter(({ code }) => isNote(code)), ...r.notes];
  return html`${
    reasons(r).length > 0 &&
    html`<section aria-labelledby="warnings"><h2 id="warnings">Warnings</h2>
${listOf('warning', reasons(r))}
</section>
`
  }${
    notes.length > 0 &&
    html`<section aria-labelledby="notes"><h2 id="notes">Notes</h2>
${listOf('note', notes)}
</section>
`
  }`;
}

/** A few failures in the server's or the system's own words. */
export const failureSection = ({ report: r }: LoadDocument): Html =>
  r.failures.length === 0
    ? html``
    : html`<section aria-labelledby="failures">
<h2 id="failures">Failures</h2>
<p class="quiet">A few of them, as they came.</p>
${r.failures.map(
  ({ outcome, example }) => html`<h3>${outcome}</h3>
<pre tabindex="0">${example.split('\n').map(oneLine).join('\n').slice(0, 2048)}</pre>
`,
)}</section>`;

const fact = (label: string, text: string): Html => html`<dt>${label}</dt><dd>${text}</dd>
`;

/** How it was measured. */
export function conditionSection(document: LoadDocument): Html {
  const { report: r, host } = document;
  const p = loadProvenance(document);
  const s = (value: number | null): string => (value === null ? 'unknown' : `${value.toFixed(2)} s`);
  return html`<section aria-labelledby="conditions">
<h2 id="conditions">How it was measured</h2>
<dl class="facts">
${fact('Workload', p.workload)}${fact('Target', p.target)}${fact('Seed', p.seed)}${fact('Tokens counted by', p.clients[0]!.output_tokens_source)}${fact('Workers', oneLine(r.client.choice.why))}${fact('Pacing', `${r.client.pacing} (${oneLine(r.client.pacing_reason)})`)}${fact('Cores', p.pinning)}${fact('Start-up', `${s(r.startup_s)} from launch to the first request, ${s(r.teardown_s)} from the last answer to the end of the last worker`)}${fact('Host', p.host)}${fact('Open files', host.open_files_limit === null ? 'unknown' : `at most ${grouped(host.open_files_limit)} a process`)}${fact('Tare', p.harness)}</dl>
</section>`;
}

/** The command without its secrets. */
export const repeatSection = ({ command, report: r }: LoadDocument): Html =>
  html`<section aria-labelledby="repeat">
<h2 id="repeat">How to repeat it</h2>
${
  command === null
    ? html`<p>It was not run as a command.</p>`
    : html`<pre tabindex="0">${commandLine(command)}</pre>
<p class="quiet">Same seed (${String(r.options.seed)}), same schedule, ids and bodies, whatever the number of workers. Secrets are replaced by ***: the API key is read from the environment or a file.</p>`
}
</section>`;
