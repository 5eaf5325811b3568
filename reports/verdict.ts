/** One sentence a client: up to which rate it tells the truth here, and what it does beyond. Pure, from the findings alone. */
import type { AuditDocument, Finding } from '../src/audit/document.ts';
import { intervalMs, limitMs, METRIC_LABEL, ms, percent, rate } from './format.ts';
import {
  allowedFor,
  arrivalsFor,
  DEFAULT_TOLERANCE_MS,
  headlineMetric,
  type RateVerdict,
  ratesOf,
  rateVerdict,
} from './rate-verdict.ts';
import { noBiasNote, reportedClause } from './reported-verdict.ts';
import { byWhom, hasTruth } from './target-words.ts';
import { count, listed, oneLine, shorten } from './text.ts';

/**
 * `within`: at every rate tried. `bounded`: up to a rate, and not beyond it. `out`: not even at the lowest rate. `undetermined`:
 * no rate could be decided. `notMeasured`: it is missing, or every trial failed.
 */
export type VerdictKind = 'within' | 'bounded' | 'out' | 'undetermined' | 'notMeasured';

export interface ClientVerdict {
  readonly client: string;
  readonly verdict: VerdictKind;
  /** The highest rate such that it and every lower rate tried is within tolerance; null if there is none. */
  readonly holds_rps: number | null;
  /** The lowest rate at which it is biased, saturated or failed; null if there is none. */
  readonly fails_rps: number | null;
  /** As asked for; where a figure's floor is larger, that was applied, and the sentence says so. */
  readonly tolerance_ms: number;
  readonly rates: readonly RateVerdict[];
  /** Begins with the client's name. */
  readonly sentence: string;
  /** Its beginning, for a first line: what holds up to where, and what ends it. */
  readonly headline: string;
  /** All the rest of it, as sentences of their own. */
  readonly details: readonly string[];
}

/** Beyond the edges of a run: it sends more than was asked. */
const EXCESS = 1.05;

const FAILS = new Set(['biased', 'saturated', 'failed']);

/** The verdicts of all clients of the plan, in its order. */
export const clientVerdicts = (
  document: AuditDocument,
  tolerance_ms = DEFAULT_TOLERANCE_MS,
): readonly ClientVerdict[] =>
  document.clients.map((entry) => clientVerdict(document, entry.name, tolerance_ms));

/** The verdict of one client. */
export function clientVerdict(
  document: AuditDocument,
  client: string,
  tolerance_ms = DEFAULT_TOLERANCE_MS,
): ClientVerdict {
  const rates = ratesOf(document).map((r) => rateVerdict(document, client, r, tolerance_ms));
  const run = rates.filter((r) => r.state !== 'notRun');
  const firstOther = rates.findIndex((r) => r.state !== 'within');
  const held = firstOther === -1 ? rates : rates.slice(0, firstOther);
  const holds_rps = held.at(-1)?.rate_rps ?? null;
  const fails_rps = rates.find((r) => FAILS.has(r.state))?.rate_rps ?? null;
  const kind = kindOf(run, held, fails_rps, hasTruth(document));
  const { clauses, headline, details } =
    kind === 'notMeasured'
      ? whole(notMeasured(document, client, rates))
      : measured(rates, held, document, client, tolerance_ms);
  const name = oneLine(client);
  return {
    client,
    verdict: kind,
    holds_rps,
    fails_rps,
    tolerance_ms,
    rates,
    sentence: `${name}: ${clauses}`,
    headline: `${name}: ${headline}`,
    details,
  };
}

/** What is said of a client, but for its name: as one text, and the same cut into a first line and the rest. */
interface Said {
  readonly clauses: string;
  readonly headline: string;
  readonly details: readonly string[];
}

const whole = (text: string): Said => ({ clauses: text, headline: text, details: [] });

const asSentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

function kindOf(
  run: readonly RateVerdict[],
  held: readonly RateVerdict[],
  fails: number | null,
  truth: boolean,
): VerdictKind {
  if (run.every((r) => r.state === 'failed')) return 'notMeasured';
  if (!truth) return 'undetermined';
  if (held.length > 0) return fails === null && held.length === run.length ? 'within' : 'bounded';
  return run[0]!.state === 'unclear' ? 'undetermined' : 'out';
}

function notMeasured(document: AuditDocument, client: string, rates: readonly RateVerdict[]): string {
  const found = document.clients.find((entry) => entry.name === client)?.found;
  if (found?.state === 'missing')
    return `not measured, it is not installed (${oneLine(found.reason)}). Remedy: ${oneLine(found.remedy)}`;
  const failures = rates.flatMap((r) => r.failures);
  if (failures.length === 0) return `not measured: ${rates[0]?.reason ?? 'no trial was run'}.`;
  const reason = rates.find((r) => r.state === 'failed')!.reason;
  return `not measured: ${failures.length === 1 ? 'its only trial' : `all ${failures.length} trials`} failed (${brief(reason)}).`;
}

