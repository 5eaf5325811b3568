/** claim.html: one file that needs nothing else. The verdict first, and behind it figures, arithmetic, checklist and questions. */
import type { ClaimDocument } from '../../src/claims/document-schema.ts';
import { toSvg } from '../charts/render.ts';
import { themed } from '../charts/rendered.ts';
import { dataUri, type Html, html, trusted } from '../html.ts';
import { pageText } from '../page/shell.ts';
import { oneLine, shorten } from '../text.ts';
import { type SweepChart, sweepCharts } from './chart.ts';
import { entryWords, figureCounts, scriptWords } from './digest-words.ts';
import { claimMarkdown } from './markdown.ts';
import {
  type BiasLine,
  biasLines,
  capital,
  ended,
  type FigureJson,
  orderedChecks,
  verdictGroups,
  WHAT_SUPPORTED_IS_NOT,
  webAddress,
} from './words.ts';

const SHELL = {
  skip: ['verdict', 'Skip to the verdict'],
  styles: ['reports/claim/browser.css'],
  scripts: [],
} as const;

const KIND: Readonly<Record<string, string>> = {
  supported: 'good',
  stated: 'good',
  agrees: 'good',
  contradicted: 'bad',
  contradicts: 'bad',
};
const badge = (word: string): Html => html`<span class="badge ${KIND[word] ?? 'unsure'}">${word}</span>`;

/** An address of the web as a link; anything else stays text. */
function link(url: string, words: string): Html {
  const web = webAddress(url);
  return web === null ? html`${words}` : html`<a href="${web}" rel="noopener noreferrer">${words}</a>`;
}

function header(document: ClaimDocument, charts: boolean): Html {
  const { claim } = document;
  const sections = [
    ...(document.headlines.length === 0 ? [] : [['headlines', 'Headlines']]),
    ...(document.questions.length === 0 ? [] : [['questions', 'Questions']]),
    ...(charts ? [['sweep', 'Sweep']] : []),
    ['figures', 'Figures'],
    ['checklist', 'Checklist'],
    ['arithmetic', 'Arithmetic'],
    ...(document.known_client === null ? [] : [['client', 'Client']]),
    ...(document.expected_bias.length === 0 ? [] : [['bias', 'Bias to expect']]),
    ['claim', 'The claim'],
  ];
  return html`<header>
<h1>${oneLine(claim.title)}</h1>
<p class="quiet">Claimed by ${oneLine(claim.claimant)}${claim.sources.map(({ url, title, read }) => html`; ${link(url, oneLine(title ?? url))}${read !== null && html`, read ${oneLine(read)}`}`)}. Audited by Tare ${oneLine(document.tare_version)}.</p>
<p class="verdict" id="verdict">${badge(document.verdict)} ${capital(oneLine(document.summary))}.</p>
${digestList(document)}
<p class="quiet">${WHAT_SUPPORTED_IS_NOT}</p>
<nav aria-label="Sections"><ul>${sections.map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>
</header>`;
}

/** What stands out, with the working that shows it. */
const digestList = ({ digest }: ClaimDocument): Html =>
  digest.length === 0
    ? html``
    : html`<ul class="verdicts digest">
${digest.map(
  (entry) =>
    html`<li>${badge(entry.state)}<div><p>${entryWords(entry)}</p>${entry.working.length > 0 && html`<details><summary>Working</summary>${steps(entry.working)}</details>`}</div></li>
`,
)}</ul>`;

const steps = (working: readonly string[]): Html =>
  html`<pre tabindex="0">${working.map((step, i) => `${i > 0 ? '\n' : ''}${oneLine(step)}`)}</pre>`;

const reasonList = (reasons: readonly string[]): Html =>
  html`<ul class="reasons">${reasons.map((reason) => html`<li>${ended(capital(oneLine(reason)))}</li>`)}</ul>`;

function headlineSection({ claim, headlines }: ClaimDocument): Html {
  if (headlines.length === 0) return html``;
  const texts = new Map(claim.headlines.map(({ id, text }) => [id, text]));
  return html`<section aria-labelledby="headlines">
<h2 id="headlines">Headlines</h2>
<ul class="verdicts">
${headlines.map(({ headline, verdict, reasons }) => html`<li>${badge(verdict)}<div><p>“${oneLine(texts.get(headline) ?? headline)}”</p>${reasonList(reasons)}</div></li>`)}
</ul>
</section>`;
}

