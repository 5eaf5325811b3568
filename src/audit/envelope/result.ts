/** A client's result from its trials: the bracket, what was measured at both sides, and what gave way first. Pure. */

import { type Bracket, bracketOf } from '../../measure/envelope/bracket.ts';
import { ASSUMED_NOISE, noiseSeen, noiseUsed } from '../../measure/envelope/confidence.ts';
import type { EndReason } from '../../measure/envelope/search.ts';
import { type Try, tallies } from '../../measure/envelope/tally.ts';
import type { ClientEntry, Floor, Trial } from '../document.ts';
import { findings, rateFindings } from '../findings.ts';
import type {
  BiasTerm,
  ClientState,
  EnvelopeClient,
  EnvelopeDocument,
  EnvelopeSearch,
  EnvelopeTrial,
  FailedFirst,
  SideFigures,
  SideTerm,
  Term,
} from './document.ts';
import { termWords } from './term-words.ts';

/** How a client's search ended; null: it has not. */
export interface Ended {
  readonly why: EndReason | 'interrupted';
  /** What ended it besides, in words; empty where nothing did. */
  readonly reason: string;
}

const triesOf = (trials: readonly EnvelopeTrial[]): Try[] =>
  trials.map(({ rate_rps, verdict, purpose }) => ({ rate_rps, verdict, purpose }));

/** How the trials of the same client at the same rate disagreed, over all clients. */
export function noiseOf(
  trials: readonly EnvelopeTrial[],
  clients: readonly string[],
  confirm: number,
): EnvelopeDocument['noise'] {
  const cells = clients.flatMap((name) =>
    tallies(triesOf(trials.filter(({ client }) => client === name)), confirm).map((cell) => ({
      holds: cell.holds,
      fails: cell.fails + cell.target,
    })),
  );
  const seen = noiseSeen(cells);
  return {
    assumed: ASSUMED_NOISE,
    repeated_trials: seen.trials,
    disagree: seen.disagree,
    used: noiseUsed(seen),
  };
}

/** The worst of what trials were allowed, or their floors. */
const most = (values: readonly (number | null)[]): number | null => {
  const there = values.filter((value) => value !== null);
  return there.length === 0 ? null : Math.max(...there);
};

function sideTerm(
  name: string,
  rows: readonly BiasTerm[],
  trials: readonly Trial[],
  floor: Floor | null,
): SideTerm {
  const [metric, statistic] = name.split('_');
  const one = findings(trials, floor).find((f) => f.metric === metric && f.statistic === statistic);
  const between = one?.interval === 'between trials' && one.trials >= 3;
  const ends = rows.flatMap(({ low_ms, high_ms }) =>
    low_ms === null || high_ms === null ? [] : [{ low_ms, high_ms }],
  );
  const hull = ends.length > 0 && ends.length === rows.length;
  return {
    name,
    trials: rows.length,
    bias_ms: one?.bias_ms ?? null,
    low_ms: between ? one.low_ms : hull ? Math.min(...ends.map(({ low_ms }) => low_ms)) : null,
    high_ms: between ? one.high_ms : hull ? Math.max(...ends.map(({ high_ms }) => high_ms)) : null,
    interval: between ? 'between trials' : hull ? 'hull of trials' : 'none',
    allowed_ms: Math.max(...rows.map(({ allowed_ms }) => allowed_ms)),
    floor_ms: most(rows.map(({ floor_ms }) => floor_ms)),
  };
}

const isBias = (term: Term): term is BiasTerm => term.name !== 'rate';

