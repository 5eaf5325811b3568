/** The head of the page, and what its verdicts rest on: what was tested, where, when, and how sure it is. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { ms } from '../format.ts';
import { type Html, html } from '../html.ts';
import { harnessName } from '../provenance.ts';
import { ranRates, ranRepetitions } from '../repetitions.ts';
import { hasTruth, targetName } from '../target-words.ts';
import { count, grouped, listed, oneLine } from '../text.ts';
import { instant } from './shell.ts';

/** Minutes between two ISO instants, `12 min`; empty where one is missing. */
function took({ started_at, finished_at }: AuditDocument): string {
  const spent = finished_at === null ? Number.NaN : Date.parse(finished_at) - Date.parse(started_at);
  return Number.isFinite(spent) && spent >= 0
    ? `, took ${grouped(Math.max(1, Math.round(spent / 60_000)))} min`
    : '';
}

/** `vllm (0.33.0)`: versions hold commas. */
const clientsOf = (document: AuditDocument): string =>
  listed(
    document.clients.flatMap(({ name, found }) =>
      found.state === 'found' ? [`${oneLine(name)} (${oneLine(found.version)})`] : [],
    ),
  );

const against = (document: AuditDocument): string =>
  hasTruth(document)
    ? 'a reference target whose every delay is known'
    : `${targetName(document)}, which keeps no ledger`;

function what(document: AuditDocument): string {
  const { plan } = document;
  const injected = hasTruth(document) ? ` (injected: ${oneLine(plan.latency)})` : '';
  const ran = ranRates(document);
  const rates = ran.length === 0 ? plan.rates_rps : ran;
  const left = plan.rates_rps.filter((rate) => !ran.includes(rate));
  const planned =
    ran.length === 0 || left.length === 0 ? '' : ` (planned and not run: ${listed(left.map(grouped))})`;
  return `${clientsOf(document)}, against ${against(document)}${injected}, ${ran.length === 0 ? 'planned ' : ''}at ${listed(rates.map(grouped))} requests/s${planned} of ${count(plan.output_tokens, 'token')}.`;
}

const where = ({ plan: { target } }: AuditDocument): string =>
  target.remote ? 'the clients ran here, the target elsewhere' : 'clients and target both on this machine';

/** What intervals are of, by the trials that ran. */
function repeated(document: AuditDocument): string {
  const ran = ranRepetitions(document);
  if (ran === null) return 'No trial ran, so nothing was measured';
  const { least, most } = ran;
  if (most === 1) return 'One repetition: intervals do not show how much trials differ';
  return `95 % intervals over ${least === most ? most : `${least} to ${most}`} repetitions`;
}

/** What intervals are of, what cannot be told from nothing, and what else was odd. */
function sure(document: AuditDocument): Html {
  const { floor, warnings } = document;
  const ttft = floor?.floor_ms.ttft;
  const limit = !hasTruth(document)
    ? 'without a ledger no bias can be stated'
    : ttft === undefined
      ? 'the floor was not measured, so small bias cannot be told from none'
      : `a bias below the floor, ${ms(ttft.p50)} ms of TTFT p50 and ${ms(ttft.p99)} ms of p99, cannot be told from none on this machine now`;
  return html`${repeated(document)}; ${limit}${
    warnings.length > 0 &&
    html`; <a href="#warnings">${count(warnings.length, 'warning')}</a> (${listed(warnings.map(({ code }) => oneLine(code)))})`
  }.`;
}

/** Title, and in a line what this is. */
export function head(document: AuditDocument): Html {
  const { host, plan, trials } = document;
  const own = trials.length === 0 ? plan.rates_rps.toSorted((a, b) => a - b) : ranRates(document);
  const [low, high] = [own[0]!, own.at(-1)!].map(grouped);
  const rates = `${trials.length === 0 ? ' planned' : ''} at ${low === high ? low : `${low}–${high}`} requests/s`;
  const tried = document.clients.filter(({ name, found }) =>
    trials.length === 0 ? found.state === 'found' : trials.some(({ client }) => client === name),
  );
  return html`<header>
<h1>${hasTruth(document) ? 'What the benchmark clients add' : 'What the benchmark clients report'}</h1>
<p class="quiet">${count(tried.length, 'client')}${rates} against ${against(document)}; ${oneLine(host.cpu_model)}, ${count(host.cores, 'core')}; ${instant(document.started_at)}.</p>
${
  document.state === 'interrupted' &&
  html`<p><strong class="unsure">Interrupted: ${trials.length === 0 ? 'no trial was finished' : 'only what was finished is shown'}.</strong></p>
`
}</header>`;
}

/** What the verdicts rest on, in a few facts; `tolerance` is what they mean. */
export const basis = (document: AuditDocument, tolerance: Html): Html => html`<dl class="facts brief">
<dt>How sure</dt><dd>${sure(document)}</dd>
<dt>Meaning</dt><dd>${tolerance}</dd>
<dt>What</dt><dd>${what(document)}</dd>
<dt>Where</dt><dd>${oneLine(document.host.cpu_model)}, ${count(document.host.cores, 'core')}, ${oneLine(document.host.os)}; ${where(document)}.</dd>
<dt>When</dt><dd>${instant(document.started_at)}${took(document)}, by ${harnessName(document)}.</dd>
</dl>`;
