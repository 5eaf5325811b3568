/** Reads the arithmetic in a probe’s words: `TPOT (1,180 − 5) / 49 = 23.98 (+20 %)`. Clauses in other words are left alone. */

import { ntpotOf, type SeenDone, tpotOf } from '../../src/measure/probe/seen.ts';
import { mean } from '../../src/measure/quantile.ts';

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

export function figureOf(metric: string, seen: SeenDone): number | null {
  switch (metric) {
    case 'TTFT':
      return seen.ttftMs;
    case 'E2E':
      return seen.e2eMs;
    case 'TPOT':
      return tpotOf(seen);
    case 'NTPOT':
      return ntpotOf(seen);
    case 'tokens':
      return seen.tokens;
    default:
      return seen.itlMs.length === 0 ? null : mean(seen.itlMs);
  }
}

/** What is wrong with a clause, held against what a client sees; null: it is true. `right`: for its percentage. */
export function falsehood(clause: Clause, seen: SeenDone, right: SeenDone | null): string | null {
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
  const base = right === null ? null : figureOf(clause.metric, right);
  if (clause.percent === null || base === null || base === 0) return null;
  const percent = (100 * (figure - base)) / base;
  const said = Number(plain(clause.percent));
  return Math.abs(percent - said) > rounding(clause.percent)
    ? `it is ${percent.toFixed(2)} %, not ${said}`
    : null;
}
