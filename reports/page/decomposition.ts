/** Where the bias arises, as a table: the chart's figures, the slowest hundredth, and what cannot be told with the reason. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { STAGES } from '../../src/measure/decomposition.ts';
import { ABSENT, METRIC_LABEL, ms, rate, signedMs } from '../format.ts';
import { type Html, html } from '../html.ts';
import {
  type CellStage,
  largestStage,
  STAGE_LABEL,
  type StageCell,
  type StagedMetric,
  stageCells,
} from '../stages.ts';
import { count, grouped, listed, oneLine } from '../text.ts';

/** Of a stage that has no figure: where it is, or why it is nowhere. */
function absentWords({ held_by, reason }: CellStage): string {
  const held = held_by === null ? '' : `in “${STAGE_LABEL[held_by]}”: `;
  return `${held}${oneLine(reason ?? '')}`;
}

/** Most of it: which stage, and how much of how much. */
export function mostOfIt(cell: StageCell): string {
  const mean = largestStage(cell, 'mean_ms');
  const tail = largestStage(cell, 'tail_mean_ms');
  if (mean === null || tail === null) return 'nothing was added';
  const most = `${STAGE_LABEL[mean.stage]}, ${ms(mean.mean_ms)} of ${ms(cell.bias_ms)} ms`;
  const there = tail.stage === mean.stage ? 'the same' : STAGE_LABEL[tail.stage];
  return `${most}; in the slowest hundredth ${there}, ${ms(tail.tail_mean_ms)} of ${ms(cell.tail_bias_ms)} ms`;
}

interface Row {
  readonly metric: StagedMetric;
  readonly cell: StageCell;
}

function notes({ cell }: Row): string {
  const impossible =
    cell.impossible === 0
      ? []
      : [
          `${count(cell.impossible, 'request')} of ${grouped(cell.requests)} would have arrived before it was sent, or been read before it was written: there the clock, the join or the definition is not what it is held for`,
        ];
  const leftOut =
    cell.left_out === 0
      ? []
      : [
          `${count(cell.left_out, 'request')} more ${cell.left_out === 1 ? 'is' : 'are'} left out, for want of a stamp that nearly all others have (the wire’s, with a capture)`,
        ];
  // What only a capture of the wire would tell is said once for all, in the text above the table.
  const reasons = new Set(
    cell.stages.flatMap((one) =>
      one.held_by === 'unknown' && one.reason !== null ? [oneLine(one.reason)] : [],
    ),
  );
  return [...[...reasons].map((reason) => `cannot be told: ${reason}`), ...leftOut, ...impossible].join('; ');
}

/** What stands under the chart; nothing where no client's records were joined. */
export function decompositionPart(document: AuditDocument): Html {
  const rows = (['ttft', 'e2e'] as const).flatMap((metric) =>
    stageCells(document, metric).map((cell): Row => ({ metric, cell })),
  );
  if (rows.length === 0) return html``;
  const stages = STAGES.filter((stage) =>
    rows.some(({ cell }) => cell.stages.some((one) => one.stage === stage && (one.mean_ms ?? 0) !== 0)),
  );
  const merged = STAGES.flatMap((stage) => {
    const held = rows
      .flatMap(({ cell }) => cell.stages)
      .find((one) => one.stage === stage && one.held_by !== null && one.held_by !== 'unknown');
    return held === undefined ? [] : [`“${STAGE_LABEL[stage]}” is in “${STAGE_LABEL[held.held_by!]}”`];
  });
  const wired = document.trials.some((trial) => trial.decomposition?.wire === true);
  return html`<p class="quiet">Reported minus injected, of each joined request, cut along its way; the stages of a request sum to it exactly. A dash is a stage that the client’s figure does not hold or that cannot be told.${merged.length > 0 && ` Without a capture of the wire ${listed(merged)}.`}${wired && ` With a capture “${STAGE_LABEL.to_target}” begins on the wire, after the client’s part: it is the target’s own waiting.`}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="stages-caption"><table id="stages-table">
<caption id="stages-caption">Mean of each stage, ms, over the joined requests of all repetitions.</caption>
<thead><tr><th scope="col">client</th><th scope="col">asked /s</th><th scope="col">figure</th><th scope="col">requests</th><th scope="col">reported − injected</th>${stages.map((stage) => html`<th scope="col">${STAGE_LABEL[stage]}</th>`)}<th scope="col">most of it arises</th><th scope="col">notes</th></tr></thead>
<tbody>
${rows.map(
  (row) =>
    html`<tr><th scope="row">${oneLine(row.cell.client)}</th><td class="number">${rate(row.cell.rate_rps)}</td><td>${METRIC_LABEL[row.metric]}</td><td class="number">${grouped(row.cell.requests)}</td><td class="number">${signedMs(row.cell.bias_ms)}</td>${stages.map(
      (stage) => {
        const one = row.cell.stages.find((own) => own.stage === stage)!;
        return html`<td class="number"${one.reason !== null && html` title="${absentWords(one)}"`}>${one.mean_ms === null ? ABSENT : ms(one.mean_ms)}</td>`;
      },
    )}<td class="long">${mostOfIt(row.cell)}</td><td class="long">${notes(row)}</td></tr>
`,
)}</tbody>
</table></div>
`;
}
