/** envelope.html: one file that needs nothing else. The brackets first, and behind each the trials that it rests on. */
import type {
  EnvelopeClient,
  EnvelopeDocument,
  EnvelopeTrial,
  SideFigures,
} from '../../src/audit/envelope/document.ts';
import { termName, termWords } from '../../src/audit/envelope/term-words.ts';
import { ABSENT, intervalMs, limitMs, percent, rate, signedMs } from '../format.ts';
import { dataUri, type Html, html } from '../html.ts';
import { instant, pageText } from '../page/shell.ts';
import { count, oneLine } from '../text.ts';
import { chartLegend, envelopeChart, VERDICT_WORDS } from './chart.ts';
import { envelopeCsv, envelopeTrialsCsv } from './csv.ts';
import {
  bracketShort,
  clientSentence,
  confidenceWords,
  likelyWords,
  noiseSentence,
  notesOf,
  ranked,
} from './words.ts';

const SHELL = {
  title: 'Tare: up to which rate each client tells the truth',
  skip: ['envelopes', 'Skip to the chart'],
  styles: ['reports/envelope/browser.css'],
  scripts: [],
} as const;

function header(document: EnvelopeDocument): Html {
  const { search, plan } = document;
  const sections = [
    ['envelopes', 'Envelopes'],
    ['clients', 'Clients'],
    ['trials', 'Trials'],
    ['conditions', 'Conditions'],
  ];
  return html`<header>
<h1>Up to which rate each client tells the truth</h1>
<p class="quiet">Tare ${oneLine(document.tare_version)}, ${instant(document.started_at)}${document.state === 'interrupted' && '; it was interrupted'}. Searched from ${rate(search.from_rps)} to ${rate(search.to_rps)} requests/s of ${count(plan.output_tokens, 'token')}; within tolerance: ${search.tolerance}.</p>
<nav aria-label="Sections"><ul>${sections.map(([id, label]) => html`<li><a href="#${id}">${label}</a></li>`)}</ul></nav>
</header>`;
}

const badge = (client: EnvelopeClient): Html => {
  const known = client.bracket?.holds != null;
  const kind = known
    ? 'good'
    : client.bracket?.state === 'none' || client.bracket === null
      ? 'bad'
      : 'unsure';
  return html`<span class="badge ${kind}">${client.bracket === null ? 'not measured' : `${bracketShort(client.bracket)} /s`}</span>`;
};

const verdicts = (document: EnvelopeDocument): Html =>
  html`<ul class="verdicts">${ranked(document).map(
    (client) =>
      html`<li>${badge(client)}<span>${clientSentence(client)}${notesOf(client).map((note) => html`<br><span class="quiet">${note}</span>`)}</span></li>`,
  )}</ul>`;

const sideCell = (side: SideFigures | null): Html =>
  side === null
    ? html`<td>${ABSENT}</td>`
    : html`<td>${side.fidelity === null ? 'no figures: the client itself failed' : `${percent(side.fidelity)} % of the rate`}${side.terms.map(
        ({ name, bias_ms, low_ms, high_ms, allowed_ms, interval }) =>
          html`<br>${termName(name)} ${signedMs(bias_ms)} ${intervalMs(low_ms, high_ms)} for ±${limitMs(allowed_ms)}${interval === 'none' && ' (no interval)'}`,
      )}</td>`;

function clientTable(document: EnvelopeDocument): Html {
  const clients = ranked(document);
  return html`<section aria-labelledby="clients">
<h2 id="clients">Clients</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="clients-caption"><table class="results" data-sortable>
<caption id="clients-caption">Bias in ms with its interval: between trials where there are three or more, else from the lowest to the highest end of their own.</caption>
<thead><tr>${['Client', 'Holds at (/s)', 'Fails at (/s)', 'Confidence', 'Trials', 'Where it holds', 'Where it fails'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${clients.map(
    ({
      name,
      found,
      bracket,
      trials,
      at_holds,
      at_fails,
    }) => html`<tr><th scope="row">${oneLine(name)} <span class="quiet">${found.state === 'found' && oneLine(found.version)}</span></th>
<td class="number" data-value="${bracket?.holds?.rate_rps ?? ''}">${rate(bracket?.holds?.rate_rps ?? null)}</td>
<td class="number" data-value="${bracket?.fails?.rate_rps ?? ''}">${rate(bracket?.fails?.rate_rps ?? null)}</td>
<td class="number" data-value="${bracket?.confidence ?? ''}">${bracket?.confidence == null ? ABSENT : confidenceWords(bracket.confidence)}${likelyWords(bracket) !== '' && html`<br><span class="quiet">${likelyWords(bracket)}</span>`}</td>
<td class="number">${trials}</td>${sideCell(at_holds)}${sideCell(at_fails)}</tr>`,
  )}</tbody></table></div>
</section>`;
}

