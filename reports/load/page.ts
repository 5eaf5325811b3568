/** load.html: one file that needs nothing else, neither a network nor a server. */
import type { RenderedChart } from '../charts/rendered.ts';
import { dataUri, type Html, html, trusted } from '../html.ts';
import { instant, pageText } from '../page/shell.ts';
import { provenanceLines } from '../provenance.ts';
import { oneLine } from '../text.ts';
import { stageSection } from './arrival-sections.ts';
import type { LoadDocument } from './document.ts';
import { goodputSection, ntpotLine, taskSection } from './request-sections.ts';
import {
  conditionSection,
  failureSection,
  figureSection,
  reasons,
  repeatSection,
  verdictSection,
  warningSection,
} from './sections.ts';
import { secondsCsv, summaryCsv } from './summary-csv.ts';

const SHELL = {
  title: 'Tare: a load run',
  skip: ['verdict', 'Skip to the verdict'],
  styles: [],
  scripts: [],
} as const;

function header({ report: r }: LoadDocument): Html {
  const sections = [
    ['verdict', 'Verdict'],
    ['figures', 'Latencies'],
    ...(r.goodput === null ? [] : [['goodput', 'Goodput']]),
    ...(r.tasks === null ? [] : [['tasks', 'Tasks']]),
    ...(r.stages === null ? [] : [['stages', 'Stages']]),
    ...(reasons(r).length > 0 ? [['warnings', 'Warnings']] : []),
    ['charts', 'Charts'],
    ...(r.failures.length > 0 ? [['failures', 'Failures']] : []),
    ['conditions', 'Conditions'],
    ['repeat', 'Repeat'],
  ];
  return html`<header>
<h1>A load run against ${oneLine(r.options.url)}</h1>
<p class="quiet">Tare ${oneLine(r.tare_version)}, ${instant(r.started_at)}, model ${oneLine(r.options.model)}.</p>
<nav aria-label="Sections"><ul>${sections.map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>
</header>`;
}

function figure({ chart, inline, svg, png }: RenderedChart): Html {
  const file = (extension: string, type: string, content: string | Uint8Array) =>
    html`<a download="${chart.name}.${extension}" href="${dataUri(type, content)}">${extension.toUpperCase()}</a>`;
  return html`<figure id="${chart.name}" aria-labelledby="${chart.name}-title">
<h3 id="${chart.name}-title">${chart.title}</h3>
<p class="quiet">${chart.explanation}</p>
<div class="chart wide" tabindex="0" role="img" aria-label="${chart.alternative}"><div aria-hidden="true">${trusted(inline)}</div></div>
<figcaption>
<p class="downloads"><span>Save as</span> ${file('svg', 'image/svg+xml', svg)} ${file('png', 'image/png', png)}</p>
<details><summary>Provenance: ${chart.provenance.target}; ${chart.provenance.repetitions}; seed ${chart.provenance.seed}</summary><dl>${provenanceLines(chart.provenance).map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl></details>
<details><summary>The figures as text</summary><p>${chart.alternative}</p></details>
</figcaption>
</figure>
`;
}

/** The page of a load. Same document and charts, same text. */
export function loadPage(document: LoadDocument, charts: readonly RenderedChart[]): string {
  const csv = (name: string, content: string) =>
    html`<a download="${name}" href="${dataUri('text/csv', content)}">${name}</a>`;
  return pageText(
    SHELL,
    html`${header(document)}
<main>
${verdictSection(document)}
${figureSection(document)}
<p class="downloads"><span>Save as</span> ${csv('summary.csv', summaryCsv(document.report))} ${csv('seconds.csv', secondsCsv(document.series))}</p>
${ntpotLine(document)}${goodputSection(document)}${taskSection(document)}${stageSection(document)}
${warningSection(document)}
<section aria-labelledby="charts">
<h2 id="charts">Charts</h2>
${charts.length === 0 ? html`<p>No request left a figure to draw.</p>` : charts.map(figure)}</section>
${failureSection(document)}
${conditionSection(document)}
${repeatSection(document)}
</main>
<footer><p>Made by tare load from its report and the records of its requests.</p></footer>`,
  );
}
