/** What a comparison says, in sentences. Pure, from the comparison alone. */

import { redefined } from '../../src/audit/compare-audits/definitions.ts';
import type {
  ClientComparison,
  CompareDocument,
  Comparison,
  Condition,
  FamilyName,
  FigureComparison,
  RateComparison,
  SideVerdict,
} from '../../src/audit/compare-audits/document.ts';
import { isTold, primaryOf } from '../../src/audit/compare-audits/exit-code.ts';
import { METRICS } from '../../src/measure/metrics.ts';
import { METRIC_LABEL, percent, rate } from '../format.ts';
import { count, listed, oneLine, shorten } from '../text.ts';
import { changeText, figureLabel, smallestText } from './format.ts';

/** So many figures of a rate are named in a sentence; the table has them all. */
const NAMED = 3;

/** `vllm`, or `vllm → vllm-rs`. */
export const pairName = ({ a, b }: Pick<ClientComparison, 'a' | 'b'>): string =>
  a === b ? oneLine(a) : `${oneLine(a)} → ${oneLine(b)}`;

/** More requests than were asked for are as wrong as fewer, and nobody expects it. */
const moreThanAsked = ({ figure, state, b }: FigureComparison): string =>
  figure === 'rate' && state !== 'better' && (b.mean ?? 0) > 1 ? ', more than was asked' : '';

function atRate(
  { rate_rps, figures }: RateComparison,
  state: FigureComparison['state'],
  family: FamilyName,
): string | null {
  const own = figures.filter((figure) => figure.state === state && figure.family === family);
  if (own.length === 0) return null;
  const named = own
    .slice(0, NAMED)
    .map((figure) => `${figureLabel(figure.figure)} ${changeText(figure)}${moreThanAsked(figure)}`);
  const more = own.length - named.length;
  return `at ${rate(rate_rps)}/s: ${listed([...named, ...(more > 0 ? [`${more} more`] : [])])}`;
}

function clause(
  client: ClientComparison,
  state: 'worse' | 'better' | 'changed',
  family: FamilyName,
): string | null {
  const rates = client.rates.map((one) => atRate(one, state, family)).filter((text) => text !== null);
  const word = state === 'changed' ? 'changed, neither for better nor for worse,' : state;
  return rates.length === 0 ? null : `${word} ${rates.join('; ')}`;
}