/** Figures that share verdict and reasons, behind a line that says how many they are: a sweep has hundreds. */
function figureSection(document: ClaimDocument): Html {
  return html`<section aria-labelledby="figures">
<h2 id="figures">Figures</h2>
${figureCounts(document, 0).map(({ verdict, words }) => html`<p>${badge(verdict)} ${words}.</p>`)}
${verdictGroups(document).map(
  ({ verdict, reasons, figures }) =>
    html`<details class="group"${verdict === 'contradicted' && trusted(' open')}><summary>${badge(verdict)} ${figures.length > FEW ? summaryOf(figures) : figures.map(figureSpan)}</summary>
${figures.length > FEW && html`<p>${figures.map(figureSpan)}</p>`}
${reasonList(reasons)}</details>
`,
)}
</section>`;
}

/** So many figures stand in the line of their group; more are behind it. */
const FEW = 3;
const summaryOf = (figures: readonly FigureJson[]): string =>
  `${figures.length} figures: ${oneLine(figures[0]!.id)} … ${oneLine(figures.at(-1)!.id)}`;
const figureSpan = ({ id, quantity }: FigureJson, i: number): Html =>
  html`${i > 0 && ' · '}<span class="figure">${oneLine(id)} <strong>${oneLine(quantity.text)}</strong></span>`;

/** Names with the stroke of their line, in the page’s own text: there it wraps. */
const legend = (lines: SweepChart['lines']): Html =>
  html`<ul class="legend">${lines.map(({ label, color, dashes }) => trusted(themed(html`<li><svg width="28" height="8" aria-hidden="true"><line x1="0" y1="4" x2="28" y2="4" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/></svg> ${label}</li>`.text)))}</ul>`;

async function chartSection(charts: readonly SweepChart[]): Promise<Html> {
  if (charts.length === 0) return html``;
  const figures: Html[] = [];
  // One after the other: Vega's measure of text is a global.
  for (const { name, title, alternative, view, narrow, lines } of charts)
    figures.push(html`<figure aria-labelledby="${name}-title">
<h3 id="${name}-title">${title}</h3>
${legend(lines)}
<div class="chart large" role="img" aria-label="${alternative}">${trusted(themed(await toSvg(view)))}</div>
<div class="chart small" role="img" aria-label="${alternative}">${trusted(themed(await toSvg(narrow)))}</div>
<figcaption>As claimed; nothing here was measured by Tare.<details><summary>The figures as text</summary><p>${alternative}</p></details></figcaption>
</figure>`);
  return html`<section aria-labelledby="sweep">
<h2 id="sweep">Sweep</h2>
${figures}
</section>`;
}

function checkSection(document: ClaimDocument): Html {
  const applied = orderedChecks(document).filter(({ state }) => state !== 'not applicable');
  const absent = document.checks.filter(({ state }) => state === 'not applicable');
  return html`<section aria-labelledby="arithmetic">
<h2 id="arithmetic">Arithmetic</h2>
${applied.length === 0 && html`<p>No check applies to what is stated.</p>`}
${applied.map(
  (
    check,
  ) => html`<details class="group"${check.state === 'contradicts' && trusted(' open')}><summary>${badge(check.state)} <strong>${oneLine(check.title)}</strong>: ${ended(oneLine(check.finding))}</summary>
${check.inputs.length > 0 && html`<p class="quiet">From ${check.inputs.map(({ name, text }, i) => `${i > 0 ? ', ' : ''}${oneLine(name)} ${oneLine(text)}`)}.</p>`}
${check.working.length > 0 && steps(check.working)}
${check.explanations.length > 0 && html`<p>What would explain it, most likely first:</p>${reasonList(check.explanations)}`}
</details>
`,
)}
${absent.length > 0 && html`<details><summary>Not applicable: ${absent.length}</summary><ul class="reasons">${absent.map(({ title, finding }) => html`<li>${oneLine(title)}: ${ended(oneLine(finding))}</li>`)}</ul></details>`}
</section>`;
}

const checklistSection = ({ checklist }: ClaimDocument): Html => html`<section aria-labelledby="checklist">
<h2 id="checklist">Checklist</h2>
<ul class="verdicts">
${checklist.map(
  ({ title, state, answer, why }) =>
    html`<li>${badge(state)}<div><p><strong>${title}</strong>${answer !== state && html`: ${oneLine(answer)}`}</p><p class="quiet">${why}</p></div></li>`,
)}
</ul>
</section>`;

