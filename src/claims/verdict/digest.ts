/** What stands out of a claim's arithmetic: contradictions and limits, the same finding in many rows told once. Pure. */
import type { CheckResult } from '../arithmetic-check.ts';

export interface DigestEntry {
  readonly state: 'contradicts' | 'limits';
  readonly check: CheckResult['check'];
  readonly title: string;
  readonly finding: string;
  readonly working: readonly string[];
  /** Most likely first. */
  readonly explanations: readonly string[];
  /** Titles of the other results with the same finding, told as one. */
  readonly also: readonly string[];
}

/** `Little's law, row echo-7` and `Occupancy of a against b` → what is found, without where. A headline stands for itself. */
const kindOf = ({ check, title }: CheckResult): string =>
  check === 'ratios' ? title : `${check}: ${title.replace(/(, (row|at) | of | in |, [^,]*$).*$/s, '')}`;

/** Whether it is about several rows at once, which says more than about one. */
const isAcross = ({ rows }: CheckResult): boolean => rows.length > 1;

/** What changes the meaning of most figures first; how long a run was limits nearly every claim, so it comes last. */
const ORDER: readonly CheckResult['check'][] = [
  'ratios',
  'warm-against-cold',
  'littles-law',
  'occupancy',
  'overload',
  'offered-not-completed',
  'restated-figures',
  'identities',
  'counts',
  'order-of-statistics',
  'window',
];

/**
 * Contradictions first, then limits; what is about several rows at once before what is about one. Of a group the last stands for all: rows go
 * from light load to heavy, and what limits a figure does so most there.
 */
export function digestOf(results: readonly CheckResult[]): readonly DigestEntry[] {
  const groups = new Map<string, CheckResult[]>();
  for (const one of results) {
    if (one.state !== 'contradicts' && one.state !== 'limits') continue;
    const key = `${one.state} ${isAcross(one)} ${kindOf(one)}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const entries = [...groups.values()].map((group) => {
    const last = group.at(-1)!;
    const { state, check, title, finding, working, explanations } = last;
    return {
      state: state as DigestEntry['state'],
      check,
      title,
      finding,
      working,
      explanations,
      also: group.slice(0, -1).map((one) => one.title),
      across: isAcross(last),
    };
  });
  return entries.toSorted((a, b) => rank(a) - rank(b)).map(({ across: _, ...entry }) => entry);
}

const rank = ({ state, check, across }: DigestEntry & { readonly across: boolean }): number =>
  (state === 'contradicts' ? 0 : 1000) + 10 * ORDER.indexOf(check) + (across ? 0 : 1);
