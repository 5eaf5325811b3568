/** Reads the arithmetic in a probe’s words: `TPOT (1,180 − 5) / 49 = 23.98 (+20 %)`. Clauses in other words are left alone. */

import type { Figures } from '../../src/measure/probe/figures.ts';

const METRIC = /^(TTFT|E2E|NTPOT|TPOT|mean ITL|ITL) ([-\d.,\s+−·/()=]*\d\)?)(?: \(([+−][\d.,]+) %\))?$/;
const TOKENS = /^(\d+) tokens(?: \(([+−][\d.,]+) %\))?$/;

export interface Clause {
  readonly text: string;
  readonly metric: string;
  /** Each side of `=`; the last one is the figure. */
  readonly sides: readonly string[];
  readonly percent: string | null;
}

export function clausesOf(text: string): Clause[] {
  return text.split(/; |, |: /).flatMap((part): Clause[] => {
    const clause = part.trim();
    const tokens = TOKENS.exec(clause);
    if (tokens !== null)
      return [{ text: clause, metric: 'tokens', sides: [tokens[1]!], percent: tokens[2] ?? null }];
    const found = METRIC.exec(clause);
    if (found === null) return [];
    return [
      {
        text: clause,
        metric: found[1]!,
        sides: found[2]!.split('=').map((side) => side.trim()),
        percent: found[3] ?? null,
      },
    ];
  });
}

const plain = (text: string): string =>
  text
    .replace(/,(?=\d{3})/g, '')
    .replace(/−/g, '-')
    .replace(/[·×]/g, '*');

/** The value of a sum in digits, signs and brackets; null where it is none. */
export function valueOfSum(text: string): number | null {
  const sum = plain(text);
  if (!/^[\d.\s+\-*/()]+$/.test(sum)) return null;
  try {
    return Number(new Function(`return (${sum});`)());
  } catch {
    return null;
  }
}

/** Half of the last digit that is printed. */
const rounding = (printed: string): number => {
  const decimals = /\.(\d+)/.exec(plain(printed))?.[1]?.length ?? 0;
  return 0.5 * 10 ** -decimals + 1e-9;
};

/** The figure that a clause speaks of; a mean where there are several. */
const figureOf = (metric: string, figures: Figures): number | null => {
  if (metric === 'tokens') return figures.tokens;
  const name = metric.replace('mean ', '').toLowerCase();
  return figures[`${name} mean` as keyof Figures];
};

/** What is wrong with a clause, held against the figures of requests; null: it is true. `right`: for its percentage. */
export function falsehood(clause: Clause, seen: Figures, right: Figures): string | null {
  const printed = clause.sides.at(-1)!;
  const value = valueOfSum(printed);
  if (value === null) return null;
  for (const side of clause.sides) {
    const other = valueOfSum(side);
    if (other === null || Math.abs(other - value) > rounding(printed))
      return `${side} is ${other}, not ${printed}`;
  }
  const figure = figureOf(clause.metric, seen);
  if (figure === null || Math.abs(figure - value) > rounding(printed)) return `\`sees\` makes it ${figure}`;
  const base = figureOf(clause.metric, right);
  if (clause.percent === null || base === null || base === 0) return null;
  const percent = (100 * (figure - base)) / base;
  const said = Number(plain(clause.percent));
  return Math.abs(percent - said) > rounding(clause.percent)
    ? `it is ${percent.toFixed(2)} %, not ${said}`
    : null;
}