function clientSection(document: ClaimDocument): Html {
  const { known_client: known } = document;
  const script = scriptWords(document);
  if (known === null) return html``;
  return html`<section aria-labelledby="client">
<h2 id="client">The client: ${oneLine(known.title)}</h2>
<p>${ended(capital(oneLine(known.architecture)))} As read in version ${oneLine(known.version)}.</p>
${script !== null && html`<p>${script}</p>`}
${known.findings.length > 0 && html`<h3>Found by running ${script === null ? 'it' : 'it with the script that Tare ships'}</h3><ul class="reasons">${known.findings.map((one) => html`<li>${ended(oneLine(one.what))} ${ended(oneLine(one.consequence))} <span class="quiet">${oneLine(one.versions)}; <code>${oneLine(one.source)}</code></span></li>`)}</ul>`}
${known.definitions.length > 0 && html`<details><summary>What it measures: ${known.definitions.length} definitions</summary><dl class="facts">${known.definitions.map((one) => html`<dt>${oneLine(one.about)}</dt><dd>${ended(oneLine(one.what))} <span class="quiet">${oneLine(one.where)}</span></dd>`)}</dl></details>`}
</section>`;
}

/** More than so many are behind a line. */
const MANY = 6;
const biasList = (lines: readonly BiasLine[]): Html =>
  html`<ul class="reasons">${lines.map(({ of, text }) => html`<li><span class="figure">${of}</span>: ${text}</li>`)}</ul>`;

function biasSection(document: ClaimDocument): Html {
  const lines = biasLines(document);
  if (lines.length === 0) return html``;
  return html`<section aria-labelledby="bias">
<h2 id="bias">Bias to expect, by audits of its client</h2>
${lines.length > MANY ? html`<details><summary>${lines.length} rows or figures</summary>${biasList(lines)}</details>` : biasList(lines)}
</section>`;
}

const questionSection = (document: ClaimDocument): Html =>
  document.questions.length === 0
    ? html``
    : html`<section aria-labelledby="questions">
<h2 id="questions">Questions to send</h2>
<ol class="questions">${document.questions.map(({ text, because }) => html`<li>${oneLine(text)} <span class="quiet">${oneLine(because)}</span></li>`)}</ol>
<p class="downloads"><span>Save as</span> <a download="claim.md" href="${dataUri('text/markdown', claimMarkdown(document))}">claim.md</a></p>
</section>`;

function claimSection({ claim, file }: ClaimDocument): Html {
  const said = claim.sources.filter(({ says }) => says !== null);
  return html`<section aria-labelledby="claim">
<h2 id="claim">The claim</h2>
<div class="scroll"><table data-sortable>
<caption>As in ${oneLine(file)}; an empty cell is not stated.</caption>
<thead><tr>${['Row', 'System', 'Rate', 'Concurrency', 'Requests', 'In', 'Out', 'Figures'].map((head) => html`<th scope="col"><button type="button">${head}</button></th>`)}</tr></thead>
<tbody>${claim.rows.map(
    (row) => html`<tr><th scope="row">${oneLine(row.id)}</th><td>${oneLine(row.system)}</td>
${[row.rate, row.concurrency, row.requests, row.input_tokens, row.output_tokens].map((one) => html`<td class="number" data-value="${one?.value ?? ''}">${one !== null && oneLine(one.text)}</td>`)}
<td class="long">${row.figures.map(({ id, quantity }, i) => `${i > 0 ? ', ' : ''}${oneLine(id.slice(id.lastIndexOf('.') + 1))} ${oneLine(quantity.text)}`)}</td></tr>`,
  )}</tbody></table></div>
${said.length > 0 && html`<h3>What the pages say besides</h3><ul class="reasons">${said.map(({ url, title, says }) => html`<li>${link(url, oneLine(title ?? url))}: ${oneLine(says!)}</li>`)}</ul>`}
${claim.notes.length > 0 && html`<h3>Notes</h3><ul class="reasons">${claim.notes.map((note) => html`<li>${oneLine(note)}</li>`)}</ul>`}
</section>`;
}

/** The page. Same document, same text. */
export async function claimPage(document: ClaimDocument): Promise<string> {
  const charts = sweepCharts(document);
  return pageText(
    { ...SHELL, title: `${shorten(oneLine(document.claim.title), 80)}: a claim, audited by Tare` },
    html`${header(document, charts.length > 0)}
<main>
${headlineSection(document)}
${questionSection(document)}
${await chartSection(charts)}
${figureSection(document)}
${checklistSection(document)}
${checkSection(document)}
${clientSection(document)}
${biasSection(document)}
${claimSection(document)}
</main>
<footer><p>Made by Tare from claim.json alone: same document, same page.</p></footer>`,
  );
}
