/** One client under one probe: what it did, its figures, the run they are of, how to see it again. */
import type { CellFigure, ProbeCell, ProbeRun } from '../../src/audit/probe/document.ts';
import { commandLine } from '../command-line.ts';
import { limitMs } from '../format.ts';
import { type Html, html } from '../html.ts';
import { count, grouped, oneLine, shorten } from '../text.ts';
import type { Anchors } from './anchors.ts';
import { withCode } from './code-html.ts';
import { BY, cellSize, figureHead, figureValue } from './figure-words.ts';
import { LOOK } from './verdict-words.ts';

const WORDS_LENGTH = 1_200;

function figureRow(figure: CellFigure, stated: boolean, of: ProbeCell): Html {
  const { unit, verdict } = figure;
  const value = (one: number | null) => figureValue(one, unit);
  const found =
    verdict === 'right'
      ? '✓'
      : `${verdict}${figure.kind === null || figure.kind === of.kind ? '' : `: ${oneLine(figure.kind)}`}`;
  const odd = verdict === 'faulty' || verdict === 'other definition';
  return html`<tr${odd && html` class="odd"`}><th>${figureHead(figure)}<td>${value(figure.right)}${figure.tolerance > 0 && html` ±${value(figure.tolerance)}`}${stated && html`<td>${value(figure.stated)}`}<td>${value(figure.got)}<td>${BY[figure.by]}<td>${found}
`;
}

/** Right, stated and got; the column of what is stated only where it says something else. */
function figureTable(cell: ProbeCell): Html {
  const { figures } = cell;
  if (figures.length === 0) return html``;
  const stated = figures.some((figure) => figure.stated !== null);
  return html`<div class="scroll"><table><thead><tr><th>figure<th>right${stated && html`<th>as stated`}<th>got<th>by<th>verdict<tbody>
${figures.map((figure) => figureRow(figure, stated, cell))}</table></div>
`;
}

function runWords(cell: ProbeCell, run: ProbeRun | undefined, anchors: Anchors): Html {
  if (run === undefined) return html`No run was made for it.`;
  const late = run.late_ms === null ? '' : `; the target’s writes at most ${limitMs(run.late_ms)} ms late`;
  const failure =
    run.failure === null || cell.words.includes(run.failure)
      ? ''
      : `; ${shorten(oneLine(run.failure), WORDS_LENGTH)}`;
  const confirms =
    cell.confirms === null ? '' : ` It was run to confirm an earlier one, which was ${cell.confirms}.`;
  return html`${count(cell.requests, 'request')} judged, of <a href="#${anchors.run(cell.client, run.id)}">run ${oneLine(run.id)}</a> (${grouped(run.requests)} at ${grouped(run.rate_rps)}/s): ${oneLine(run.end)}${failure}${late}.${confirms}`;
}

/** What of the document the command that shows a cell again needs. */
export interface Again {
  /** The client file, where it came from one. */
  readonly file: string | undefined;
  readonly seed: number;
}

/** Closed; its summary says what was found. */
export function cellHtml(cell: ProbeCell, run: ProbeRun | undefined, anchors: Anchors, by: Again): Html {
  const { sign, style } = LOOK[cell.verdict];
  const kind = cell.kind === null ? cell.verdict : `${cell.verdict}: ${oneLine(cell.kind)}`;
  const size = cellSize(cell.size);
  const words = shorten(oneLine(cell.words), WORDS_LENGTH);
  const again = commandLine([
    ...['tare', 'probe', '--client', by.file ?? cell.client, '--only', cell.probe],
    ...(by.seed === 1 ? [] : ['--seed', String(by.seed)]),
  ]);
  const brief = cell.verdict === 'right' || cell.verdict === 'not applicable';
  return html`<details class="cell" id="${anchors.cell(cell.client, cell.probe)}"><summary><b class="sign ${style}">${sign}</b> <strong>${shorten(oneLine(cell.client), brief ? 20 : 60)}</strong>${brief ? html`<span class="sr"> ${kind}</span>` : html` <span class="kind">${kind}</span>${size !== '' && html` <span class="size">${size}</span>`}${words !== '' && html`<br>${withCode(words)}`}`}</summary>
${brief && words !== '' && html`<p>${withCode(words)}</p>`}${figureTable(cell)}<p>${runWords(cell, run, anchors)} Again: <code>${again}</code></p></details>
`;
}
