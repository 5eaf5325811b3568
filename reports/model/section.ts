/** The page's part on the clients' queues: what the dashed lines of the charts are, and how far they can be trusted. */
import type { AuditDocument } from '../../src/audit/document.ts';
import type { ClientModel } from '../../src/audit/model/document.ts';
import { type Html, html } from '../html.ts';
import { oneLine } from '../text.ts';
import { fittedClients } from './fitted.ts';
import { parameterTable, rateTable, residualTable, type TextTable } from './rows.ts';
import { cpuWords, growthLines, queueWords, sentence, verdictWords } from './words.ts';

/** The clients of the section; none where no client has a curve that could be fitted. */
export function modelledClients(document: AuditDocument): readonly ClientModel[] {
  const models = fittedClients(document).map(({ model }) => model);
  return models.some(({ state }) => state !== 'refused') ? models : [];
}

function table(id: string, caption: string, { head, rows }: TextTable): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}-caption"><table id="${id}">
<caption id="${id}-caption">${caption}</caption>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([first, ...cells]) =>
    html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>
`,
)}</tbody>
</table></div>`;
}

function clientPart(model: ClientModel, index: number): Html {
  const name = oneLine(model.client);
  const id = `model-${index + 1}`;
  const verdict = verdictWords(model);
  const lead = html`<p><strong>${name}</strong>${verdict.slice(name.length)}</p>`;
  if (model.state === 'refused') return lead;
  return html`<h3>${name}</h3>
${lead}
<p class="quiet">${queueWords(model)} ${cpuWords(model)}</p>
${table(`${id}-parameters`, `Parameters of ${name}’s models, of one event loop, with 95 % bootstrap intervals.`, parameterTable(model))}
${table(`${id}-rates`, `What was measured of ${name}, and the utilization ρ of a loop by the chosen model and by CPU time. Times in ms.`, rateTable(model))}
${table(`${id}-residuals`, `Mean added by ${name}, ms: measured, by the fit to all rates, and predicted by a fit without that rate (held out).`, residualTable(model))}
${[...growthLines(model), ...model.notes.map(sentence)].map(
  (line) => html`<p class="quiet">${line}</p>
`,
)}`;
}

/** What stands under the chart; nothing where no client has a curve that could be fitted. */
export function modelPart(document: AuditDocument): Html {
  const models = modelledClients(document);
  if (models.length === 0) return html``;
  return html`<p class="quiet">Models of one event loop, fitted to what each client adds on the mean at rates below saturation; docs/model.md has the formulas and their limits. The model with the smaller held-out error is chosen: by rates that it was not fitted to.</p>
${models.map(clientPart)}
`;
}