function measured(
  rates: readonly RateVerdict[],
  held: readonly RateVerdict[],
  document: AuditDocument,
  client: string,
  tolerance_ms: number,
): Said {
  const others: Clause[] = [
    againClause(rates, held, tolerance_ms),
    biasClause(rates),
    saturatedClause(rates),
    failedClause(rates),
    hasTruth(document) ? unclearClause(rates) : reportedClause(document, client, rates),
    excessClause(document, client, rates),
    notRunClause(rates),
  ].filter((clause) => clause !== null);
  // In order of the rate at which each thing first happens.
  others.sort((a, b) => a.from_rps - b.from_rps);
  const within = withinClause(held, held.length === rates.length, tolerance_ms);
  // What ends the claim; where nothing fails, what is not known.
  const first = others.find((clause) => clause.ends) ?? others[0];
  const parts = [within, ...others.map((clause) => clause.text)].filter((part) => part !== '');
  const notes = [
    definitionNote(document, client),
    headersNote(document, client),
    hasTruth(document) ? '' : noBiasNote(rates),
    lostTrialsNote(rates),
    repetitionNote(document),
  ].filter((note) => note !== '');
  return {
    clauses: [`${parts.join('; ')}.`, ...notes].join(' '),
    headline: `${[within, first?.text ?? ''].filter((part) => part !== '').join('; ')}.`,
    details: [...others.filter((clause) => clause !== first).map(({ text }) => asSentence(text)), ...notes],
  };
}

const metricName = (finding: Finding): string => `${METRIC_LABEL[finding.metric]} ${finding.statistic}`;

/** A part of the sentence, and the lowest rate that it is about. */
interface Clause {
  readonly from_rps: number;
  readonly text: string;
  /** It says why the client is not within tolerance at a rate. */
  readonly ends?: true;
}

function withinClause(held: readonly RateVerdict[], all: boolean, tolerance_ms: number): string {
  if (held.length === 0) return '';
  const [low, high] = [rate(held[0]!.rate_rps), rate(held.at(-1)!.rate_rps)];
  const only =
    held.length === 1 ? `at ${low}/s, the only rate tried` : `at every rate tried, ${low}–${high}/s`;
  return `${bounds(held, tolerance_ms)} ${all ? only : `up to ${high}/s`}`;
}

/** Rates within tolerance above one that is not: a client may be slower to wake when idle, or the lower rate be a mishap. */
function againClause(
  rates: readonly RateVerdict[],
  held: readonly RateVerdict[],
  tolerance_ms: number,
): Clause | null {
  const again = rates.filter((r) => r.state === 'within' && !held.includes(r));
  if (again.length === 0) return null;
  return { from_rps: again[0]!.rate_rps, text: `${bounds(again, tolerance_ms)} at ${at(again)}` };
}

/** `within 1 ms (TTFT p50 and p99)`, or each figure with its own bound where floors make them differ. */
function bounds(held: readonly RateVerdict[], tolerance_ms: number): string {
  const findings = held.flatMap((r) => r.headline);
  const metric = METRIC_LABEL[findings[0]!.metric];
  const figures = [...new Set(findings.map((f) => f.statistic))].map((statistic) => {
    const allowed = findings.filter((f) => f.statistic === statistic).map((f) => allowedFor(f, tolerance_ms));
    return { statistic, bound: Math.max(...allowed) };
  });
  const isFloor = (bound: number) => bound > tolerance_ms;
  const [first] = figures;
  if (figures.every(({ bound }) => bound === first!.bound))
    return `within ${limitMs(first!.bound)} ms${isFloor(first!.bound) ? ', the floor here' : ''} (${metric} ${listed(figures.map((f) => f.statistic))})`;
  return `within ${listed(figures.map(({ statistic, bound }) => `${limitMs(bound)} ms (${metric} ${statistic}${isFloor(bound) ? ', the floor here' : ''})`))}`;
}

function biasClause(rates: readonly RateVerdict[]): Clause | null {
  const biased = rates.filter((r) => r.state === 'biased');
  const first = biased[0];
  if (first === undefined) return null;
  const figures = first.biased.map((finding) => {
    const bias = finding.bias_ms!;
    const interval = intervalMs(finding.low_ms, finding.high_ms);
    return bias > 0
      ? `adds ${ms(bias)} ms ${interval} to ${metricName(finding)}`
      : `takes ${ms(-bias)} ms ${intervalMs(-finding.high_ms!, -finding.low_ms!)} off ${metricName(finding)}`;
  });
  const { statistic, bias_ms: start } = first.biased[0]!;
  const last = biased.at(-1)!;
  const peak = last.headline.find((f) => f.statistic === statistic)?.bias_ms ?? 0;
  const growth =
    last !== first && Math.abs(peak) > 2 * Math.abs(start!)
      ? `, and ${ms(Math.abs(peak))} ms at ${rate(last.rate_rps)}/s (${statistic})`
      : '';
  return {
    from_rps: first.rate_rps,
    text: `at ${rate(first.rate_rps)}/s it ${listed(figures)}${growth}`,
    ends: true,
  };
}

