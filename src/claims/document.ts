/** A claim audited: from the claim and what is known to claim.json. Pure. */
import { version } from '../system/version.ts';
import type { ArithmeticCheck, CheckResult } from './arithmetic-check.ts';
import { assessChecklist } from './checklist/assess.ts';
import { type Claim, type ClaimRow, METRIC_UNIT, type Quantity } from './claim.ts';
import { CLAIM_SCHEMA, type ClaimDocument } from './document-schema.ts';
import type { ClientKnowledge, ExpectedBias } from './evidence-types.ts';
import { digestOf } from './verdict/digest.ts';
import { type FigureVerdict, judgeFigure } from './verdict/figure.ts';
import { type HeadlineVerdict, judgeHeadline } from './verdict/headline.ts';
import { questionsOf } from './verdict/questions.ts';
import { verdictCounts, wholeVerdict } from './verdict/whole.ts';

/** What is known from elsewhere than the claim. */
export interface Evidence {
  readonly checks: readonly ArithmeticCheck[];
  readonly client: ClientKnowledge | null;
  readonly expected: readonly ExpectedBias[];
}

type QuantityJson = ClaimDocument['claim']['headlines'][number]['ratio'];

const quantity = ({ value, half, text }: Quantity, unit: string): QuantityJson => ({
  value: Number.isFinite(value) ? value : null,
  half,
  unit,
  text,
});
const maybe = (one: Quantity | null, unit: string): QuantityJson | null =>
  one === null ? null : quantity(one, unit);

const rowJson = (row: ClaimRow): ClaimDocument['claim']['rows'][number] => ({
  id: row.id,
  system: row.system,
  rate: maybe(row.rateRps, 'requests/s'),
  concurrency: maybe(row.concurrency, 'requests'),
  requests: maybe(row.requests, 'requests'),
  duration: maybe(row.durationS, 's'),
  input_tokens: maybe(row.inputTokens, 'tokens'),
  output_tokens: maybe(row.outputTokens, 'tokens'),
  output_length: row.outputLength,
  run: row.run,
  prompts_of: row.promptsOf,
  figures: row.figures.map((one) => ({
    id: one.id,
    metric: one.metric,
    statistic: one.statistic,
    quantity: quantity(one.quantity, METRIC_UNIT[one.metric]),
    line: one.line,
  })),
  line: row.line,
});

const claimJson = (claim: Claim): ClaimDocument['claim'] => ({
  title: claim.title,
  claimant: claim.claimant,
  sources: claim.sources.map((source) => ({ ...source })),
  systems: claim.systems.map(({ prefixCache, ...system }) => ({ ...system, prefix_cache: prefixCache })),
  client: { ...claim.measurement.client },
  rows: claim.rows.map(rowJson),
  headlines: claim.headlines.map((one) => ({ ...one, ratio: quantity(one.ratio, '') })),
  notes: [...claim.notes],
});

/** Where a check applies nowhere in a claim, its one line; results that apply come in the order of the checks. */
const runChecks = (claim: Claim, checks: readonly ArithmeticCheck[]): readonly CheckResult[] =>
  checks.flatMap((check) => check.run(claim));

function summary(
  verdict: ClaimDocument['verdict'],
  figures: readonly FigureVerdict[],
  headlines: readonly HeadlineVerdict[],
): string {
  const counts = verdictCounts(figures, headlines);
  const meaning = {
    supported: 'nothing that is stated stands against it',
    contradicted: 'not all of it can be true as stated',
    undetermined: 'what is stated does not decide it',
  }[verdict];
  return `${meaning} (${counts === '' ? 'it has no figure' : counts})`;
}

/** @param file the claim's file as the user named it */
export function auditClaim(
  file: string,
  claim: Claim,
  { checks, client, expected }: Evidence,
): ClaimDocument {
  const results = runChecks(claim, checks);
  const checklist = assessChecklist(claim, client);
  const grounds = { claim, results, checklist, expected };
  const figures = claim.rows.flatMap((row) => row.figures.map((figure) => judgeFigure(figure, grounds)));
  const headlines = claim.headlines.map((one) => judgeHeadline(one, claim, results, figures));
  const verdict = wholeVerdict([...figures, ...headlines], checklist);
  // Plain data: the lists of the parts are read-only, those of a document are not.
  return structuredClone({
    schema: CLAIM_SCHEMA,
    tare_version: version,
    file,
    verdict,
    summary: summary(verdict, figures, headlines),
    claim: claimJson(claim),
    figures,
    headlines,
    digest: digestOf(results),
    checks: results,
    checklist,
    known_client: client === null ? null : knownJson(client),
    expected_bias: expected,
    questions: questionsOf(results, checklist),
  }) as ClaimDocument;
}

const knownJson = ({ decides: _, ...known }: ClientKnowledge): Omit<ClientKnowledge, 'decides'> => known;
