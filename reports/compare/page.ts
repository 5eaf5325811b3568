/** compare.html: one file that needs nothing else. What changed first, then what it can be put down to, then every figure. */
import type {
  ClientComparison,
  CompareDocument,
  Condition,
} from '../../src/audit/compare-audits/document.ts';
import type { RenderedChart } from '../charts/rendered.ts';
import { rate } from '../format.ts';
import { dataUri, type Html, html, trusted } from '../html.ts';
import { instant, pageText } from '../page/shell.ts';
import { provenanceLines } from '../provenance.ts';
import { oneLine, shorten } from '../text.ts';
import { compareCsv } from './csv.ts';
import {
  differenceText,
  figureLabel,
  floorText,
  intervalText,
  labelWithUnit,
  STATE_WORDS,
  smallestText,
  valueText,
} from './format.ts';
import { compareMarkdown } from './markdown.ts';
import { byState, type FigureRow, figureRows, outcomeState, outcomeText, versions } from './rows.ts';
import { type ClientState, clientState, pairName } from './words.ts';

const SHELL = {
  title: 'Tare: what changed between two audits',
  skip: ['changed', 'Skip to what changed'],
  styles: ['reports/compare/browser.css'],
  scripts: [],
} as const;

const BADGE: Readonly<Record<ClientState, readonly [sign: string, label: string, style: string]>> = {
  worse: ['✕', 'worse', 'bad'],
  mixed: ['✕', 'worse and better', 'bad'],
  better: ['✓', 'better', 'good'],
  changed: ['◐', 'changed', 'unsure'],
  open: ['?', 'no change shown', 'unsure'],
  partly: ['◐', 'compared in part', 'unsure'],
  untold: ['?', 'nothing can be told', 'unsure'],
  unchanged: ['✓', 'unchanged', 'good'],
  refused: ['–', 'not compared', 'quiet'],
};

function header({ a, b, tare_version }: CompareDocument): Html {
  const side = (name: string, one: CompareDocument['a']) =>
    html`${name}: ${oneLine(one.folder)}, ${instant(one.started_at)}${one.state === 'interrupted' && html` <strong class="unsure">(interrupted)</strong>`}`;
  const sections = [
    ['changed', 'What changed'],
    ['conditions', 'Not the same'],
    ['charts', 'Charts'],
    ['figures', 'Figures'],
    ['outcomes', 'Trials'],
    ['reading', 'How to read it'],
  ];
  return html`<header>
<h1>What changed between two audits</h1>
<p class="quiet">Compared by Tare ${oneLine(tare_version)}. ${side('A', a)}. ${side('B', b)}.</p>
<nav aria-label="Sections"><ul>${sections.map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>
</header>`;
}

function verdict(client: ClientComparison, sentence: string, change: string | null): Html {
  const [sign, label, style] = BADGE[clientState(client)];
  const name = pairName(client);
  return html`<li><span class="badge ${style}"><span aria-hidden="true">${sign}</span> ${label}</span><span><strong>${name}</strong>${sentence.slice(name.length)}${change !== null && html`<br><span class="quiet">${change}</span>`}</span></li>
`;
}

function changedSection(document: CompareDocument): Html {
  const { clients, sentences, not_compared } = document;
  return html`<section aria-labelledby="changed">
<h2 id="changed">What changed beyond the floor</h2>
${(clients.length !== 1 || sentences.headline !== sentences.clients[0]) && html`<p class="lead">${sentences.headline}</p>`}
<ul class="verdicts">
${clients.map((client, i) => verdict(client, sentences.clients[i]!, sentences.verdicts[i]!))}</ul>
<p><strong>What it can be put down to.</strong> ${sentences.attribution}</p>
${not_compared.length > 0 && html`<p class="quiet">Not compared: ${not_compared.map(({ client, reason }) => `${oneLine(client)} (${oneLine(reason)})`).join('; ')}.</p>`}
</section>`;
}

const conditionRow = ({ group, what, a, b, state }: Condition): Html =>
  html`<tr data-state="${state}"><th scope="row">${oneLine(what)}</th><td>${group}</td><td class="long">${oneLine(a)}</td><td class="long">${oneLine(b)}</td><td class="${state === 'differs' && 's-changed'}">${state === 'measured' ? 'measured anew' : state}</td></tr>
`;

const select = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
): Html =>
  html`<label>${label} <select name="${name}" autocomplete="off"><option value="">all</option>${options.map(([value, text]) => html`<option value="${value}">${shorten(oneLine(text), 40)}</option>`)}</select></label>`;

