/** The parts of the page around its tables: verdicts, charts, warnings, how it was measured, how to repeat it. */
import { type AuditDocument, type ClientEntry, machineOf } from '../../src/audit/document.ts';
import { DEFINITION, percentileWords, rateWords } from '../../src/measure/definition-words.ts';
import { FAULT_KINDS } from '../../src/measure/diagnosis/fault.ts';
import { observedWords } from '../architecture-words.ts';
import { chartDownloads } from '../charts/downloads.ts';
import type { RenderedAuditChart } from '../charts/rendered.ts';
import { commandLine } from '../command-line.ts';
import { clientFaults } from '../faults.ts';
import { againstItselfWords, wireApartWords } from '../floor-words.ts';
import { limitMs, METRIC_LABEL, ms, rate, signedMs } from '../format.ts';
import { type Html, html, trusted } from '../html.ts';
import { lostRates } from '../lost-rate.ts';
import { machineWords } from '../machine-words.ts';
import { provenanceLines, provenanceOf } from '../provenance.ts';
import { DEFAULT_TOLERANCE_MS } from '../rate-verdict.ts';
import { comparisons } from '../side-by-side.ts';
import { sizeWords } from '../size-words.ts';
import { ONE_REPETITION } from '../table.ts';
import { hasTruth } from '../target-words.ts';
import { count, grouped, listed, oneLine } from '../text.ts';
import { type ClientVerdict, clientVerdicts, type VerdictKind } from '../verdict.ts';

const BADGE: Readonly<Record<VerdictKind, readonly [sign: string, label: string, style: string]>> = {
  within: ['✓', 'within', 'good'],
  bounded: ['◐', 'up to a rate', 'unsure'],
  out: ['✕', 'out of tolerance', 'bad'],
  undetermined: ['?', 'undetermined', 'unsure'],
  notMeasured: ['–', 'not measured', 'quiet'],
};

function verdictItem({ verdict, sentence, client }: ClientVerdict): Html {
  const [sign, label, style] = BADGE[verdict];
  const name = oneLine(client);
  return html`<li><span class="badge ${style}"><span aria-hidden="true">${sign}</span> ${label}</span><span><strong>${name}</strong>${sentence.slice(name.length)}</span></li>
`;
}

/** One sentence a client. */
export const verdictSection = (document: AuditDocument): Html => html`<section aria-labelledby="verdict">
<h2 id="verdict">${hasTruth(document) ? 'Up to which rate each client tells the truth here' : 'What each client reports here'}</h2>
<ul class="verdicts">
${clientVerdicts(document).map(verdictItem)}</ul>
${
  document.plan.repetitions === 1 &&
  hasTruth(document) &&
  html`<p class="quiet">${ONE_REPETITION}</p>
`
}${hasTruth(document) ? TOLERANCE : NO_TRUTH}
</section>`;

const NO_TRUTH = html`<p class="quiet">This target keeps no ledger: what it really gave, and when requests arrived, is not known. Every latency is as the client reported it; every rate is by the client’s own records, or the rate that it prints. No bias is stated: for that, audit the same clients against the reference target.</p>`;

const TOLERANCE = html`<p class="quiet">A client is within tolerance at a rate where the 95 % intervals of what it adds to TTFT p50 and p99 lie inside ±${limitMs(DEFAULT_TOLERANCE_MS)} ms, or inside this machine’s floor where that is larger. What it adds is what it printed, minus what it would have printed by its own definitions, from the target’s ledger, had it added no delay.</p>`;

/** What clients do otherwise than is stated of them; nothing where that is nothing. */
export function faultSection(document: AuditDocument): Html {
  const faults = clientFaults(document);
  if (faults.length === 0) return html``;
  return html`<section aria-labelledby="faults">
<h2 id="faults">What clients do otherwise than stated</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="faults-caption"><table>
<caption id="faults-caption">Found in most trials at these rates, without looking for it; docs/selftest.md has every kind, and how sure its finding is.</caption>
<thead><tr><th scope="col">client</th><th scope="col">what</th><th scope="col" class="number">size</th><th scope="col">at /s</th><th scope="col">seen</th></tr></thead>
<tbody>
${faults.map(
  (
    one,
  ) => html`<tr><th scope="row">${oneLine(one.client)}</th><td class="long">${one.kind}: ${FAULT_KINDS[one.kind].words}</td><td class="number">${sizeWords(one.size, one.unit)}</td><td>${listed(one.rates_rps.map(grouped))}</td><td class="long">${oneLine(one.evidence)}</td></tr>
`,
)}</tbody>
</table></div>
</section>`;
}

