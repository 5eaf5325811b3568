/** What a comparison says, in sentences. Pure, from the comparison alone. */

import { redefined } from '../../src/audit/compare-audits/definitions.ts';
import type {
  ClientComparison,
  CompareDocument,
  Comparison,
  Condition,
  FigureComparison,
  RateComparison,
  SideVerdict,
} from '../../src/audit/compare-audits/document.ts';
import { METRICS } from '../../src/measure/metrics.ts';
import { METRIC_LABEL, percent, rate } from '../format.ts';
import { count, listed, oneLine, shorten } from '../text.ts';
import { changeText, figureLabel } from './format.ts';

/** So many figures of a rate are named in a sentence; the table has them all. */
const NAMED = 3;

const figuresOf = ({ rates }: ClientComparison): readonly FigureComparison[] =>
  rates.flatMap(({ figures }) => figures);

/** `vllm`, or `vllm → vllm-rs`. */
export const pairName = ({ a, b }: Pick<ClientComparison, 'a' | 'b'>): string =>
  a === b ? oneLine(a) : `${oneLine(a)} → ${oneLine(b)}`;

function atRate({ rate_rps, figures }: RateComparison, state: FigureComparison['state']): string | null {
  const own = figures.filter((figure) => figure.state === state);
  if (own.length === 0) return null;
  const named = own.slice(0, NAMED).map((figure) => `${figureLabel(figure.figure)} ${changeText(figure)}`);
  const more = own.length - named.length;
  return `at ${rate(rate_rps)}/s: ${listed([...named, ...(more > 0 ? [`${more} more`] : [])])}`;
}

function clause(client: ClientComparison, state: 'worse' | 'better' | 'changed'): string | null {
  const rates = client.rates.map((one) => atRate(one, state)).filter((text) => text !== null);
  const word = state === 'changed' ? 'changed, neither for better nor for worse,' : state;
  return rates.length === 0 ? null : `${word} ${rates.join('; ')}`;
}

/** Trials that failed on one side and not on the other. */
function outcomeClauses({ rates }: ClientComparison): string[] {
  return rates.flatMap(({ rate_rps, outcomes }) => {
    if (outcomes === null || outcomes.state === 'same') return [];
    const word = { worse: 'worse, ', better: 'better, ', undetermined: '' }[outcomes.state];
    return [`${word}at ${rate(rate_rps)}/s ${outcomes.reason}`];
  });
}

/** The commonest of the reasons of some figures, and how many have it. */
function commonest(figures: readonly FigureComparison[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of figures) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const [first] = [...counts].sort((x, y) => y[1] - x[1]);
  if (first === undefined) return '';
  const [reason, n] = first;
  const text = shorten(oneLine(reason), 140);
  return n === figures.length ? text : `${n} of them: ${text}`;
}

/** What of the rest can be said: surely nothing, or nothing that is shown. */
function restClause(figures: readonly FigureComparison[]): string {
  const compared = figures.filter(({ state }) => state !== 'refused');
  const open = compared.filter(({ state }) => state === 'undetermined');
  const unchanged = compared.filter(({ state }) => state === 'unchanged');
  const decided = compared.length - open.length - unchanged.length;
  if (open.length === 0)
    return unchanged.length === 0
      ? ''
      : decided > 0
        ? 'nothing else changed beyond its floor'
        : `nothing changed beyond its floor (${count(unchanged.length, 'figure')})`;
  const are = open.length === 1 ? 'is' : 'are';
  const undetermined = `${open.length} of ${count(compared.length, 'figure')} ${are} undetermined (${commonest(open)})`;
  if (unchanged.length === 0 && decided === 0) return `no change can be told from none: ${undetermined}`;
  return `${decided > 0 ? 'no other' : 'no'} change is shown; ${undetermined}`;
}

/** The sentence of a client; begins with its name. */
export function clientSentence(client: ClientComparison): string {
  const figures = figuresOf(client);
  const refused = figures.filter(({ state }) => state === 'refused');
  const name = pairName(client);
  const parts = [
    clause(client, 'worse'),
    clause(client, 'better'),
    clause(client, 'changed'),
    ...outcomeClauses(client),
  ].filter((text) => text !== null);
  if (refused.length === figures.length)
    return `${name}: ${[...parts, `no figure can be compared${figures.length === 0 ? '' : ` (${commonest(refused)})`}`].join('; ')}.`;
  const rest = restClause(figures);
  const other =
    refused.length === 0 ? '' : `${count(refused.length, 'figure')} not compared (${commonest(refused)})`;
  return `${name}: ${[...parts, rest, other].filter((text) => text !== '').join('; ')}.`;
}

const reach = ({ verdict, holds_rps, fails_rps }: SideVerdict): string =>
  holds_rps !== null
    ? `up to ${rate(holds_rps)}/s`
    : verdict === 'undetermined' || verdict === 'notMeasured'
      ? verdict === 'undetermined'
        ? 'at no rate that could be decided'
        : 'not measured'
      : `at no rate tried${fails_rps === null ? '' : ` (out from ${rate(fails_rps)}/s)`}`;

/** How the verdicts of both audits differ; null where both hold to the same rate. They are not intervals, and it says so. */
export function verdictSentence(client: ClientComparison): string | null {
  const [a, b] = [reach(client.verdict_a), reach(client.verdict_b)];
  return a === b
    ? null
    : `${pairName(client)}: within tolerance ${a} in A, ${b} in B, each by the rule of its own audit; the figures above say whether that is a change.`;
}

