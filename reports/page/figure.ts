/** A chart in the page: what it shows, itself, under what conditions, and the same as files and as text. */
import { chartDownloads } from '../charts/downloads.ts';
import type { RenderedAuditChart } from '../charts/rendered.ts';
import { type Html, html, trusted } from '../html.ts';
import { type Provenance, provenanceLines } from '../provenance.ts';
import { listed } from '../text.ts';

/** From this width on, px, a chart is not shrunk to a narrow screen but scrolls in its own box. */
const WIDE_PX = 500;
const isWide = (svg: string): boolean => Number(/<svg [^>]*\bwidth="(\d+)/.exec(svg)?.[1] ?? 0) > WIDE_PX;

/** What no reader should have to open anything for: who, how often, where, and what cannot be told from nothing. */
function essence(p: Provenance): string {
  const upTo = (text: string, mark: string) => text.split(mark, 1)[0]!;
  return `${listed(p.clients.map(({ name, version }) => `${name} (${version})`))}; ${p.repetitions}; seed ${p.seed}; prefix cache ${p.prefix_cache}; ${upTo(p.host, ';')}; floor ${upTo(p.floor, ' (')}.`;
}

/** One figure; its heading is one below that of its section. */
export function figure({ chart, inline, svg }: RenderedAuditChart): Html {
  const { name, title, explanation, alternative, provenance } = chart;
  return html`<figure id="${name}" aria-labelledby="${name}-title">
<h3 id="${name}-title">${title}</h3>
<p class="quiet">${explanation}</p>
<div class="chart${isWide(inline) ? ' wide' : ''}" tabindex="0" role="img" aria-label="${alternative}"><div aria-hidden="true">${trusted(inline)}</div></div>
<figcaption>
${chartDownloads({ chart, svg })}
<p class="provenance">${essence(provenance)}</p>
<details><summary>All of its provenance</summary><dl>${provenanceLines(provenance).map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl></details>
<details><summary>The figures as text</summary><p>${alternative}</p></details>
</figcaption>
</figure>
`;
}
