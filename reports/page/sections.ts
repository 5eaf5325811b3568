/** The parts of the page around its charts and sortable tables: faults, lost rates, warnings, definitions, how it was measured. */
import { type AuditDocument, type ClientEntry, machineOf } from '../../src/audit/document.ts';
import { DEFINITION, percentileWords, rateWords } from '../../src/measure/definition-words.ts';
import { FAULT_KINDS } from '../../src/measure/diagnosis/fault.ts';
import { observedWords } from '../architecture-words.ts';
import { clientFaults } from '../faults.ts';
import { againstItselfWords, wireApartWords } from '../floor-words.ts';
import { METRIC_LABEL, ms, rate, signedMs } from '../format.ts';
import { type Html, html } from '../html.ts';
import { lostRates } from '../lost-rate.ts';
import { machineWords } from '../machine-words.ts';
import { provenanceOf } from '../provenance.ts';
import { comparisons } from '../side-by-side.ts';
import { sizeWords } from '../size-words.ts';
import { hasTruth } from '../target-words.ts';
import { grouped, listed, oneLine } from '../text.ts';

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

/** Who loses the rate first, and why; nothing where nobody does. */
export function lostRatePart(document: AuditDocument): Html {
  const lost = lostRates(document);
  if (lost.length === 0) return html``;
  return html`<h3 id="lost">Who loses the rate first, and why</h3>
<ol class="lost">
${lost.map(
  (one) => html`<li>${one.sentence}${
    one.evidence.length > 0 &&
    html`<ul>${one.evidence.map((fact) => html`<li>${oneLine(fact.what)} <span class="quiet">(${oneLine(fact.where)})</span></li>`)}</ul>`
  }</li>
`,
)}</ol>
`;
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
  ) => html`<li><strong>${oneLine(warning.code)}</strong>: ${oneLine(warning.evidence)}.<br>Remedy: ${oneLine(warning.remedy)}.</li>
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
