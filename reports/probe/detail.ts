/** The part of the page behind the matrix: every probe with what is sent, what is right, what is known, and what each client did. */
import type {
  ProbeCell,
  ProbeDocument,
  ProbeVerdict,
  ShownKnown,
  ShownProbe,
} from '../../src/audit/probe/document.ts';
import { type Html, html } from '../html.ts';
import { oneLine } from '../text.ts';
import type { Anchors } from './anchors.ts';
import { cellHtml } from './cell-html.ts';
import { withCode } from './code-html.ts';
import { byName } from './findings.ts';
import { groupAbout } from './group-words.ts';
import { reportAddress } from './references.ts';
import { sentHtml } from './sent-html.ts';

/** What says most stands first. */
const ORDER: readonly ProbeVerdict[] = ['crashed', 'faulty', 'other definition', 'undetermined'];

const report = (text: string): Html => {
  const address = reportAddress(text);
  return address === null
    ? html`${oneLine(text)}`
    : html`<a href="${address}" rel="noreferrer">${oneLine(text)}</a>`;
};

const knownRow = ({ kind, what, arithmetic, definition, reported }: ShownKnown): Html =>
  html`<tr><th scope="row">${oneLine(kind)}<td class="long">${withCode(what)}${definition && html` <span class="quiet">(a definition, where it is stated)</span>`}<td class="long">${withCode(arithmetic)}<td class="wrap">${reported.map((one, i) => html`${i > 0 && ', '}${report(one)}`)}
`;

const knownTable = (known: readonly ShownKnown[]): Html =>
  known.length === 0
    ? html``
    : html`<div class="scroll"><table class="known">
<thead><tr><th scope="col">known fault<th scope="col">what a client with it does<th scope="col">what it prints<th scope="col">reported</thead>
<tbody>
${known.map(knownRow)}</tbody></table></div>
`;

function probeHtml(
  probe: ShownProbe,
  cells: readonly ProbeCell[],
  runOf: (cell: ProbeCell) => Html,
  anchors: Anchors,
): Html {
  const says = ORDER.flatMap((verdict) => cells.filter((cell) => cell.verdict === verdict));
  const rest = [
    ...cells.filter(({ verdict }) => verdict === 'right'),
    ...cells.filter(({ verdict }) => verdict === 'not applicable'),
  ];
  return html`<article class="probe" id="${anchors.probe(probe.id)}">
<h3><code>${oneLine(probe.id)}</code> ${withCode(probe.title)}</h3>
<p>${withCode(probe.about)}</p>
<dl class="facts"><dt>Right</dt><dd>${withCode(probe.right)}</dd><dt>By</dt><dd>${withCode(probe.source)}</dd></dl>
${knownTable(probe.known)}${sentHtml(probe)}
<div class="cells">${says.map(runOf)}</div>
<div class="cells rest">${rest.map(runOf)}</div>
<p class="up"><a href="#matrix">↑ matrix</a></p>
</article>
`;
}

/** A section a group. */
export function detailSections(document: ProbeDocument, anchors: Anchors): Html[] {
  const runs = new Map(
    document.clients.flatMap(({ client, runs }) => runs.map((run) => [`${client}\n${run.id}`, run] as const)),
  );
  const runOf = (cell: ProbeCell) =>
    cellHtml(cell, cell.run === null ? undefined : runs.get(`${cell.client}\n${cell.run}`), anchors, {
      file: document.clients.find(({ client }) => client === cell.client)?.file,
      seed: document.seed,
    });
  const cells = byName(document.cells, ({ probe }) => probe);
  return [...new Set(document.probes.map(({ group }) => group))].map(
    (group) => html`<section>
<h2>${oneLine(group)}</h2>
<p class="quiet">${groupAbout(group)}</p>
${document.probes
  .filter((probe) => probe.group === group)
  .map((probe) => probeHtml(probe, cells.get(probe.id) ?? [], runOf, anchors))}</section>
`,
  );
}
