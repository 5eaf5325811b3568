/** report.html: one file that needs nothing else, neither a network nor a server. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { CHART_SCRIPT } from '../charts/downloads.ts';
import type { RenderedAuditChart } from '../charts/rendered.ts';
import { biasCsv, trialsCsv } from '../csv.ts';
import { type Html, html } from '../html.ts';
import { modelPart } from '../model/section.ts';
import { packedLink } from '../packed.ts';
import { arrivalPart } from './arrivals.ts';
import { chartsAt, type Place } from './chart-places.ts';
import { decompositionPart } from './decomposition.ts';
import { figure } from './figure.ts';
import { findingsTable } from './findings-table.ts';
import { head } from './first-screen.ts';
import { reproduceSection } from './reproduce.ts';
import {
  clientSection,
  compareSection,
  conditionSection,
  faultSection,
  lostRatePart,
  warningSection,
} from './sections.ts';
import { pageText } from './shell.ts';
import { trialsTable } from './trials-table.ts';
import { verdictSection } from './verdicts.ts';
import { wireSection } from './wire.ts';

/** A part of the page with its place in the navigation. */
interface Part {
  readonly id: string;
  /** One short word. */
  readonly label: string;
  /** The whole section; empty: it is left out of page and navigation. */
  readonly content: Html;
}

const section = (id: string, heading: string, content: Html): Html =>
  content.text === ''
    ? content
    : html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${content}</section>`;

const csv = (name: string, content: string): Html =>
  html`<p class="downloads"><span>Save as</span> ${packedLink(name, content)}</p>
`;

/** In order: the verdict, what each client adds by rate, what explains it, every figure, and under what conditions it can be had again. */
function partsOf(document: AuditDocument, charts: readonly RenderedAuditChart[]): readonly Part[] {
  const drawn = (place: Place): Html => html`${chartsAt(charts, place).map(figure)}`;
  const parts: Part[] = [
    { id: 'verdict', label: 'Verdict', content: verdictSection(document) },
    { id: 'compared', label: 'Compared', content: compareSection(document) },
    {
      id: 'bias',
      label: 'Bias',
      content: section(
        'bias',
        'What each client adds, by rate',
        charts.length === 0 ? html`<p>No client left a figure to draw.</p>` : drawn('bias'),
      ),
    },
    {
      id: 'rates',
      label: 'Rates',
      content: section(
        'rates',
        'Which rate each client achieved',
        html`${drawn('rates')}${lostRatePart(document)}`,
      ),
    },
    {
      id: 'envelope',
      label: 'Envelope',
      content: section('envelope', 'Up to which rate it holds', drawn('envelope')),
    },
    {
      id: 'stages',
      label: 'Stages',
      content: section(
        'stages',
        'Where the bias arises',
        html`${drawn('stages')}${decompositionPart(document)}`,
      ),
    },
    {
      id: 'latency',
      label: 'TTFT',
      content: section('latency', 'TTFT as printed and as it was', drawn('latency')),
    },
    {
      id: 'arrivals',
      label: 'Arrivals',
      content: section(
        'arrivals',
        'How requests arrived',
        html`${drawn('arrivals')}${arrivalPart(document)}`,
      ),
    },
    {
      id: 'threads',
      label: 'CPU',
      content: section('threads', 'What CPU the clients’ threads took', drawn('threads')),
    },
    {
      id: 'models',
      label: 'Queues',
      content: section(
        'models',
        'Which queue each client is',
        html`${drawn('models')}${modelPart(document)}`,
      ),
    },
    { id: 'faults', label: 'Faults', content: faultSection(document) },
    {
      id: 'findings',
      label: 'Findings',
      content: section(
        'findings',
        'Every finding',
        html`${csv('bias.csv', biasCsv(document))}${findingsTable(document)}
`,
      ),
    },
    {
      id: 'trials',
      label: 'Trials',
      content: section(
        'trials',
        'Every trial',
        html`${csv('trials.csv', trialsCsv(document))}${trialsTable(document)}
`,
      ),
    },
    { id: 'wire', label: 'Wire', content: wireSection(document) },
    { id: 'clients', label: 'Definitions', content: clientSection(document) },
    { id: 'conditions', label: 'Conditions', content: conditionSection(document) },
    { id: 'warnings', label: 'Warnings', content: warningSection(document) },
    { id: 'repeat', label: 'Reproduce', content: reproduceSection(document) },
  ];
  return parts.filter(({ content }) => content.text !== '');
}

/** The page of an audit. Same document and charts, same text. */
export function reportPage(document: AuditDocument, charts: readonly RenderedAuditChart[]): string {
  const parts = partsOf(document, charts);
  const shell = {
    title: 'Tare: what the benchmark clients add',
    skip: ['verdict', 'Skip to the verdict'],
    styles: [],
    scripts: [CHART_SCRIPT],
  } as const;
  return pageText(
    shell,
    html`${head(document)}
<nav class="contents" aria-label="Sections"><ul>${parts.map(({ id, label }) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>
<main>
${parts.map(
  ({ content }) => html`${content}
`,
)}</main>
<footer><p>Made by Tare from audit.json alone; “tare report” makes it again, byte for byte.</p></footer>
<p class="unseen" role="status" id="copied"></p>`,
  );
}
