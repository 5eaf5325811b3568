/** `tare load --exclude`: what is left out of the figures at the start. */
import { type Command, InvalidArgumentError } from 'commander';
import { type ExcludeRule, parseExclude } from '../load/exclude-rule.ts';
import type { LoadReport } from '../load/report.ts';

export interface ExcludeFlags {
  readonly exclude?: ExcludeRule;
}

function rule(text: string): ExcludeRule {
  try {
    return parseExclude(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

export const addExcludeFlags = (command: Command): Command =>
  command.option(
    '--exclude <rule>',
    'leave out of the figures what was due in the first 5s, the first 100 requests, or what comes before the run is steady (MSER-5)',
    rule,
  );

/** What was left out, for people; none without a rule. */
export function excludedLines({ excluded }: LoadReport): string[] {
  if (excluded === null || excluded.absent !== undefined) return [];
  if (excluded.requests === 0) return [`--exclude ${excluded.rule}: nothing had to be left out`];
  const from = excluded.from_s === null ? '' : `, up to ${excluded.from_s.toFixed(3)} s`;
  return [
    `${excluded.requests} requests left out at the start by --exclude ${excluded.rule}${from}; all figures are of the others`,
  ];
}