/** Clients beside one another, where there is no truth to hold them against; nothing otherwise. */
export function compareSection(document: AuditDocument): Html {
  const rows = hasTruth(document) ? [] : comparisons(document);
  if (rows.length === 0) return html``;
  return html`<section aria-labelledby="compared">
<h2 id="compared">Clients compared with each other</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="compared-caption"><table>
<caption id="compared-caption">Figures as reported, ms, of clients that mean the same by them; lowest first, with what each prints more. Where its clock starts is beside each.</caption>
<thead><tr><th scope="col">figure</th><th scope="col">asked /s</th><th scope="col">what it means</th><th scope="col">clients</th></tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr><th scope="row">${METRIC_LABEL[row.metric]} ${row.statistic}</th><td class="number">${rate(row.rate_rps)}</td><td>${row.definition}</td><td class="long">${row.clients
      .map(
        (one) =>
          `${oneLine(one.client)} ${ms(one.reported_ms)}${one.more_ms > 0 ? ` (${signedMs(one.more_ms)})` : ''}, from ${one.t0}`,
      )
      .join('; ')}</td></tr>
`,
)}</tbody>
</table></div>
</section>`;
}

const provenanceList = (lines: readonly { label: string; text: string }[]): Html =>
  html`<dl>${lines.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl>`;

/** From this width on, px, a chart is not shrunk to a narrow screen but scrolls in its own box. */
const WIDE_PX = 500;
const isWide = (svg: string): boolean => Number(/<svg [^>]*\bwidth="(\d+)/.exec(svg)?.[1] ?? 0) > WIDE_PX;

function figure({ chart, inline, svg }: RenderedAuditChart, summary: string): Html {
  return html`<figure id="${chart.name}" aria-labelledby="${chart.name}-title">
<h3 id="${chart.name}-title">${chart.title}</h3>
<p class="quiet">${chart.explanation}</p>
<div class="chart${isWide(inline) ? ' wide' : ''}" tabindex="0" role="img" aria-label="${chart.alternative}">${trusted(inline)}</div>
<figcaption>
${chartDownloads({ chart, svg })}
<details><summary>Provenance: ${summary}</summary>${provenanceList(provenanceLines(chart.provenance))}</details>
<details><summary>The figures as text</summary><p>${chart.alternative}</p></details>
</figcaption>
</figure>
`;
}

/** Every chart with its provenance. */
export function chartSection(document: AuditDocument, charts: readonly RenderedAuditChart[]): Html {
  const provenance = provenanceOf(document);
  const versions = (chart: RenderedAuditChart) =>
    listed(chart.chart.provenance.clients.map((client) => `${client.name} ${client.version}`));
  return html`<section aria-labelledby="charts">
<h2 id="charts">Charts</h2>
${
  charts.length === 0
    ? html`<p>No client left a figure to draw.</p>`
    : charts.map((chart) =>
        figure(
          chart,
          `${versions(chart)}; ${provenance.repetitions}; seed ${provenance.seed}; prefix cache ${provenance.prefix_cache}`,
        ),
      )
}</section>`;
}

/** Who loses the rate first, and why; nothing where nobody does. */
export function lostRateSection(document: AuditDocument): Html {
  const lost = lostRates(document);
  if (lost.length === 0) return html``;
  return html`<section aria-labelledby="lost">
<h2 id="lost">Who loses the rate first, and why</h2>
<ol class="lost">
${lost.map(
  (one) => html`<li>${one.sentence}${
    one.evidence.length > 0 &&
    html`<ul>${one.evidence.map((fact) => html`<li>${oneLine(fact.what)} <span class="quiet">(${oneLine(fact.where)})</span></li>`)}</ul>`
  }</li>
`,
)}</ol>
</section>`;
}

/** Warnings with what to do about them; nothing without one. */
export const warningSection = ({ warnings }: AuditDocument): Html =>
  warnings.length === 0
    ? html``
    : html`<section aria-labelledby="warnings">
<h2 id="warnings">Warnings</h2>
<ul class="warnings">
${warnings.map(
  (
    warning,
  ) => html`<li><strong>${oneLine(warning.code)}</strong>: ${oneLine(warning.evidence)}. <em>${oneLine(warning.remedy)}</em></li>
`,
)}</ul>
</section>`;

function definitionRow({ name, found, facts }: ClientEntry, document: AuditDocument): Html {
  const { definitions: d } = facts;
  const version = found.state === 'found' ? oneLine(found.version) : 'not installed';
  const observed = observedWords(
    document.trials.filter((trial) => trial.client === name),
    facts.runtime,
  );
  const short = [d.ttft, d.itl, d.tpot, d.ntpot, d.end, d.tokenSource].map((kind) => DEFINITION[kind]);
  return html`<tr><th scope="row">${oneLine(name)}</th><td>${version}</td><td class="long">${d.t0}: ${oneLine(d.t0Detail)}</td>${short.map((words) => html`<td>${words}</td>`)}<td>${rateWords(d)}</td><td>${DEFINITION[d.failures]}</td><td>${percentileWords(d)}</td><td>${d.warmupRequests}</td><td class="long">${oneLine(facts.architecture)}</td><td class="long">${observed}</td></tr>
`;
}

/** How each client defines what it prints. */
export const clientSection = (document: AuditDocument): Html => html`<section aria-labelledby="clients">
<h2 id="clients">What each client measures</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="clients-caption"><table>
<caption id="clients-caption">Definitions as found in each client’s source; they are taken into account before any delay is called its own.</caption>
<thead><tr><th scope="col">client</th><th scope="col">version</th><th scope="col">clock starts</th><th scope="col">TTFT</th><th scope="col">ITL</th><th scope="col">TPOT</th><th scope="col">NTPOT</th><th scope="col">E2E ends</th><th scope="col">tokens from</th><th scope="col">rate</th><th scope="col">failed requests</th><th scope="col">percentiles</th><th scope="col">warm-up requests</th><th scope="col">architecture as documented</th><th scope="col">architecture as observed</th></tr></thead>
<tbody>
${document.clients.map((entry) => definitionRow(entry, document))}</tbody>
</table></div>
</section>`;

const fact = (label: string, text: string): Html => html`<dt>${label}</dt><dd>${text}</dd>`;

/** Plan and host. */
export function conditionSection(document: AuditDocument): Html {
  const { plan, host } = document;
  const machine = machineOf(document);
  const p = provenanceOf(document);
  const optional = (value: string | number | null, unit = '') =>
    value === null ? 'unknown' : `${typeof value === 'number' ? grouped(value) : oneLine(value)}${unit}`;
  return html`<section aria-labelledby="conditions">
<h2 id="conditions">How it was measured</h2>
<dl class="facts">
${fact('Rates', `${listed(plan.rates_rps.map(grouped))} requests/s`)}
${fact('Repetitions', p.repetitions)}
${fact('Target', p.target)}
${fact('Workload', p.workload)}
${fact('Seed', p.seed)}
${fact('Prefix cache', p.prefix_cache)}
${fact('Cores', p.pinning)}
${fact('Floor', p.floor)}
${document.floor !== null && againstItselfWords(document.floor) !== null && fact('Same client twice', againstItselfWords(document.floor)!)}
${document.floor?.wire_apart_ms && fact('Ledger and wire', wireApartWords(document.floor.wire_apart_ms))}
${machine !== null && fact('Machine alone', machineWords(machine))}
${fact('Host', p.host)}
${fact('CPU governor', optional(host.cpu_governor))}
${fact('Load before the start', optional(host.load_1m))}
${fact('Swap in use', optional(host.swap_used_mb, ' MB'))}
${fact('Open files, ports', `${optional(host.open_files_limit)}, ${optional(host.ephemeral_ports)}`)}
${fact('Programs', `glibc ${optional(host.glibc)}, Python ${optional(host.python)}, node ${oneLine(host.node)}`)}
</dl>
</section>`;
}

function targetFlags({ target, latency }: AuditDocument['plan']): [string, string][] {
  if (target.kind === 'reference') return [['--latency', latency]];
  if (target.kind !== 'external')
    return [
      ['--target', target.kind],
      ['--latency', latency],
    ];
  return [
    ['--target', target.url!],
    ['--model', target.model],
  ];
}

/** The command that repeats an audit. */
export function auditCommand({ plan }: AuditDocument): string {
  const flags: [string, string][] = [
    ...plan.clients.map((client): [string, string] => ['--client', client]),
    ['--rate', plan.rates_rps.join(',')],
    ['--duration', `${plan.duration_s}s`],
    ['--arrivals', Object.keys(plan.arrivals_otherwise).length > 0 ? 'auto' : plan.arrivals],
    ...targetFlags(plan),
    ['--tokens', String(plan.output_tokens)],
    ['--repeat', String(plan.repetitions)],
    ['--seed', String(plan.seed)],
    ...(plan.workers === null ? [] : [['--workers', String(plan.workers)] as [string, string]]),
  ];
  const wire = plan.wire === undefined ? [] : [plan.wire === 'keep' ? '--wire-keep' : '--wire'];
  const remote = plan.target.remote ? ['--allow-remote'] : [];
  return commandLine(['tare', 'audit', ...flags.flat(), ...wire, ...remote]);
}

/** The audit's command, and each client's own at every rate. */
export function reproduceSection(document: AuditDocument): Html {
  const first = document.trials.filter(
    (trial, i) =>
      document.trials.findIndex(
        (t) => t.client === trial.client && t.workload.rateRps === trial.workload.rateRps,
      ) === i,
  );
  return html`<section aria-labelledby="repeat">
<h2 id="repeat">To repeat it</h2>
<pre tabindex="0"><code>${auditCommand(document)}</code></pre>
<details><summary>The clients’ own command lines (${count(first.length, 'line')}, one a client and rate)</summary>
${first.map(
  (trial) => html`<pre tabindex="0"><code># ${oneLine(trial.id)}
${commandLine(trial.command)}</code></pre>
`,
)}</details>
</section>`;
}
