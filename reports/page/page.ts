/** report.html: one file that needs nothing else, neither a network nor a server. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { arrivalRows } from '../arrivals-table.ts';
import { CHART_SCRIPT } from '../charts/downloads.ts';
import type { RenderedAuditChart } from '../charts/rendered.ts';
import { biasCsv, trialsCsv } from '../csv.ts';
import { clientFaults } from '../faults.ts';
import { type Html, html } from '../html.ts';
import { lostRates } from '../lost-rate.ts';
import { modelledClients, modelSection } from '../model/section.ts';
import { packedLink } from '../packed.ts';
import { stageCells } from '../stages.ts';
import { hasTruth, targetName } from '../target-words.ts';
import { grouped, listed, oneLine } from '../text.ts';
import { arrivalSection } from './arrivals.ts';
import { decompositionSection } from './decomposition.ts';
import {
  chartSection,
  clientSection,
  compareSection,
  conditionSection,
  faultSection,
  lostRateSection,
  reproduceSection,
  verdictSection,
  warningSection,
} from './sections.ts';
import { instant, pageText } from './shell.ts';
import { findingsTable, trialsTable } from './tables.ts';
import { wireSection, witnessed } from './wire.ts';

function header(document: AuditDocument): Html {
  const { plan } = document;
  const state =
    document.state === 'interrupted'
      ? html` <strong class="unsure">Interrupted: only what was finished is shown.</strong>`
      : '';
  const clients = document.clients
    .filter((entry) => entry.found.state === 'found')
    .map((entry) => oneLine(entry.name));
  return html`<header>
<h1>${hasTruth(document) ? 'What the benchmark clients add' : 'What the benchmark clients report'}</h1>
<p class="quiet">Tare ${oneLine(document.tare_version)}, ${instant(document.started_at)}. ${listed(clients)} against ${hasTruth(document) ? 'a reference target whose every delay is known' : `${targetName(document)}, which keeps no ledger`}, at ${listed(plan.rates_rps.map(grouped))} requests/s.${state}</p>
<nav aria-label="Sections"><ul>${[
    ['verdict', 'Verdict'],
    ...(lostRates(document).length > 0 ? [['lost', 'Lost rates']] : []),
    ...(clientFaults(document).length > 0 ? [['faults', 'Otherwise than stated']] : []),
    ['charts', 'Charts'],
    ...(stageCells(document, 'ttft').length + stageCells(document, 'e2e').length > 0
      ? [['stages', 'Stages']]
      : []),
    ...(modelledClients(document).length > 0 ? [['models', 'Queue models']] : []),
    ...(document.warnings.length > 0 ? [['warnings', 'Warnings']] : []),
    ...(arrivalRows(document).length > 0 ? [['arrivals', 'Arrivals']] : []),
    ['findings', 'Findings'],
    ['trials', 'Trials'],
    ...(witnessed(document).length > 0 ? [['wire', 'Wire']] : []),
    ['clients', 'Definitions'],
    ['conditions', 'Conditions'],
    ['repeat', 'Repeat'],
  ].map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>
</header>`;
}

/** The page of an audit. Same document and charts, same text. */
export function reportPage(document: AuditDocument, charts: readonly RenderedAuditChart[]): string {
  const shell = {
    title: 'Tare: what the benchmark clients add',
    skip: ['verdict', 'Skip to the verdict'],
    styles: [],
    scripts: [CHART_SCRIPT],
  } as const;
  return pageText(
    shell,
    html`${header(document)}
<main>
${verdictSection(document)}
${lostRateSection(document)}
${faultSection(document)}
${compareSection(document)}
${warningSection(document)}
${chartSection(document, charts)}
${decompositionSection(document)}
${modelSection(document)}
${arrivalSection(document)}
<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
<p class="downloads"><span>Save as</span> ${packedLink('bias.csv', biasCsv(document))}</p>
${findingsTable(document)}
</section>
<section aria-labelledby="trials">
<h2 id="trials">Trials</h2>
<p class="downloads"><span>Save as</span> ${packedLink('trials.csv', trialsCsv(document))}</p>
${trialsTable(document)}
</section>
${wireSection(document)}
${clientSection(document)}
${conditionSection(document)}
${reproduceSection(document)}
</main>
<footer><p>Made by Tare from audit.json alone; “tare report” makes it again, byte for byte.</p></footer>`,
  );
}
