/** What `tare model` says of clients, for the terminal. A string; printing is the caller's. */
import Table from 'cli-table3';
import type { ClientModel, ModelDocument } from '../../src/audit/model/document.ts';
import { listed } from '../text.ts';
import { parameterTable, rateTable, residualTable, type TextTable } from './rows.ts';
import { cpuWords, growthLines, queueWords, sentence, verdictWords } from './words.ts';

function drawn({ head, rows }: TextTable): string {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

function clientText(model: ClientModel): string {
  const notes = model.notes.map((note) => `Note: ${sentence(note)}`);
  if (model.state === 'refused') return [verdictWords(model), ...growthLines(model), ...notes].join('\n');
  return [
    verdictWords(model),
    queueWords(model),
    drawn(parameterTable(model)),
    cpuWords(model),
    'Rates:',
    drawn(rateTable(model)),
    'Residuals, mean added to each figure, ms; held out: predicted by a fit without that rate:',
    drawn(residualTable(model)),
    ...growthLines(model),
    ...notes,
  ].join('\n');
}

/** Every client, one after the other. */
export function modelText(document: ModelDocument): string {
  const held =
    document.held_out_rps === null
      ? []
      : [
          `Left out of the fit and predicted by it: ${listed(document.held_out_rps.map((one) => `${one}/s`))}.`,
        ];
  return [...held, ...document.clients.map(clientText)].join('\n\n');
}