function definitionRows({ clients }: CompareDocument): Html {
  const rows = clients.flatMap((client) => client.definitions.map((one) => ({ client, ...one })));
  if (rows.length === 0) return html``;
  return html`<h3>How the clients measure</h3>
<div class="scroll" tabindex="0" role="region" aria-labelledby="definitions-caption"><table class="results">
<caption id="definitions-caption">Facts that differ. Definitions are taken into account before a delay is called the client’s own; the total bias moves with them.</caption>
<thead><tr><th scope="col">client</th><th scope="col">what</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
<tbody>
${rows.map(
  ({
    client,
    what,
    a,
    b,
  }) => html`<tr><th scope="row">${pairName(client)}</th><td>${what}</td><td class="long">${oneLine(a)}</td><td class="long">${oneLine(b)}</td></tr>
`,
)}</tbody></table></div>`;
}

function conditionSection(document: CompareDocument): Html {
  const rows = [...versions(document), ...document.conditions];
  const order = { differs: 0, unknown: 1, measured: 2, same: 3 } as const;
  const sorted = [...rows].sort((p, q) => order[p.state] - order[q.state]);
  return html`<section aria-labelledby="conditions">
<h2 id="conditions">What was the same, and what was not</h2>
<form class="filters" data-filters="conditions-table">${select('state', 'Show', [
    ['differs', 'what differs'],
    ['unknown', 'what is not recorded'],
    ['same', 'what is the same'],
  ])}<output role="status"></output></form>
<div class="scroll tall" tabindex="0" role="region" aria-labelledby="conditions-caption"><table id="conditions-table" class="results" data-sortable>
<caption id="conditions-caption">What both audits recorded of their conditions; what differs comes first.</caption>
<thead><tr>${['condition', 'bears on', 'A', 'B', ''].map((head) => html`<th scope="col">${head === '' ? html`<button type="button">state</button>` : html`<button type="button">${head}</button>`}</th>`)}</tr></thead>
<tbody>
${sorted.map(conditionRow)}</tbody></table></div>
${definitionRows(document)}
</section>`;
}

function chartFigure({ chart, inline, svg, png }: RenderedChart): Html {
  const file = (extension: string, type: string, content: string | Uint8Array) =>
    html`<a download="${chart.name}.${extension}" href="${dataUri(type, content)}">${extension.toUpperCase()}</a>`;
  return html`<figure id="${chart.name}" aria-labelledby="${chart.name}-title">
<h3 id="${chart.name}-title">${chart.title}</h3>
<p class="quiet">${chart.explanation}</p>
<div class="chart wide" tabindex="0" role="img" aria-label="${chart.alternative}">${trusted(inline)}</div>
<figcaption>
<p class="downloads"><span>Save as</span> ${file('svg', 'image/svg+xml', svg)} ${file('png', 'image/png', png)}</p>
<details><summary>Provenance of both sides</summary><dl>${provenanceLines(chart.provenance).map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl></details>
<details><summary>The figures as text</summary><p>${chart.alternative}</p></details>
</figcaption>
</figure>
`;
}

const chartSection = (charts: readonly RenderedChart[]): Html => html`<section aria-labelledby="charts">
<h2 id="charts">Charts</h2>
${charts.length === 0 ? html`<p>No figure is there on both sides.</p>` : charts.map(chartFigure)}</section>`;

function figureRow({ client, rate: cell, figure }: FigureRow): Html {
  const number = (value: number | null, text: string) =>
    html`<td class="number" data-value="${value ?? ''}">${text}</td>`;
  return html`<tr data-client="${pairName(client)}" data-state="${figure.state}" data-figure="${figure.figure}"><th scope="row">${pairName(client)}</th>${number(cell.rate_rps, rate(cell.rate_rps))}<td>${labelWithUnit(figure)}</td>${number(figure.a.mean, valueText(figure.unit, figure.a.mean))}${number(figure.b.mean, valueText(figure.unit, figure.b.mean))}${number(figure.difference, differenceText(figure.unit, figure.difference))}<td class="number">${intervalText(figure)}</td>${number(figure.floor, floorText(figure))}<td>${figure.a.trials}, ${figure.b.trials}</td><td>${figure.family === 'primary' ? 'yes' : 'no'}</td><td class="s-${figure.state}">${STATE_WORDS[figure.state]}</td>${number(figure.smallest_change, smallestText(figure))}<td class="long">${oneLine(figure.reason || figure.caveat)}</td></tr>
`;
}

