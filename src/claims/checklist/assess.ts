/** The checklist filled in: each point `stated`, `not stated` or `contradicted`, with the figures that hang on it. Pure. */
import type { Claim, ClaimFigure, ClaimRow } from '../claim.ts';
import type { ClientKnowledge } from '../evidence-types.ts';
import { type Contradiction, contradictionsOf } from './contradictions.ts';
import { type ChecklistAnswer, type ChecklistRule, MEASURED, type Stated } from './item.ts';
import { CHECKLIST } from './rules.ts';

interface Placed {
  readonly row: ClaimRow;
  readonly figure: ClaimFigure;
}

const words = (answer: Stated): string | null =>
  answer === null || typeof answer === 'string' ? answer : answer.partly;

/** `200 in, 200 out, fixed`; of rows that differ each value once, and how many there are. */
function answers(values: readonly string[]): string {
  const distinct = [...new Set(values)];
  return distinct.length <= 4
    ? distinct.join('; ')
    : `${distinct.slice(0, 2).join('; ')} … ${distinct.at(-1)} (${distinct.length} values)`;
}

function notStated(missing: readonly Placed[], all: readonly Placed[], stated: string): string {
  if (missing.length === all.length) return stated === '' ? 'not stated' : stated;
  const rows = [...new Set(missing.map(({ row }) => row.id))];
  const named =
    rows.length <= 4 ? rows.join(', ') : `${rows.slice(0, 3).join(', ')} and ${rows.length - 3} more rows`;
  return `${stated}; not stated for ${missing.length} of ${all.length} figures (${named})`;
}

function assess(
  claim: Claim,
  rule: ChecklistRule,
  contradictions: readonly Contradiction[],
): ChecklistAnswer {
  const figures = claim.rows.flatMap((row) => row.figures.map((figure) => ({ row, figure })));
  const { id, title, why } = rule;
  const against = contradictions.filter((one) => one.id === id);
  // A point that decides nothing where it is left out does so where it cannot be: the claim is then wrong about how it was measured.
  const decides = against.length > 0 && rule.decides.length === 0 ? MEASURED : rule.decides;
  const deciding = figures.filter(({ figure }) => decides.includes(figure.metric));
  if (against.length > 0) {
    const about = (row: ClaimRow): boolean =>
      against.some(({ rows }) => rows === null || rows.includes(row.id));
    return {
      id,
      title,
      state: 'contradicted',
      answer: against.map(({ words }) => words).join('; '),
      why,
      question: `${rule.question} (${against[0]!.words}.)`,
      figures: deciding.filter(({ row }) => about(row)).map(({ figure }) => figure.id),
    };
  }
  if (deciding.length === 0) {
    const answer = claim.rows[0] === undefined ? null : rule.answer(claim, claim.rows[0], null);
    const asked = rule.decides.length === 0;
    return {
      id,
      title,
      state: typeof answer === 'string' ? 'stated' : 'not stated',
      answer: words(answer) ?? (asked ? 'not stated' : 'not stated; no figure of this claim depends on it'),
      why,
      question: typeof answer !== 'string' && asked ? rule.question : null,
      figures: [],
    };
  }
  const given = deciding.map((place) => ({ place, answer: rule.answer(claim, place.row, place.figure) }));
  const missing = given.filter(({ answer }) => typeof answer !== 'string').map(({ place }) => place);
  const stated = answers(given.flatMap(({ answer }) => words(answer) ?? []));
  return {
    id,
    title,
    state: missing.length > 0 ? 'not stated' : 'stated',
    answer: missing.length > 0 ? notStated(missing, deciding, stated) : stated,
    why,
    question: missing.length > 0 ? rule.question : null,
    figures: missing.map(({ figure }) => figure.id),
  };
}

/** @param known of the client that the claim names; null where it is not known */
export function assessChecklist(claim: Claim, known: ClientKnowledge | null): readonly ChecklistAnswer[] {
  const contradictions = contradictionsOf(claim, known);
  return CHECKLIST.map((rule) => assess(claim, rule, contradictions));
}
