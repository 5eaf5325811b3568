/** probe.html: one file that needs nothing else. The matrix first, and behind each cell what was sent and what came of it. */
import type { ProbeDocument } from '../../src/audit/probe/document.ts';
import { dataUri, type Html, html } from '../html.ts';
import { instant, pageText } from '../page/shell.ts';
import { oneLine } from '../text.ts';
import { anchorsOf } from './anchors.ts';
import { probesCsv } from './csv.ts';
import { detailSections } from './detail.ts';
import { foundSentences } from './findings.ts';
import { legend, matrix } from './matrix.ts';
import { clientTable, conditionSection, kindSection, runSection } from './sections.ts';

const SHELL = {
  title: 'Tare: what benchmark clients make of odd servers',
  skip: ['matrix', 'Skip to the matrix'],
  styles: ['reports/probe/browser.css'],
  scripts: ['reports/probe/browser.js'],
} as const;

function header(document: ProbeDocument): Html {
  const sections = [
    ['matrix', 'Matrix'],
    ['kinds', 'By kind'],
    ['clients', 'Clients'],
    ['details', 'Details'],
    ['runs', 'Runs'],
    ['conditions', 'Conditions'],
  ];
  return html`<header>
<h1>What benchmark clients make of odd servers</h1>
<p class="quiet">Tare ${oneLine(document.tare_version)}, ${instant(document.started_at)}. Each probe is a server with one peculiarity, played byte for byte; what is right is arithmetic.</p>
<p class="found">${foundSentences(document).map((sentence, i) => html`${i > 0 && ' '}${i === 1 ? strongStart(sentence) : sentence}`)}</p>
<nav aria-label="Sections"><ul>${sections.map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>
</header>`;
}

/** The sentence’s claim up to its names stands out. */
function strongStart(sentence: string): Html {
  const at = sentence.indexOf(':');
  return at < 0
    ? html`<strong>${sentence}</strong>`
    : html`<strong>${sentence.slice(0, at)}</strong>${sentence.slice(at)}`;
}

/** The page. Same document, same text. */
export function probePage(document: ProbeDocument): string {
  const anchors = anchorsOf(document);
  return pageText(
    SHELL,
    html`${header(document)}
<main>
<section aria-labelledby="matrix">
<h2 id="matrix">Probes by clients</h2>
${legend(document)}
${matrix(document, anchors)}
<p class="downloads"><span>Save as</span> <a download="probes.csv" href="${dataUri('text/csv', probesCsv(document))}">probes.csv</a></p>
</section>
${kindSection(document, anchors)}
${clientTable(document, anchors)}
<div id="details">
${detailSections(document, anchors)}</div>
${runSection(document, anchors)}
${conditionSection(document)}
</main>
<footer><p>Made by Tare from probe.json alone: same document, same page.</p></footer>`,
  );
}
