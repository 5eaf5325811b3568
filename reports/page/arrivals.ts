/** The page's table of how requests arrived. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { type ArrivalRow, arrivalRows } from '../arrivals-table.ts';
import { rate } from '../format.ts';
import { type Html, html } from '../html.ts';
import { oneLine } from '../text.ts';

const departed = ({ departures, trials }: ArrivalRow): Html | string =>
  departures.length === 0
    ? 'none'
    : html`<ul>${departures.map(
        (one) =>
          html`<li>${one.words} (${one.trials} of ${trials}) <span class="quiet">${oneLine(one.evidence)}</span></li>`,
      )}</ul>`;

/** A row a client and rate; nothing without a ledger. */
export function arrivalPart(document: AuditDocument): Html {
  const rows = arrivalRows(document);
  if (rows.length === 0) return html``;
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="arrivals-caption"><table>
<caption id="arrivals-caption">The arrival process by the target’s ledger, against the one that was asked. A departure is named where at least half of the trials show it.</caption>
<thead><tr><th scope="col">client</th><th scope="col">asked /s</th><th scope="col">asked</th><th scope="col">found</th><th scope="col">departures</th></tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr><th scope="row">${oneLine(row.client)}</th><td class="number">${rate(row.rate_rps)}</td><td>${oneLine(row.stated)}</td><td>${row.found}</td><td class="long">${departed(row)}</td></tr>
`,
)}</tbody>
</table></div>
`;
}
