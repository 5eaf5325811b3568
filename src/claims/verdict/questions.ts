/** What to ask the claimant, the weightiest first, nothing twice. Pure. */
import type { CheckResult } from '../arithmetic-check.ts';
import type { ChecklistAnswer } from '../checklist/item.ts';

export interface Question {
  readonly text: string;
  /** Why it is asked: the check or the point of the checklist. */
  readonly because: string;
}

/** Of checks that contradict, then of those that limit, then of the checklist: points that figures hang on before the others. */
export function questionsOf(
  results: readonly CheckResult[],
  checklist: readonly ChecklistAnswer[],
): readonly Question[] {
  const ofChecks = (['contradicts', 'limits'] as const).flatMap((state) =>
    results
      .filter((result) => result.state === state)
      .flatMap(({ title, questions }) => questions.map((text) => ({ text, because: title }))),
  );
  const rank = ({ state, figures }: ChecklistAnswer): number =>
    state === 'contradicted' ? 0 : figures.length > 0 ? 1 : 2;
  const ofList = checklist
    .filter(({ question }) => question !== null)
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ question, title, state }) => ({ text: question!, because: `${title}: ${state}` }));
  const all = [...ofChecks, ...ofList];
  return all.filter(({ text }, i) => all.findIndex((other) => other.text === text) === i);
}
