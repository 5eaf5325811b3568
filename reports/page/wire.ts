/** The page's table of ledger and wire; nothing where nothing was captured. */
import type { AuditDocument, Trial, WireFigures } from '../../src/audit/document.ts';
import type { Spread } from '../../src/measure/wire.ts';
import { ABSENT, ms, percent, rate, signedMs } from '../format.ts';
import { type Html, html } from '../html.ts';
import { count, grouped, oneLine } from '../text.ts';

type Witnessed = Trial & { readonly wire: WireFigures };

const hasWire = (trial: Trial): trial is Witnessed => trial.wire !== undefined && trial.wire !== null;

/** Trials with a capture. */
export const witnessed = ({ trials }: AuditDocument): Witnessed[] => trials.filter(hasWire);

const pair = (spread: Spread | undefined, show: (value: number | null) => string): string =>
  spread === undefined || spread.n === 0 ? ABSENT : `${show(spread.p50_ms)} / ${show(spread.p99_ms)}`;

function lossWords({ dropped, loss_share, unseen_bytes, unfinished = 0 }: WireFigures): string {
  const packets = dropped === null ? 'not told' : dropped === 0 ? 'none' : `${percent(loss_share)} %`;
  const bytes = unseen_bytes === 0 ? '' : `, ${grouped(unseen_bytes)} bytes`;
  return `${packets}${bytes}${unfinished === 0 ? '' : `, ${count(unfinished, 'answer')} cut`}`;
}

const COLUMNS: readonly (readonly [head: string, title: string, of: (trial: Witnessed) => string])[] = [
  ['repetition', 'Which of the trials of this client at this rate', (t) => String(t.repetition)],
  ['asked /s', 'Requests per second asked of the client', (t) => rate(t.workload.rateRps)],
  [
    'joined %',
    'Requests of the ledger that were found on the wire, wholly captured',
    ({ wire }) => percent(wire.joined_share),
  ],
  [
    'capture loss',
    'Packets that the kernel dropped; bytes acknowledged and never seen; answers not seen to their end',
    ({ wire }) => lossWords(wire),
  ],
  [
    'waited for the target',
    'From the wire’s request to the ledger’s arrival, p50 / p99, ms: what the ledger cannot know',
    ({ wire }) => pair(wire.against?.request_to_arrival_ms, ms),
  ],
  [
    'write to wire',
    'From just before the first token’s write to its segment, p50 / p99, ms',
    ({ wire }) => pair(wire.against?.first_to_wire_ms, ms),
  ],
  [
    'TTFT by the ledger',
    'p50 / p99, ms, of the same requests',
    ({ wire }) => pair(asSpread(wire.against?.ledger.ttft), ms),
  ],
  ['TTFT by the wire', 'p50 / p99, ms', ({ wire }) => pair(asSpread(wire.realized.ttft), ms)],
  [
    'TTFT apart',
    'Wire and ledger of the same request, p50 / p99, ms: how far they agree',
    ({ wire }) => pair(wire.against?.ttft_apart_ms, ms),
  ],
  ['E2E apart', 'The same of E2E', ({ wire }) => pair(wire.against?.e2e_apart_ms, ms)],
  [
    'client − wire',
    'TTFT that the client reported minus the wire’s of the same request, p50 / p99, ms',
    ({ wire }) => pair(wire.client_minus_wire?.ttft_ms, signedMs),
  ],
];

const asSpread = (summary: WireFigures['realized']['ttft'] | undefined): Spread | undefined =>
  summary && { n: summary.n ?? 0, p50_ms: summary.p50_ms, p99_ms: summary.p99_ms };

/** What the second witness says of each trial. */
export function wireSection(document: AuditDocument): Html {
  const trials = witnessed(document);
  const { clients } = document.plan;
  if (trials.length === 0) return html``;
  // They ran in another order.
  trials.sort(
    (a, b) =>
      clients.indexOf(a.client) - clients.indexOf(b.client) ||
      a.workload.rateRps - b.workload.rateRps ||
      a.repetition - b.repetition,
  );
  const uncertainty = Math.max(...trials.map(({ wire }) => wire.clock_uncertainty_us));
  return html`<section aria-labelledby="wire">
<h2 id="wire">Ledger and wire</h2>
<p class="quiet">Each trial’s port was captured; the kernel’s stamps are a second witness beside the target’s ledger. What a request waits for the target before it is stamped, no ledger shows: it counts as the client’s bias unless the wire tells it apart. The two clocks are known to ±${uncertainty.toFixed(2)} µs.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="wire-caption"><table>
<caption id="wire-caption">p50 / p99 over completed requests that both saw, ms.</caption>
<thead><tr><th scope="col">client</th>${COLUMNS.map(([head, title]) => html`<th scope="col" title="${title}">${head}</th>`)}</tr></thead>
<tbody>
${trials.map(
  (
    trial,
  ) => html`<tr><th scope="row">${oneLine(trial.client)}</th>${COLUMNS.map(([, , of]) => html`<td class="number">${of(trial)}</td>`)}</tr>
`,
)}</tbody>
</table></div>
</section>`;
}