const trialRow = (trial: EnvelopeTrial): Html => html`<tr>
<th scope="row">${oneLine(trial.client)}</th><td class="number" data-value="${trial.rate_rps}">${rate(trial.rate_rps)}</td>
<td class="number">${trial.order + 1}</td><td>${trial.purpose}</td><td class="v-${trial.verdict}">${VERDICT_WORDS[trial.verdict]}</td>
<td class="number" data-value="${trial.busiest_thread_share ?? ''}">${percent(trial.busiest_thread_share)}</td>
<td class="long">${trial.verdict === 'holds' ? trial.terms.map(termWords).join('; ') : oneLine(trial.reason)}${trial.disturbed !== null && trial.verdict === 'holds' && ` (disturbed: ${oneLine(trial.disturbed)})`}</td></tr>`;

const trialSection = (document: EnvelopeDocument): Html => html`<section aria-labelledby="trials">
<h2 id="trials">Trials</h2>
<div class="scroll tall" tabindex="0" role="region" aria-labelledby="trials-caption"><table data-sortable>
<caption id="trials-caption">Every trial, as it ran.</caption>
<thead><tr>${['Client', 'Rate (/s)', 'Order', 'Step', 'Verdict', 'Busiest thread (%)', 'Figures'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${document.trials.map(trialRow)}</tbody></table></div>
<p class="downloads"><span>Save as</span> <a download="envelope.csv" href="${dataUri('text/csv', envelopeCsv(document))}">envelope.csv</a> <a download="envelope-trials.csv" href="${dataUri('text/csv', envelopeTrialsCsv(document))}">envelope-trials.csv</a></p>
</section>`;

function conditions(document: EnvelopeDocument): Html {
  const { search, provenance, warnings } = document;
  const absent = document.clients.filter(({ state }) => state === 'notRun');
  return html`<section aria-labelledby="conditions">
<h2 id="conditions">Conditions</h2>
<p>${noiseSentence(document)} A side of a bracket is repeated until one verdict leads by ${search.confirm}.</p>
<dl class="facts">
<dt>Tolerance</dt><dd>${search.tolerance}</dd>
<dt>Search</dt><dd>from ${rate(search.from_rps)} to ${rate(search.to_rps)}/s, steps of ${search.ramp}, then halving down to a ratio of ${search.ratio}; at most ${count(search.budget_trials, 'trial')} a client</dd>
${provenance.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}
</dl>
${warnings.length > 0 && html`<h3>Warnings</h3><ul class="warnings">${warnings.map(({ evidence, remedy }) => html`<li>${oneLine(evidence)}. ${oneLine(remedy)}.</li>`)}</ul>`}
${absent.length > 0 && html`<p class="quiet">Not run: ${absent.map(({ name }) => oneLine(name)).join(', ')}.</p>`}
</section>`;
}

/** The page. Same document, same text. */
export function envelopePage(document: EnvelopeDocument): string {
  const chart = envelopeChart(document);
  return pageText(
    SHELL,
    html`${header(document)}
<main>
<section aria-labelledby="envelopes">
<h2 id="envelopes">Envelopes</h2>
${chart !== null && html`<figure>${chartLegend()}<div class="chart wide" tabindex="0" role="group" aria-label="Envelopes, drawn">${chart}</div></figure>`}
${verdicts(document)}
</section>
${clientTable(document)}
${trialSection(document)}
${conditions(document)}
</main>
<footer><p>Made by Tare from envelope.json alone: same document, same page.</p></footer>`,
  );
}