function sideFigures(
  rate_rps: number,
  judged: readonly EnvelopeTrial[],
  all: readonly Trial[],
  floor: Floor | null,
): SideFigures {
  // A trial that tells nothing (disturbed, or at the target's limit) shows the machine, and would stand in the client's figures.
  const here = judged.filter(
    ({ rate_rps: at, verdict }) => at === rate_rps && (verdict === 'holds' || verdict === 'fails'),
  );
  const trials = all.filter(({ id }) => here.some((one) => one.id === id));
  const fidelities = trials
    .map(({ truth }) => truth?.rate_fidelity ?? null)
    .filter((value) => value !== null);
  const names = [...new Set(here.flatMap(({ terms }) => terms.filter(isBias).map(({ name }) => name)))];
  return {
    rate_rps,
    trials: here.map(({ id }) => id),
    fidelity: rateFindings(trials)[0]?.fidelity ?? null,
    fidelity_low: fidelities.length === 0 ? null : Math.min(...fidelities),
    fidelity_high: fidelities.length === 0 ? null : Math.max(...fidelities),
    terms: names.map((name) =>
      sideTerm(
        name,
        here.flatMap(({ terms }) => terms.filter(isBias).filter((term) => term.name === name)),
        trials,
        floor,
      ),
    ),
  };
}

/** How far beyond what is allowed a term is, as a multiple of it. */
const excess = (term: Term): number =>
  isBias(term)
    ? Math.abs(term.bias_ms ?? 0) / term.allowed_ms
    : Math.abs(1 - (term as { share: number }).share) / (term as { allowed_share: number }).allowed_share;

/** What gave way at the failing side: what fails in most trials there, and of those what is farthest beyond its tolerance. */
export function failedFirst(here: readonly EnvelopeTrial[]): FailedFirst | null {
  const failing = here.filter(({ verdict }) => verdict === 'fails');
  const [first] = failing;
  if (first === undefined) return null;
  const terms = failing.flatMap((trial) => trial.terms.filter(({ verdict }) => verdict === 'fails'));
  if (terms.length === 0)
    return { name: 'run', words: first.reason, trials: failing.length, of: here.length };
  const names = [...new Set(terms.map(({ name }) => name))];
  const groups = names.map((name) => terms.filter((term) => term.name === name));
  groups.sort((a, b) => b.length - a.length || Math.max(...b.map(excess)) - Math.max(...a.map(excess)));
  const group = groups[0]!;
  const middle = group.toSorted((a, b) => excess(a) - excess(b))[(group.length - 1) >> 1]!;
  return { name: middle.name, words: termWords(middle), trials: group.length, of: here.length };
}

function stateOf(judged: readonly EnvelopeTrial[]): { state: ClientState; reason: string } {
  if (judged.length === 0) return { state: 'notRun', reason: '' };
  const measured = judged.some(({ terms }) => terms.length > 0);
  return measured
    ? { state: 'searched', reason: '' }
    : { state: 'notMeasured', reason: judged.at(-1)!.reason };
}

/** A client's result so far. */
export function clientResult(
  entry: ClientEntry,
  search: EnvelopeSearch,
  judged: readonly EnvelopeTrial[],
  all: readonly Trial[],
  floor: Floor | null,
  ended: Ended,
  noise: number,
): EnvelopeClient {
  const { name, title, found } = entry;
  const { state, reason } = stateOf(judged);
  const bracket: Bracket | null =
    state === 'searched' ? bracketOf(search, triesOf(judged), ended.why, noise) : null;
  const at = (rate: number | undefined): SideFigures | null =>
    rate === undefined ? null : sideFigures(rate, judged, all, floor);
  const given = new Set(judged.flatMap(({ terms }) => terms.map((term) => term.name)));
  const beyond = bracket?.fails?.rate_rps ?? null;
  return {
    name,
    title,
    found,
    state,
    reason: [ended.reason, reason].filter((one) => one !== '').join('; '),
    bracket,
    at_holds: at(bracket?.holds?.rate_rps),
    at_fails: at(beyond ?? undefined),
    failed_first: beyond === null ? null : failedFirst(judged.filter(({ rate_rps }) => rate_rps === beyond)),
    why: null,
    not_given: [...new Set(judged.flatMap(({ not_given }) => not_given))].filter((one) => !given.has(one)),
    trials: judged.length,
    elapsed_s: Math.round(judged.reduce((sum, { elapsed_s }) => sum + elapsed_s, 0) * 10) / 10,
  };
}
