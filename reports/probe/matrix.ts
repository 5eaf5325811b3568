/** The heat map: probes down in their groups, clients across, each cell a sign and a link to what is behind it. */
import { PROBE_VERDICTS, type ProbeCell, type ProbeDocument } from '../../src/audit/probe/document.ts';
import { type Html, html } from '../html.ts';
import { grouped, oneLine, shorten } from '../text.ts';
import type { Anchors } from './anchors.ts';
import { withCode } from './code-html.ts';
import { groupAbout } from './group-words.ts';
import { LOOK, verdictCounts } from './verdict-words.ts';

const HEAD_LENGTH = 18;

/** Signs, their counts, their meanings. */
export function legend(document: ProbeDocument): Html {
  const counts = verdictCounts(document.cells);
  return html`<dl class="legend">${PROBE_VERDICTS.map(
    (verdict) =>
      html`<div><dt><span class="sign ${LOOK[verdict].style}">${LOOK[verdict].sign}</span> ${verdict} <span class="n" data-verdict="${verdict}">${grouped(counts[verdict])}</span></dt><dd>${LOOK[verdict].meaning}</dd></div>`,
  )}</dl>`;
}

function cellLink(cell: ProbeCell | undefined, anchors: Anchors): Html {
  if (cell === undefined) return html`<td>`;
  const { sign, style } = LOOK[cell.verdict];
  const kind = cell.kind === null ? '' : `: ${oneLine(cell.kind)}`;
  const words = `${cell.verdict}${kind}`;
  return html`<td><a class="${style}" href="#${anchors.cell(cell.client, cell.probe)}" title="${words}" aria-label="${words}">${sign}</a>`;
}

/** The matrix in a box of its own, in which its heads stay in sight. */
export function matrix(document: ProbeDocument, anchors: Anchors): Html {
  const cells = new Map(document.cells.map((cell) => [`${cell.client}\n${cell.probe}`, cell]));
  const clients = document.clients.map(({ client }) => client);
  const groups = [...new Set(document.probes.map(({ group }) => group))];
  const head = clients.map(
    (client) =>
      html`<th scope="col"><a href="#${anchors.client(client)}" title="${oneLine(client)}">${shorten(oneLine(client), HEAD_LENGTH)}</a>`,
  );
  const letters = Math.max(5, ...clients.map((client) => Math.min(HEAD_LENGTH, oneLine(client).length)));
  const rows = (group: string) =>
    document.probes
      .filter((probe) => probe.group === group)
      .map(
        (probe) =>
          html`<tr><th scope="row"><a href="#${anchors.probe(probe.id)}">${oneLine(probe.id)}</a> <span>${withCode(probe.title)}</span>${clients.map((client) => cellLink(cells.get(`${client}\n${probe.id}`), anchors))}
`,
      );
  return html`<p class="only" hidden><label><input type="checkbox" autocomplete="off"> only probes under which a client is faulty or crashed</label> <output role="status"></output></p>
<div class="matrix" style="--n:${clients.length};--letters:${letters}" tabindex="0" role="region" aria-label="Probes by clients">
<table>
<colgroup><col>${clients.map(() => html`<col class="c">`)}</colgroup>
<thead><tr><th scope="col">probe${head}</tr></thead>
${groups.map(
  (group) => html`<tbody>
<tr class="group"><th scope="rowgroup" colspan="${clients.length + 1}"><b>${oneLine(group)}</b> <span>${groupAbout(group)}</span>
${rows(group)}</tbody>
`,
)}</table>
</div>`;
}