function figureSection(document: CompareDocument): Html {
  const rows = byState(figureRows(document));
  const distinct = (values: readonly string[]) => [...new Set(values)];
  const csv = dataUri('text/csv', compareCsv(document));
  const markdown = dataUri('text/markdown', compareMarkdown(document));
  return html`<section aria-labelledby="figures">
<h2 id="figures">Figures</h2>
<p class="downloads"><span>Save as</span> <a download="compare.csv" href="${csv}">compare.csv</a> <a download="compare.md" href="${markdown}">compare.md</a></p>
<form class="filters" data-filters="figures-table">${select(
    'client',
    'Client',
    distinct(rows.map(({ client }) => pairName(client))).map((name) => [name, name]),
  )}${select(
    'figure',
    'Figure',
    distinct(rows.map(({ figure }) => figure.figure)).map((name) => [name, figureLabel(name)]),
  )}${select(
    'state',
    'Change',
    distinct(rows.map(({ figure }) => figure.state)).map((state) => [
      state,
      STATE_WORDS[state as keyof typeof STATE_WORDS],
    ]),
  )}<output role="status"></output></form>
<div class="scroll tall" tabindex="0" role="region" aria-labelledby="figures-caption"><table id="figures-table" data-sortable>
<caption id="figures-caption">Mean over repetitions in A and in B; latencies are what the client adds beyond its own definitions. Differences of shares are in points of 100.</caption>
<thead><tr>${['client', 'asked /s', 'figure', 'A', 'B', 'B − A', 'interval', 'floor', 'trials', 'decides', 'change', 'shows from', 'why not, or what to know'].map((head, i) => html`<th scope="col"${[1, 3, 4, 5, 6, 7, 11].includes(i) && html` class="number"`}><button type="button">${head}</button></th>`)}</tr></thead>
<tbody>
${rows.map(figureRow)}</tbody></table></div>
</section>`;
}

function outcomeSection({ clients }: CompareDocument): Html {
  const rows = clients.flatMap((client) =>
    client.rates.map((one) => ({ client, ...one, state: outcomeState(one) })),
  );
  return html`<section aria-labelledby="outcomes">
<h2 id="outcomes">How the trials ended</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="outcomes-caption"><table class="results">
<caption id="outcomes-caption">Failed trials have no figures: they are here, and nowhere else. A change is what Fisher’s exact test finds at 5 % of all cells together, or all trials of one side and none of the other, three or more a side.</caption>
<thead><tr><th scope="col">client</th><th scope="col" class="number">asked /s</th><th scope="col">A</th><th scope="col">B</th><th scope="col">change</th><th scope="col">notes</th></tr></thead>
<tbody>
${rows.map(
  ({
    client,
    rate_rps,
    outcomes,
    notes,
    state,
  }) => html`<tr><th scope="row">${pairName(client)}</th><td class="number">${rate(rate_rps)}</td><td>${outcomes === null ? 'not run on both sides' : outcomeText(outcomes.a)}</td><td>${outcomes === null ? '' : outcomeText(outcomes.b)}</td><td class="s-${state ?? 'refused'}">${state ?? '–'}</td><td class="long">${notes.map(oneLine).join('; ')}</td></tr>
`,
)}</tbody></table></div>
</section>`;
}

const readingSection = ({ sentences }: CompareDocument): Html => html`<section aria-labelledby="reading">
<h2 id="reading">How to read it</h2>
<p>${sentences.family}</p>
<p>Worse is farther from what a faultless client has: all of the rate and no more, every request answered, no bias, the gaps that were asked for, and of CPU less. A figure changed where the whole interval of its difference lies beyond its floor; it is unchanged where all of it lies within; otherwise it is undetermined. The floor of a latency is the larger of both audits’ (of gaps between tokens, which a machine can make shorter as well as longer, their sum); those of shares and gaps are chosen, not measured: half a point of the rate and of the requests answered, two points of a core, 0.1.</p>
${sentences.caveats.length > 0 && html`<ul>${sentences.caveats.map((text) => html`<li>${text}</li>`)}</ul>`}
</section>`;

/** The page. Same document and charts, same text. */
export const comparePage = (document: CompareDocument, charts: readonly RenderedChart[]): string =>
  pageText(
    SHELL,
    html`${header(document)}
<main>
${changedSection(document)}
${conditionSection(document)}
${chartSection(charts)}
${figureSection(document)}
${outcomeSection(document)}
${readingSection(document)}
</main>
<footer><p>Made by Tare from the audit.json of A and of B alone: same documents, same page.</p></footer>`,
  );