export type ClientState = 'worse' | 'better' | 'mixed' | 'changed' | 'unchanged' | 'open' | 'refused';

/** The state of a client as a whole. */
export function clientState(client: ClientComparison): ClientState {
  const states = new Set<string>([
    ...figuresOf(client).map(({ state }) => state),
    ...client.rates.map(({ outcomes }) => outcomes?.state ?? ''),
  ]);
  if (states.has('worse')) return states.has('better') ? 'mixed' : 'worse';
  if (states.has('better')) return 'better';
  if (states.has('changed')) return 'changed';
  if (states.has('undetermined')) return 'open';
  return states.has('unchanged') ? 'unchanged' : 'refused';
}

const HEADLINE: readonly (readonly [ClientState, string])[] = [
  ['worse', 'worse'],
  ['mixed', 'worse in some figures and better in others'],
  ['better', 'better'],
  ['changed', 'changed'],
  ['open', 'without a change that is shown'],
  ['unchanged', 'unchanged'],
  ['refused', 'not comparable'],
];

function headline(comparison: Comparison): string {
  const { clients } = comparison;
  if (clients.length === 0) return 'Nothing was compared: A and B have no client in common.';
  if (clients.length === 1) return clientSentence(clients[0]!);
  const parts = HEADLINE.flatMap(([state, words]) => {
    const own = clients.filter((client) => clientState(client) === state).map(pairName);
    return own.length === 0 ? [] : [`${words}: ${listed(own)}`];
  });
  return `Of ${clients.length} clients, ${parts.join('; ')}.`;
}

function familySentence({ family: { intervals, level_each }, clients }: Comparison): string {
  if (intervals === 0)
    return 'No figure has an interval: that takes two repetitions on both sides, three to be of use.';
  if (intervals === 1) return 'One interval, at 95 %.';
  const told = clients.map(({ rates }) =>
    rates.filter(({ figures }) => figures.some(({ low }) => low !== null)).map(({ rate_rps }) => rate_rps),
  );
  const rates = new Set(told.flat()).size;
  const of = told.filter((own) => own.length > 0).length;
  const each = percent(Math.floor(level_each * 1e5) / 1e5);
  return (
    `Every interval is so wide that all ${intervals} of them hold at once with 95 % (Bonferroni; each at about ${each} %): ` +
    `${count(of, 'client')}, ${count(rates, 'rate')}. Fewer clients or figures (--client, --figures), chosen before looking, make them narrower; so do more repetitions.`
  );
}

/** Codes of warnings that make an audit's figures doubtful as such: others were at work on the machine, or it was short of something. */
const DISTURBED: ReadonlySet<string> = new Set([
  'core-wait',
  'load-during',
  'memory',
  'memory-pressure',
  'other-load',
  'paging',
  'steal',
  'swap',
  'target-busy',
  'target-late',
]);

/** Those among a side's warnings. */
const disturbances = (row: Condition | undefined, side: 'a' | 'b'): readonly string[] =>
  (row?.[side] ?? '').split(', ').filter((code) => DISTURBED.has(code));

function caveats(comparison: Comparison): string[] {
  const { a, b, conditions, clients, same_audit } = comparison;
  const find = (what: string) => conditions.find((row) => row.what === what);
  const warnings = find('warnings');
  const disturbed = (['a', 'b'] as const).flatMap((side) => {
    const codes = disturbances(warnings, side);
    return codes.length === 0 ? [] : [`${side.toUpperCase()} (${codes.join(', ')})`];
  });
  const moved = ({ definitions }: ClientComparison) =>
    METRICS.filter((metric) => redefined(definitions).has(metric)).map((metric) => METRIC_LABEL[metric]);
  const unlike = clients.filter(({ definitions }) => definitions.length > 0);
  return [
    ...[['A', a] as const, ['B', b] as const].flatMap(([name, side]) =>
      side.state === 'interrupted' ? [`${name} was interrupted: only what it finished is compared.`] : [],
    ),
    ...(disturbed.length > 0
      ? [`The machine was not quiet in ${listed(disturbed)}: part of a difference may be that.`]
      : []),
    ...unlike.map((client) => {
      const names = listed(client.definitions.map(({ what }) => oneLine(what)));
      const metrics = moved(client);
      return metrics.length === 0
        ? `${pairName(client)}: known otherwise in B: ${names}. What its latencies mean is the same.`
        : `${pairName(client)}: known otherwise in B: ${names}. By that ${listed(metrics)} ${metrics.length === 1 ? 'means' : 'mean'} another thing: judged is the bias beyond each side's own definitions; the total bias, which moves with them, has rows of its own and counts neither as better nor as worse.`;
    }),
    ...(same_audit
      ? []
      : [
          'The intervals are between repetitions within each audit. What differs from one audit to the next (a restart, a neighbour) moves all repetitions of one side alike and is not in them: before believing a small change, run a third audit. Clients of one audit alternate; between them this cannot happen.',
        ]),
  ];
}

/** The comparison with its sentences. */
export function told(comparison: Comparison): CompareDocument {
  const { clients } = comparison;
  const attributions = [...new Set(clients.map(({ attribution }) => attribution.sentence))];
  return {
    ...comparison,
    sentences: {
      headline: headline(comparison),
      attribution:
        attributions.length === 1
          ? oneLine(attributions[0]!)
          : clients.map((client) => `${pairName(client)}: ${oneLine(client.attribution.sentence)}`).join(' '),
      family: familySentence(comparison),
      clients: clients.map(clientSentence),
      verdicts: clients.map(verdictSentence),
      caveats: caveats(comparison),
    },
  };
}
