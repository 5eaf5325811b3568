/** The tables of docs/claims.md that follow from the code: the checklist, and the checks of the arithmetic. */
import { ARITHMETIC_CHECKS } from '../../src/claims/arithmetic/all.ts';
import { MEASURED } from '../../src/claims/checklist/item.ts';
import { CHECKLIST } from '../../src/claims/checklist/rules.ts';
import { CONFIRMING } from '../../src/claims/verdict/figure.ts';

// Lists, since the formatter of the project would set a table otherwise.
const plain = (text: string): string => text.replaceAll('*', '\\*');
const named = (names: readonly string[]): string => names.map((one) => `\`${one}\``).join(', ');

/** What a point decides, `all but counts` where it is that. */
const decidesWords = (decides: readonly string[]): string =>
  decides.length === 0
    ? 'Asked, but decides no verdict by itself.'
    : decides.length === MEASURED.length
      ? 'Decides all figures but counts.'
      : `Decides ${named(decides)}.`;

const checklist = (): string[] =>
  CHECKLIST.map(({ title, why, decides }) => `- **${title}**. ${plain(why)} ${decidesWords(decides)}`);

const CONFIRMS: Readonly<Record<string, string>> = {
  'order-of-statistics':
    ' Its agreement confirms a percentile only where its neighbours on both sides leave it no other printed value.',
  ratios: ' Its agreement confirms headlines.',
};

const checks = (): string[] =>
  ARITHMETIC_CHECKS.map(
    ({ id, about }) =>
      `- \`${id}\`: ${plain(about)}${CONFIRMING.includes(id) ? ' Its agreement confirms a figure.' : (CONFIRMS[id] ?? '')}`,
  );

/** The page with its tables made anew. */
export function withClaimTables(page: string): string {
  const put = (text: string, name: string, lines: readonly string[]): string =>
    text.replace(
      new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`),
      (_, begin: string, end: string) => `${begin}\n\n${lines.join('\n')}\n\n${end}`,
    );
  return put(put(page, 'checklist', checklist()), 'checks', checks());
}