function saturatedClause(rates: readonly RateVerdict[]): Clause | null {
  const first = rates.find((r) => r.state === 'saturated');
  if (first === undefined) return null;
  const { rate: found } = first;
  const short =
    found?.source !== 'printed' &&
    found?.fidelity !== null &&
    found?.fidelity !== undefined &&
    found.fidelity < 0.98;
  return {
    from_rps: first.rate_rps,
    ends: true,
    text: short
      ? `asked for ${rate(first.rate_rps)}/s it sends ${rate(found.achieved_rps)}/s${byWhom(found)} (${percent(found.fidelity)} %), so its figures from there on belong to a lower rate`
      : `saturated at ${rate(first.rate_rps)}/s (${brief(first.reason)})`,
  };
}

/** More than was asked for is no better than less: the load was another than the one that the figures are put down to. */
function excessClause(document: AuditDocument, client: string, rates: readonly RateVerdict[]): Clause | null {
  // A random process may send more by chance.
  if (arrivalsFor(document.plan, client) !== 'constant') return null;
  const over = rates.filter((r) => (r.rate?.fidelity ?? 1) > EXCESS && r.state !== 'failed');
  if (over.length === 0) return null;
  const list = over.map((r) => `${rate(r.rate!.achieved_rps)}/s (${percent(r.rate!.fidelity)} %)`);
  return { from_rps: over[0]!.rate_rps, text: `asked for ${at(over)} it sends ${listed(list)}` };
}

function failedClause(rates: readonly RateVerdict[]): Clause | null {
  const failed = rates.filter((r) => r.state === 'failed');
  if (failed.length === 0) return null;
  return {
    from_rps: failed[0]!.rate_rps,
    ends: true,
    text: `no result at ${at(failed)} (${brief(failed[0]!.reason)})`,
  };
}

function unclearClause(rates: readonly RateVerdict[]): Clause | null {
  const unclear = rates.filter((r) => r.state === 'unclear');
  if (unclear.length === 0) return null;
  const where = unclear.length === 1 ? '' : `at ${rate(unclear[0]!.rate_rps)}/s `;
  return {
    from_rps: unclear[0]!.rate_rps,
    text: `undetermined at ${at(unclear)} (${where}${unclear[0]!.reason})`,
  };
}

function notRunClause(rates: readonly RateVerdict[]): Clause | null {
  const missing = rates.filter((r) => r.state === 'notRun');
  if (missing.length === 0) return null;
  return {
    from_rps: missing[0]!.rate_rps,
    text: `not run at ${at(missing)} (${brief(missing[0]!.reason)})`,
  };
}

/** A client may count another thing than the field does; that is no delay of its own, but the reader must know. */
function definitionNote(document: AuditDocument, client: string): string {
  const metric = headlineMetric(document, client);
  const finding = document.findings.find(
    (f) =>
      f.client === client && f.metric === metric && f.statistic === 'p50' && f.definition_bias_ms !== null,
  );
  const bias = finding?.definition_bias_ms ?? 0;
  if (finding === undefined || Math.abs(bias) <= Math.max(DEFAULT_TOLERANCE_MS, finding.floor_ms ?? 0))
    return '';
  return `By its own definition its ${metricName(finding)} reads ${ms(Math.abs(bias))} ms ${bias < 0 ? 'less' : 'more'} than the standard one.`;
}

/** A definition that this target does not bring to light: it sends its head with the first token. */
function headersNote(document: AuditDocument, client: string): string {
  const facts = document.clients.find((entry) => entry.name === client)?.facts;
  return facts?.definitions.ttft === 'headers' && definitionNote(document, client) === ''
    ? 'Its TTFT is the time to the response head, which this target sends with the first token; others send it sooner.'
    : '';
}

function lostTrialsNote(rates: readonly RateVerdict[]): string {
  const partly = rates.filter((r) => r.state !== 'failed' && r.failures.length > 0);
  const lost = partly.flatMap((r) => r.failures);
  return lost.length === 0
    ? ''
    : `${count(lost.length, 'trial')} at ${at(partly)} failed and ${lost.length === 1 ? 'is' : 'are'} left out.`;
}

const repetitionNote = (document: AuditDocument): string =>
  document.plan.repetitions === 1 ? 'From one repetition.' : '';

const at = (rates: readonly RateVerdict[]): string => listed(rates.map((r) => `${rate(r.rate_rps)}/s`));

/** A client's own words, short enough for a sentence. */
const brief = (reason: string): string => shorten(oneLine(reason).replace(/\.$/, ''), 100);
