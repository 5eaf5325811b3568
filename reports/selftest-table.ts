/** The result of `tare selftest`: one row a control over its repetitions, and which fault was taken for which. */
import type { ControlResult, SelftestDocument } from '../src/audit/selftest/document.ts';
import { quantileSorted } from '../src/measure/quantile.ts';
import { sizeWords } from './size-words.ts';

export const SELFTEST_HEAD = [
  'control',
  'dose',
  'looked for',
  'must show as',
  'found as (median)',
  'right',
  'not right',
] as const;

const medianOf = (values: readonly (number | null)[]): number | null => {
  const there = values.filter((value) => value !== null).sort((a, b) => a - b);
  return there.length === 0 ? null : quantileSorted(there, 0.5);
};

/** What went wrong with a control, each thing with how often. */
function wrongWords(results: readonly ControlResult[]): string {
  const counts = new Map<string, number>();
  for (const { verdict, found, expects, size, unit } of results) {
    if (verdict === 'right') continue;
    const others = found.map(({ kind }) => kind).filter((kind) => kind !== expects);
    const words =
      verdict === 'wrong size'
        ? `wrong size ${sizeWords(size, unit)}`
        : others.length > 0
          ? `${verdict}: ${others.join(', ')}`
          : verdict;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts]
    .map(([words, count]) => (results.length === 1 ? words : `${words} (${count})`))
    .join('; ');
}

/** Results by control, in order of first appearance in `names`. */
function byControl({ controls }: SelftestDocument): Map<string, ControlResult[]> {
  const groups = new Map<string, ControlResult[]>();
  for (const result of controls) groups.set(result.control, [...(groups.get(result.control) ?? []), result]);
  return groups;
}

/** One row a control; clean ones first, then by the order of `order`. */
export function selftestRows(document: SelftestDocument, order: readonly string[]): string[][] {
  const groups = byControl(document);
  const names = [...groups.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return names.map((name) => {
    const results = groups.get(name)!;
    const first = results[0]!;
    const right = results.filter(({ verdict }) => verdict === 'right').length;
    return [
      name,
      first.fault?.split(':')[1] ?? '',
      first.expects ?? 'nothing',
      sizeWords(medianOf(results.map((one) => one.expected_size)), first.unit),
      sizeWords(medianOf(results.map((one) => one.size)), first.unit),
      results.length === 1 ? (right === 1 ? 'yes' : 'no') : `${right}/${results.length}`,
      wrongWords(results),
    ];
  });
}

/** The last lines: how many came out right, and what that means. */
export function selftestSummary(document: SelftestDocument): string {
  const { controls, clean_runs: clean, accused, undetermined, passed } = document;
  const faulty = controls.filter(({ expects }) => expects !== null);
  const right = faulty.filter(({ verdict }) => verdict === 'right').length;
  const words =
    `${right} of ${faulty.length} faults found with the right kind, sign and size (within 10 %); ` +
    `the client as it is accused in ${accused} of ${clean} runs`;
  if (passed) return `${words}: what Tare finds on this machine, now, can be believed.`;
  if (document.state === 'interrupted')
    return `${words}. Interrupted: it says nothing of what was not tried.`;
  if (document.floor === null)
    return `${words}. No floor could be measured: every bias of an audit would be undetermined. End other work on this machine and try again.`;
  return undetermined > 0
    ? `${words}; ${undetermined} ${undetermined === 1 ? 'control was' : 'controls were'} disturbed by the machine each time. End other work on it and try again.`
    : `${words}: do not believe what Tare finds on this machine before this is understood.`;
}
