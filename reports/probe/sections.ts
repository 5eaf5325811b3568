/** The parts of the page around the matrix: kinds of fault, clients and their runs, how it was measured. */
import {
  PROBE_VERDICTS,
  type ProbeCell,
  type ProbeDocument,
  type ProbeRun,
} from '../../src/audit/probe/document.ts';
import { commandLine } from '../command-line.ts';
import { ABSENT, limitMs, percent } from '../format.ts';
import { type Html, html } from '../html.ts';
import { instant } from '../page/shell.ts';
import { count, grouped, oneLine, shorten } from '../text.ts';
import type { Anchors } from './anchors.ts';
import { withCode } from './code-html.ts';
import { cellSize } from './figure-words.ts';
import { byName, clientSummaries, type KindFound, kindsFound } from './findings.ts';
import { LOOK } from './verdict-words.ts';

const seconds = (value: number): string =>
  grouped(value >= 10 ? Math.round(value) : Number(value.toFixed(1)));

/** The size that is farthest off, in percent where there is one. */
function largest(cells: readonly ProbeCell[]): string {
  const sized = cells.filter(({ size }) => size !== null);
  const most = Math.max(...sized.map(({ size }) => Math.abs(size!.percent ?? 0)));
  return cellSize(sized.find(({ size }) => Math.abs(size!.percent ?? 0) === most)?.size ?? null);
}

/** Each client with how many probes show it, a link to the first. */
const clientsOf = ({ cells }: KindFound, anchors: Anchors): Html[] =>
  [...byName(cells, ({ client }) => client)].map(
    ([client, own], i) =>
      html`${i > 0 && ', '}<a href="#${anchors.cell(client, own[0]!.probe)}">${shorten(oneLine(client), 28)}</a>${own.length > 1 && ` (${own.length})`}`,
  );

/** Faults and definitions by name; nothing where nothing was found. */
export function kindSection(document: ProbeDocument, anchors: Anchors): Html {
  const kinds = kindsFound(document);
  if (kinds.length === 0) return html``;
  return html`<section aria-labelledby="kinds">
<h2 id="kinds">What was found, by kind</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="kinds-caption"><table class="kinds">
<caption id="kinds-caption">Faults first. Behind a client: under how many probes it shows, where more than one.</caption>
<thead><tr><th scope="col">kind<th scope="col">what such a client does<th scope="col">clients<th scope="col">probes<th scope="col">farthest off</thead>
<tbody>
${kinds.map(
  (found) =>
    html`<tr><th scope="row"><span class="sign ${LOOK[found.verdict].style}">${LOOK[found.verdict].sign}</span> ${oneLine(found.kind)}<td class="long">${found.what !== null && withCode(found.what)}<td class="long">${clientsOf(found, anchors)}<td class="number">${new Set(found.cells.map(({ probe }) => probe)).size}<td>${largest(found.cells)}
`,
)}</tbody></table></div>
</section>`;
}

const sortable = (head: string | Html, number = true): Html =>
  html`<th scope="col"${number && html` class="number"`}>${head}`;

/** A row a client. */
export function clientTable(document: ProbeDocument, anchors: Anchors): Html {
  const summaries = clientSummaries(document);
  return html`<section aria-labelledby="clients">
<h2 id="clients">Clients</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="clients-caption"><table class="clients" data-sortable>
<caption id="clients-caption">Probes by verdict; time for those that need no load, and for those of load.</caption>
<thead><tr>${['client', 'version'].map((head) => sortable(head, false))}${PROBE_VERDICTS.map((verdict) =>
    sortable(
      html`<span class="sign ${LOOK[verdict].style}" aria-hidden="true">${LOOK[verdict].sign}</span><span class="sr">${verdict}</span>`,
    ),
  )}${['runs', 'probes s', ...(document.load ? ['load s'] : [])].map((head) => sortable(head))}</thead>
<tbody>
${document.clients.map((one, i) => {
  const { counts } = summaries[i]!;
  return html`<tr><th scope="row"><a href="#${anchors.client(one.client)}">${shorten(oneLine(one.client), 40)}</a><td>${shorten(oneLine(one.version), 24)}${PROBE_VERDICTS.map(
    (verdict) =>
      html`<td class="number"${counts[verdict] === 0 && html` data-value="0"`}>${counts[verdict] > 0 && grouped(counts[verdict])}`,
  )}<td class="number">${one.runs.length}<td class="number">${seconds(one.elapsed_s)}${document.load && html`<td class="number">${seconds(one.load_elapsed_s)}`}
`;
})}</tbody></table></div>
</section>`;
}

const runRow = (client: string, run: ProbeRun, anchors: Anchors): Html =>
  html`<tr id="${anchors.run(client, run.id)}"><th scope="row">${oneLine(run.id)}<td class="number">${grouped(run.requests)}<td class="number">${grouped(run.rate_rps)}<td class="number">${seconds(run.elapsed_s)}<td class="number">${run.late_ms === null ? ABSENT : limitMs(run.late_ms)}<td class="number">${percent(run.steal_share)}<td class="long">${oneLine(run.end)}${run.failure !== null && html`: ${shorten(oneLine(run.failure), 600)}`}<br>${shorten(run.probes.map(oneLine).join(', '), 400)}<br><code>${shorten(commandLine(run.command), 1_500)}</code>
`;

/** Every run of every client, with its command. */
export function runSection(document: ProbeDocument, anchors: Anchors): Html {
  return html`<section aria-labelledby="runs">
<h2 id="runs">Runs</h2>
${document.clients.map(
  ({ client, version, path, origin, runs }) => html`<article class="client" id="${anchors.client(client)}">
<h3>${oneLine(client)}</h3>
<p class="quiet">${oneLine(version)}, ${oneLine(origin)}, <code>${oneLine(path)}</code>; ${count(runs.length, 'run')}</p>
${
  runs.length > 0 &&
  html`<div class="scroll tall"><table>
<thead><tr><th scope="col">run<th scope="col">requests<th scope="col">at /s<th scope="col">took s<th scope="col" title="the target’s worst write">late ms<th scope="col" title="taken by the hypervisor meanwhile">steal %<th scope="col">how it ended; probes that it carried; command</thead>
<tbody>
${runs.map((run) => runRow(client, run, anchors))}</tbody></table></div>
`
}</article>
`,
)}</section>`;
}

/** Under what conditions all of it came about. */
export function conditionSection(document: ProbeDocument): Html {
  const { host } = document;
  const lines: readonly (readonly [string, string])[] = [
    ['Tare', `${document.tare_version}, node ${host.node}`],
    ['Started', `${instant(document.started_at)}; took ${count(Math.round(document.elapsed_s), 'second')}`],
    [
      'Host',
      `${host.cpu_model}, ${count(host.cores, 'core')}, ${grouped(host.memory_mb)} MB; ${host.os}, kernel ${host.kernel}, ${host.arch}`,
    ],
    ['Cores', document.pinning_note],
    ['Seed', String(document.seed)],
    ['Probes of load', document.load ? 'run' : 'not run'],
    ['Clients', document.clients.map(({ client, version }) => `${client} ${version}`).join(', ')],
  ];
  return html`<section aria-labelledby="conditions">
<h2 id="conditions">How it was measured</h2>
<dl class="facts">${lines.map(([label, text]) => html`<dt>${label}</dt><dd>${oneLine(text)}</dd>`)}</dl>
</section>`;
}
