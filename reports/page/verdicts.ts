/** The first part of the page: what became of each client, the largest problem first. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { clientFaults } from '../faults.ts';
import { limitMs, rate } from '../format.ts';
import { type Html, html } from '../html.ts';
import { DEFAULT_TOLERANCE_MS } from '../rate-verdict.ts';
import { ranOnce } from '../repetitions.ts';
import { ONE_REPETITION } from '../table.ts';
import { hasTruth } from '../target-words.ts';
import { count, grouped, listed, oneLine } from '../text.ts';
import { type ClientVerdict, clientVerdicts, type VerdictKind } from '../verdict.ts';
import { basis } from './first-screen.ts';

interface Look {
  readonly sign: string;
  readonly style: string;
  readonly label: (verdict: ClientVerdict) => string;
  /** For the sentence that counts them. */
  readonly counted: string;
}

const at = (rate_rps: number | null): string => `${rate(rate_rps)}/s`;

/** In the order of the page: who errs without having been right first, who is right at all rates last, and then those of whom nothing is known. */
const LOOK = {
  out: {
    sign: '✕',
    style: 'bad',
    label: ({ fails_rps }) => `out at ${at(fails_rps)}`,
    counted: 'out of tolerance',
  },
  bounded: {
    sign: '◐',
    style: 'unsure',
    label: ({ holds_rps }) => `up to ${at(holds_rps)}`,
    counted: 'within tolerance up to a rate',
  },
  undetermined: { sign: '?', style: 'unsure', label: () => 'undetermined', counted: 'undetermined' },
  within: {
    sign: '✓',
    style: 'good',
    label: () => 'within',
    counted: 'within tolerance at every rate tried',
  },
  notMeasured: { sign: '–', style: 'quiet', label: () => 'not measured', counted: 'not measured' },
} as const satisfies Readonly<Record<VerdictKind, Look>>;
const ORDER = Object.keys(LOOK) as VerdictKind[];

/** Undecided at its lowest rate and surely wrong at a higher one: for a reader that is no open question. */
const kindOf = ({ verdict, fails_rps }: ClientVerdict): VerdictKind =>
  verdict === 'undetermined' && fails_rps !== null ? 'out' : verdict;

/**
 * The largest problem first: by kind of verdict, then by the lowest rate at which a client fails; those alike stay in the order of the plan.
 * A reader in a hurry then meets first what concerns him, and a client that is fine is no less fine below.
 */
export const worstFirst = (verdicts: readonly ClientVerdict[]): ClientVerdict[] =>
  verdicts.toSorted(
    (a, b) =>
      ORDER.indexOf(kindOf(a)) - ORDER.indexOf(kindOf(b)) ||
      (a.fails_rps ?? Number.MAX_VALUE) - (b.fails_rps ?? Number.MAX_VALUE),
  );

/** `4 clients: 1 within tolerance up to a rate and 3 within tolerance at every rate tried.` */
export function tally(verdicts: readonly ClientVerdict[]): string {
  const kinds = ORDER.map((kind) => ({ kind, n: verdicts.filter((one) => kindOf(one) === kind).length }));
  const parts = kinds.filter(({ n }) => n > 0).map(({ kind, n }) => `${grouped(n)} ${LOOK[kind].counted}`);
  return `${count(verdicts.length, 'client')}: ${listed(parts)}.`;
}

function item(verdict: ClientVerdict, faults: number): Html {
  const { headline, details, client } = verdict;
  const { sign, label, style }: Look = LOOK[kindOf(verdict)];
  const name = oneLine(client);
  const more = [
    ...details,
    ...(faults === 0
      ? []
      : [html`<a href="#faults">${count(faults, 'thing')} it does otherwise than stated</a>.`]),
  ];
  return html`<li><span class="badge ${style}"><span aria-hidden="true">${sign}</span> ${label(verdict)}</span><div><p><strong><bdi>${name}</bdi></strong>${headline.slice(name.length)}</p>${
    more.length > 0 && html`<p class="quiet">${more.map((one, i) => html`${i > 0 && ' '}${one}`)}</p>`
  }</div></li>
`;
}

const NO_TRUTH = html`This target keeps no ledger: what it really gave, and when requests arrived, is not known. Every latency is as the client reported it; every rate is by the client’s own records, or the rate that it prints. No bias is stated: for that, audit the same clients against the reference target.`;

const TOLERANCE = html`A client is within tolerance at a rate where the 95 % intervals of what it adds to TTFT p50 and p99 lie inside ±${limitMs(DEFAULT_TOLERANCE_MS)} ms, or inside this machine’s floor where that is larger. What it adds is the p50 or p99 of each request’s own delay, its record minus what it would have been by the client’s definitions and the target’s ledger without one, where its records join the ledger; that is not the difference of two printed figures. Elsewhere it is what it printed, minus what it would have printed. The column “by” of <a href="#findings">every finding</a> says which.`;

/** One sentence a client, and beneath it what else is to be said. */
export function verdictSection(document: AuditDocument): Html {
  const truth = hasTruth(document);
  const verdicts = worstFirst(clientVerdicts(document));
  const faults = clientFaults(document);
  return html`<section aria-labelledby="verdict">
<h2 id="verdict">${truth ? 'Up to which rate each client tells the truth here' : 'What each client reports here'}</h2>
${
  truth &&
  html`<p class="tally">${tally(verdicts)}</p>
`
}<ul class="verdicts">
${verdicts.map((one) => item(one, faults.filter(({ client }) => client === one.client).length))}</ul>
${
  ranOnce(document) &&
  truth &&
  html`<p class="quiet">${ONE_REPETITION}</p>
`
}${basis(document, truth ? TOLERANCE : NO_TRUTH)}
</section>`;
}