/** Trials that failed or saturated on one side and not on the other, and rates that are gone. */
function outcomeClauses({ rates }: ClientComparison): string[] {
  const word = { worse: 'worse, ', better: 'better, ', undetermined: '', same: '' };
  return rates.flatMap(({ rate_rps, outcomes, gone }) => {
    const at = `at ${rate(rate_rps)}/s`;
    if (gone) return [`not run ${at} in B`];
    if (outcomes === null) return [];
    const { state, reason, saturation, saturation_reason } = outcomes;
    return [
      ...(state === 'same' ? [] : [`${word[state]}${at} ${reason}`]),
      ...(saturation === 'same' ? [] : [`${word[saturation]}${at} ${saturation_reason}`]),
    ];
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

/** What the undetermined ones among the latencies would have shown. */
function couldShow(open: readonly FigureComparison[]): string {
  const known = open
    .filter(({ smallest_change, unit }) => smallest_change !== null && unit === 'ms')
    .sort((x, y) => x.smallest_change! - y.smallest_change!)
    .map(smallestText);
  if (known.length === 0) return '';
  const [least, most] = [known[0]!, known.at(-1)!];
  return `; of latencies, changes show from ${least === most ? least : `${least} to ${most}`} on`;
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
  const undetermined = `${open.length} of ${count(compared.length, 'figure')} ${are} undetermined (${commonest(open)}${couldShow(open)})`;
  if (unchanged.length === 0 && decided === 0) return `nothing can be told: ${undetermined}`;
  return `${decided > 0 ? 'no other' : 'no'} change is shown; ${undetermined}`;
}

/** What changed of the figures that do not decide. */
function besidesClause(client: ClientComparison): string {
  const parts = (['worse', 'better', 'changed'] as const)
    .map((state) => clause(client, state, 'besides'))
    .filter((text) => text !== null);
  return parts.length === 0 ? '' : `besides, in figures that do not decide, ${parts.join('; ')}`;
}

/** The sentence of a client; begins with its name. */
export function clientSentence(client: ClientComparison): string {
  const figures = primaryOf(client);
  const refused = figures.filter(({ state }) => state === 'refused');
  const name = pairName(client);
  const parts = [
    clause(client, 'worse', 'primary'),
    clause(client, 'better', 'primary'),
    clause(client, 'changed', 'primary'),
    ...outcomeClauses(client),
  ].filter((text) => text !== null);
  const besides = besidesClause(client);
  if (refused.length === figures.length) {
    const none = `no figure that decides can be compared${figures.length === 0 ? '' : ` (${commonest(refused)})`}`;
    return `${name}: ${[...parts, none, besides].filter((text) => text !== '').join('; ')}.`;
  }
  const rest = restClause(figures);
  const other =
    refused.length === 0 ? '' : `${count(refused.length, 'figure')} not compared (${commonest(refused)})`;
  return `${name}: ${[...parts, rest, other, besides].filter((text) => text !== '').join('; ')}.`;
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

export type ClientState =
  | 'worse'
  | 'mixed'
  | 'better'
  | 'changed'
  | 'unchanged'
  | 'open'
  | 'partly'
  | 'untold'
  | 'refused';

/** The state of a client as a whole, by the figures that decide and by how its trials ended. */
export function clientState(client: ClientComparison): ClientState {
  const figures = primaryOf(client);
  const states = new Set<string>([
    ...figures.map(({ state }) => state),
    ...client.rates.flatMap(({ outcomes }) => [outcomes?.state ?? '', outcomes?.saturation ?? '']),
  ]);
  if (states.has('worse')) return states.has('better') ? 'mixed' : 'worse';
  if (states.has('better')) return 'better';
  if (states.has('changed')) return 'changed';
  if (!isTold(client)) return states.has('undetermined') ? 'untold' : 'refused';
  if (states.has('undetermined')) return 'open';
  return figures.some(({ state }) => state === 'refused') ? 'partly' : 'unchanged';
}

const HEADLINE: readonly (readonly [ClientState, string])[] = [
  ['worse', 'worse'],
  ['mixed', 'worse in some figures and better in others'],
  ['better', 'better'],
  ['changed', 'changed'],
  ['open', 'without a change that is shown'],
  ['unchanged', 'unchanged'],
  ['partly', 'unchanged in what could be compared, which is not all'],
  ['untold', 'nothing can be told of'],
  ['refused', 'not comparable'],
];

/** Clients that A has and B has not. */
function goneWords({ not_compared }: Comparison): string {
  const gone = not_compared.filter((one) => one.gone).map(({ client }) => oneLine(client));
  return gone.length === 0 ? '' : ` Gone from B: ${listed(gone)}.`;
}

function headline(comparison: Comparison): string {
  const { clients, same_audit } = comparison;
  const gone = goneWords(comparison);
  if (same_audit && clients.every(({ a, b }) => a === b))
    return 'A and B are the same audit: there is nothing to compare. Two of its clients are compared by --map one=other.';
  if (clients.length === 0) return `Nothing was compared: A and B have no client in common.${gone}`;
  if (clients.length === 1) return `${clientSentence(clients[0]!)}${gone}`;
  const parts = HEADLINE.flatMap(([state, words]) => {
    const own = clients.filter((client) => clientState(client) === state).map(pairName);
    return own.length === 0 ? [] : [`${words}${state === 'untold' ? '' : ':'} ${listed(own)}`];
  });
  const lost = clients.flatMap((client) => {
    const rates = client.rates.filter((one) => one.gone).map(({ rate_rps }) => `${rate(rate_rps)}/s`);
    return rates.length === 0 ? [] : [`${pairName(client)} at ${listed(rates)}`];
  });
  const notRun = lost.length === 0 ? '' : ` Not run in B: ${lost.join('; ')}.`;
  return `Of ${clients.length} clients, ${parts.join('; ')}.${gone}${notRun}`;
}

/** Repetitions that are worth their time. */
const ADVISED = 5;

/** The fewest repetitions of a figure that was judged. */
const fewest = (clients: readonly ClientComparison[]): number =>
  Math.min(
    ...clients.flatMap(primaryOf).flatMap(({ low, a, b }) => (low === null ? [] : [a.trials, b.trials])),
  );

function familySentence({ family: { primary, besides }, clients, same_audit }: Comparison): string {
  if (same_audit && clients.every(({ a, b }) => a === b)) return 'No interval: A and B are the same trials.';
  const all = primary.intervals + besides.intervals;
  if (all === 0)
    return `No figure has an interval and a floor: that takes two repetitions on both sides, ${ADVISED} to be of use.`;
  if (all === 1) return 'One interval, at 95 %.';
  const each = percent(Math.floor(primary.level_each * 1e5) / 1e5);
  const open = clients.flatMap(primaryOf).some(({ state }) => state === 'undetermined');
  const few = fewest(clients);
  return [
    primary.intervals === 0
      ? 'No figure that decides has an interval and a floor.'
      : `${count(primary.intervals, 'figure')} ${primary.intervals === 1 ? 'decides' : 'decide'}, judged together at 5 % (changes by Holm's step-down; an interval that is one of all is at about ${each} %). For spreads alike and values not far from normal they hold at once with 95 %; docs/compare.md has what they cover otherwise.`,
    ...(besides.intervals === 0
      ? []
      : [
          `${count(besides.intervals, 'other figure')} ${besides.intervals === 1 ? 'is' : 'are'} a family besides, judged together in the same way, and decide nothing unless --figures names them.`,
        ]),
    ...(open
      ? [
          few < ADVISED
            ? `With ${few} repetitions on a side intervals are wide: ${ADVISED} (--repetitions ${ADVISED}) are worth their time.`
            : 'Fewer clients or figures (--client, --figures), chosen before looking, and more repetitions make intervals narrower.',
        ]
      : []),
  ].join(' ');
}

/** Figures that are said to have changed, or not to have, by spreads that are very unlike. */
function unlikeSpreads({ clients }: Comparison): string[] {
  const doubtful = clients.flatMap((client) =>
    client.rates.flatMap(({ rate_rps, figures }) =>
      figures
        .filter(
          ({ caveat, family, state }) => caveat !== '' && (family === 'primary' || state !== 'unchanged'),
        )
        .map(({ figure }) => `${pairName(client)} at ${rate(rate_rps)}/s, ${figureLabel(figure)}`),
    ),
  );
  if (doubtful.length === 0) return [];
  const more = doubtful.length - NAMED;
  const named = [...doubtful.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])];
  return [
    `The spread between repetitions is more than three times as large on one side: ${named.join('; ')}. Intervals of such figures miss more often than stated: repeat them before believing them.`,
  ];
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
    ...unlikeSpreads(comparison),
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
