/** The result of a search in words. Pure, from the document alone. */
import type { EnvelopeClient, EnvelopeDocument, FailedFirst } from '../../src/audit/envelope/document.ts';
import { termName } from '../../src/audit/envelope/term-words.ts';
import type { Bracket } from '../../src/measure/envelope/bracket.ts';
import { rate } from '../format.ts';
import { count, listed, oneLine } from '../text.ts';

/** `93 %`; never 100 %. */
export const confidenceWords = (share: number): string =>
  `${share > 0.995 ? '> 99' : Math.round(share * 100)} %`;

const rates = (values: readonly number[]): string => `${listed(values.map((value) => rate(value)))}/s`;

/** The bracket, short: `950 – 1,060`, `≥ 5,000`, `< 25`. */
export function bracketShort(bracket: Bracket | null): string {
  if (bracket === null) return '–';
  const { state, holds, fails } = bracket;
  if (state === 'bracket') return `${rate(holds!.rate_rps)} – ${rate(fails!.rate_rps)}`;
  if (state === 'atLeast') return `≥ ${rate(holds!.rate_rps)}`;
  return state === 'none' ? `< ${rate(fails!.rate_rps)}` : '?';
}

/** Where the limit is likely if not in the bracket: `90 % for 800 to 1,600`; empty where the bracket is it. */
export function likelyWords(bracket: Bracket | null): string {
  // A document of an earlier Tare has none.
  const likely = bracket?.likely ?? null;
  if (likely === null) return '';
  const { low_rps: low, high_rps: high, confidence } = likely;
  const range =
    low === null
      ? high === null
        ? 'any rate'
        : `below ${rate(high)}`
      : high === null
        ? `${rate(low)} or more`
        : `${rate(low)} to ${rate(high)}`;
  return `${confidenceWords(confidence)} for ${range}`;
}

function edge(bracket: Bracket): string {
  const { state, limit, holds, fails, target_rps } = bracket;
  if (state === 'bracket') return `holds at ${rate(holds!.rate_rps)}/s, fails at ${rate(fails!.rate_rps)}/s`;
  if (state === 'none')
    return `does not hold at any rate that could be told: it fails at ${rate(fails!.rate_rps)}/s`;
  if (state === 'undetermined')
    return limit === 'target'
      ? `undetermined: at ${rate(target_rps)}/s the target itself is at its limit`
      : 'undetermined: no rate could be told';
  const least = `holds at ${rate(holds!.rate_rps)}/s at least`;
  switch (limit) {
    case 'top':
      return `${least}, the highest rate of the search`;
    case 'target':
      return `${least}: at ${rate(target_rps)}/s the target's own limit is reached, which says nothing of the client`;
    case 'unclear':
      return `${least}: what lies above could not be told`;
    default:
      return `${least}: the search ended before it found a rate that fails`;
  }
}

/** What is odd or open about a bracket, a sentence each. */
export function notesOf(client: EnvelopeClient): string[] {
  const { bracket, not_given, reason } = client;
  const notes: string[] = [];
  if (bracket?.not_monotone != null)
    notes.push(
      `Not monotone: it fails at ${rate(bracket.not_monotone.fails_rps)}/s and holds at ${rate(bracket.not_monotone.holds_rps)}/s; the envelope ends at the lower one.`,
    );
  if (bracket !== null && bracket.unclear_rps.length > 0)
    notes.push(`Undetermined at ${rates(bracket.unclear_rps)}.`);
  if (bracket?.state === 'bracket' && bracket.limit !== 'narrow')
    notes.push(
      bracket.limit === 'unclear'
        ? 'The bracket is wider than asked: what lies between could not be told.'
        : 'The bracket is wider than asked: the budget ended.',
    );
  if (not_given.length > 0)
    notes.push(`Not judged, since it gives no such figure: ${listed(not_given.map(termName))}.`);
  if (reason !== '' && bracket !== null) notes.push(`Its search ended: ${oneLine(reason)}.`);
  return notes;
}

/** What gave way, as a sentence: how a client ended is told as `exit code 3; …`. */
function firstWords({ words }: FailedFirst): string {
  const line = oneLine(words);
  const whole = /[.!?]$/.test(line) ? line : `${line}.`;
  return /^exit code \d/.test(whole)
    ? `It ended with ${whole}`
    : /^ended by a signal/.test(whole)
      ? `It was ${whole}`
      : whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** The result of a client, in a sentence that begins with its name. */
export function clientSentence(client: EnvelopeClient): string {
  const name = oneLine(client.name);
  if (client.state === 'notRun')
    return client.found.state === 'missing'
      ? `${name}: not run, it is not installed.`
      : `${name}: not run${client.reason === '' ? '' : ` (${oneLine(client.reason)})`}.`;
  if (client.bracket === null)
    return `${name}: not measured: none of ${count(client.trials, 'trial')} gave figures (${oneLine(client.reason)}).`;
  const { confidence, holds, fails } = client.bracket;
  const trials = [
    ...(holds === null
      ? []
      : [`${holds.holds} of ${count(holds.trials, 'trial')} held at ${rate(holds.rate_rps)}`]),
    ...(fails === null
      ? []
      : [`${fails.fails} of ${count(fails.trials, 'trial')} failed at ${rate(fails.rate_rps)}`]),
  ];
  const likely = likelyWords(client.bracket);
  const sure =
    confidence === null
      ? ''
      : `, confidence ${confidenceWords(confidence)}${likely === '' ? '' : `; ${likely}`}`;
  const first = client.failed_first === null ? '' : ` ${firstWords(client.failed_first)}`;
  const why = client.why === null ? '' : ` Why: ${oneLine(client.why.sentence)}.`;
  return `${name}: ${edge(client.bracket)}${trials.length === 0 ? '' : ` (${trials.join('; ')}${sure})`}.${first}${why}`;
}

/** Installed clients in the order of their envelopes, the highest first; those without a bracket last. */
export const ranked = (document: EnvelopeDocument): EnvelopeClient[] =>
  document.clients
    .filter(({ state }) => state !== 'notRun')
    .toSorted(
      (a, b) =>
        (b.bracket?.holds?.rate_rps ?? (b.bracket === null ? -2 : -1)) -
          (a.bracket?.holds?.rate_rps ?? (a.bracket === null ? -2 : -1)) ||
        a.name.localeCompare(b.name, 'en'),
    );

/** What the confidences rest on. */
export function noiseSentence({ noise }: EnvelopeDocument): string {
  const seen =
    noise.repeated_trials === 0
      ? 'no rate gave two verdicts'
      : `of ${count(noise.repeated_trials, 'trial')} at rates that were tried more than once, ${noise.disagree} disagreed with most of their rate`;
  return `Confidence: that the client's limit, edge or slope, lies in the bracket, where far from it a trial's verdict is wrong at most ${(100 * noise.used).toFixed(0)} % of the time (${noise.used > noise.assumed ? 'as seen here' : 'assumed'}; ${seen}).`;
}
