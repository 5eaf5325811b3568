/** profile.html: one file that needs nothing else. Up to which rate each client is good first, then what that rests on. */
import type { ClientProfile, LayerResult, ProfileDocument } from '../../src/audit/profile/document.ts';
import { bareView } from '../charts/chart.ts';
import { toSvg } from '../charts/render.ts';
import { dataUri, type Html, html, trusted } from '../html.ts';
import { instant, pageText } from '../page/shell.ts';
import { oneLine } from '../text.ts';
import { partsChart, tokensChart } from './charts.ts';
import { profileCsv } from './csv.ts';
import {
  byteWords,
  costWords,
  digits,
  goodToWords,
  halfWords,
  layerWords,
  NO_LAYERS,
  saturationWords,
} from './words.ts';

const SHELL = {
  title: 'Tare: what a request costs each client',
  skip: ['clients', 'Skip to the clients'],
  styles: [],
  scripts: [],
} as const;

/** The first column is words, the others are figures: their heads stand above them. */
const heads = (names: readonly string[]): Html =>
  html`<tr>${names.map((name, i) => (i === 0 ? html`<th scope="col">${name}</th>` : html`<th scope="col" class="number">${name}</th>`))}</tr>`;

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

function costRow(layer: LayerResult): Html {
  const line = layer.busiest ?? layer.group;
  if (line === null || layer.load === null)
    return html`<tr><th scope="row">${layerWords(layer)}</th><td colspan="7">${layer.state}: ${oneLine(layer.how)}</td></tr>`;
  const { half_load: half, load } = layer;
  return html`<tr><th scope="row">${layerWords(layer)}<br><span class="quiet">${oneLine(layer.how)}</span></th>
<td class="number">${costWords(line.request)}</td><td class="number">${costWords(line.token)}</td><td class="number">${byteWords(line.prompt_byte)}</td>
<td class="number">${(line.residual_share * 100).toFixed(1)} %</td><td class="number">${line.points}</td>
<td class="number">${percent(load.median_rho)}, ${digits(load.least_rps)} to ${digits(load.most_rps)}/s</td>
<td class="number">${halfWords(half)}</td></tr>`;
}

function goodToTable(client: ClientProfile): Html | null {
  const layers = client.layers.filter(({ good_to }) => good_to.length > 0);
  if (layers.length === 0) return null;
  const rows = layers[0]!.good_to;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Rates of ${oneLine(client.name)}"><table class="results">
<caption>Good to about so many requests/s on this machine: the rate at which what bounds it is ${percent(rows[0]!.rho)} busy, with small prompts. In brackets: by the 95 % interval of the cost.</caption>
<thead>${heads(['Layer', ...rows.map(({ tokens, extrapolated }) => `${tokens} tokens${extrapolated ? ', beyond what was run' : ''}`)])}</thead>
<tbody>${layers.map((layer) => html`<tr><th scope="row">${layerWords(layer)}</th>${layer.good_to.map(({ good_to }) => html`<td class="number">${goodToWords(good_to)}</td>`)}</tr>`)}</tbody></table></div>`;
}

async function figure(view: ReturnType<typeof tokensChart>, caption: string): Promise<Html | null> {
  if (view === null) return null;
  return html`<figure><div class="chart wide" tabindex="0" role="img" aria-label="${caption}"><div aria-hidden="true">${trusted(await toSvg(bareView(view)))}</div></div><figcaption>${caption}</figcaption></figure>`;
}

async function clientSection(client: ClientProfile): Promise<Html> {
  const { name, title, version, bound_by, loops, startup_s, teardown_s, architecture } = client;
  const saturation = saturationWords(client.saturation);
  const warnings = client.layers.flatMap((layer) =>
    layer.warnings.map((warning) => `${layerWords(layer)}: ${warning}`),
  );
  const time = (s: number | null): string => (s === null ? 'not known' : `${digits(s)} s`);
  return html`<section aria-labelledby="client-${name}">
<h2 id="client-${name}">${oneLine(name)} <span class="quiet">${oneLine(version)}</span></h2>
<p>${oneLine(title)}: ${oneLine(architecture)}. Costs are the CPU time of ${bound_by === 'busiest thread' ? 'its busiest thread' : 'all its threads'}; ${loops === 1 ? 'one thread does most of the work, or its threads differ.' : `${loops} threads share the work alike.`} First request ${time(startup_s)} after its start, end ${time(teardown_s)} after the last answer.</p>
${goodToTable(client)}
<div class="scroll" tabindex="0" role="region" aria-label="Costs of ${oneLine(name)}"><table class="results">
<caption>CPU time of a request = request + tokens · token + bytes of its body · prompt byte; 95 % intervals.</caption>
<thead>${heads(['Layer', 'Request, µs', 'Token, µs', 'Prompt byte, ns', 'Residual', 'Runs', 'Busy, rates', 'At half the load'])}</thead>
<tbody>${client.layers.map(costRow)}</tbody></table></div>
${client.layers.length === 0 && html`<p>${`None: ${NO_LAYERS}.`}</p>`}
${warnings.length > 0 && html`<ul>${warnings.map((warning) => html`<li>${oneLine(warning)}</li>`)}</ul>`}
${saturation !== null && html`<p>Saturation: ${oneLine(saturation)}.</p>`}
${await figure(tokensChart(client), 'CPU time of a request by the tokens of its answer, small prompts. Dots: runs. Lines: the fit, dashed beyond the tokens that were run. Both axes are logarithmic.')}
${await figure(partsChart(client), 'What a request of 128 tokens with 16 KB of prompt costs, by the fit.')}
</section>`;
}

/** The page of a profile: same document, same bytes. */
export async function profilePage(document: ProfileDocument): Promise<string> {
  const { host } = document;
  const sections: Html[] = [];
  for (const client of document.clients) sections.push(await clientSection(client));
  return pageText(
    SHELL,
    html`<header>
<h1>What a request costs each client</h1>
<p class="quiet">Tare ${oneLine(document.tare_version)}, ${instant(document.started_at)}${document.state === 'interrupted' && '; it was interrupted'}. ${oneLine(host.cpu_model)}, ${host.cores} cores, Node ${oneLine(host.node)}; ${oneLine(document.pinning_note)}; ${document.client_cores} for the client. The target waits in the kernel (${document.target_pacing}). Seed ${document.seed}.</p>
</header>
<main id="clients">${sections}</main>
<footer><p><a download="profile.csv" href="${dataUri('text/csv', profileCsv(document))}">profile.csv</a>: every run.</p></footer>`,
  );
}
