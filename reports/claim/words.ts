/** What a claim's reports say in common: figures by their verdict, bias to expect, a line of head. */
import type { ClaimDocument } from '../../src/claims/document-schema.ts';
import type { Verdict } from '../../src/claims/verdict/figure.ts';
import { WHAT_SUPPORTED_IS_NOT } from '../../src/claims/verdict/whole.ts';
import { oneLine } from '../text.ts';

export { WHAT_SUPPORTED_IS_NOT };

export type FigureJson = ClaimDocument['claim']['rows'][number]['figures'][number];
export type CheckJson = ClaimDocument['checks'][number];

/** In this order everywhere: what cannot be true first. */
export const VERDICT_ORDER: readonly Verdict[] = ['contradicted', 'undetermined', 'supported'];

export interface VerdictGroup {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
  readonly confirmed_by: readonly string[];
  readonly figures: readonly FigureJson[];
}

/** Figures that share verdict and reasons, as those of a sweep do, told once; what cannot be true first, else in the claim's order. */
export function verdictGroups({ claim, figures }: ClaimDocument): readonly VerdictGroup[] {
  const byId = new Map(claim.rows.flatMap((row) => row.figures.map((figure) => [figure.id, figure])));
  const groups = new Map<string, VerdictGroup & { figures: FigureJson[] }>();
  for (const { figure, verdict, reasons, confirmed_by } of figures) {
    const own = byId.get(figure);
    if (own === undefined) continue;
    const key = JSON.stringify([verdict, reasons]);
    const group = groups.get(key) ?? { verdict, reasons, confirmed_by, figures: [] };
    group.figures.push(own);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted(
    (a, b) => VERDICT_ORDER.indexOf(a.verdict) - VERDICT_ORDER.indexOf(b.verdict),
  );
}

/** `c200.ttft 73.3 s` */
export const figureName = ({ id, quantity }: FigureJson): string =>
  `${oneLine(id)} ${oneLine(quantity.text)}`;

/** What is about the claim first: contradictions, limits, agreement; then what applies nowhere. */
const STATE_ORDER: readonly CheckJson['state'][] = ['contradicts', 'limits', 'agrees', 'not applicable'];
export const STATE_WORDS: Readonly<Record<CheckJson['state'], string>> = {
  contradicts: 'contradicts',
  limits: 'limits',
  agrees: 'agrees',
  'not applicable': 'not applicable',
};

export const orderedChecks = ({ checks }: ClaimDocument): readonly CheckJson[] =>
  checks.toSorted((a, b) => STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state));

/** A sentence ends once. */
export const ended = (text: string): string =>
  /[.?!)]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface BiasLine {
  readonly of: string;
  readonly text: string;
}

/** What audits say, the same words told once. */
export function biasLines({ expected_bias }: ClaimDocument): readonly BiasLine[] {
  const lines = new Map<string, string[]>();
  for (const one of expected_bias) {
    const caveats =
      one.caveats.length > 0 ? ` ${one.caveats.map((caveat) => ended(oneLine(caveat))).join(' ')}` : '';
    const text = `${(one.state === 'bounded'
      ? [one.words]
      : one.state === 'unknown'
        ? [one.reason]
        : ['An order of magnitude, no more', one.words, one.reason]
    )
      .map((part) => ended(oneLine(part)))
      .join(' ')}${caveats}`;
    lines.set(text, [...(lines.get(text) ?? []), oneLine(one.figure ?? one.row)]);
  }
  return [...lines].map(([text, of]) => ({ of: [...new Set(of)].join(', '), text }));
}

/** Who claims what, in one line: `TTFT of X (ACME)`. */
export const heading = ({ claim }: ClaimDocument): string =>
  `${oneLine(claim.title)} (${oneLine(claim.claimant)})`;

/** An address of the web, normalised; null for anything else, which is never made a link. */
export const webAddress = (url: string): string | null =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).href : null;
