/** docs/findings.md: what a probing found in real clients, with the command that shows each fault again. */
import type { FindingData, FoundInClient } from '../../src/claims/evidence/finding-data.ts';
import { oneLine } from '../text.ts';

const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const names = ({ probes, more_probes: more }: FoundInClient['unnamed']): string => {
  const shown = probes.map((probe) => `\`${probe}\``).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
};

function findings({ faults, unnamed }: FoundInClient): string {
  const rest =
    unnamed.probes.length === 0
      ? ''
      : `\n\nWrong by nothing known, so perhaps by its own load in a shared run: ${names(unnamed)}.`;
  if (faults.length === 0) return `No fault.${rest}`;
  return `${table(
    ['fault', 'probes', 'what it does, at the first of them', 'size there', 'shows it again'],
    faults.map((one) => [
      one.no_result ? `**${one.fault}** (no result)` : `**${one.fault}**`,
      names(one),
      one.words,
      one.size ?? '',
      `\`${one.command}\``,
    ]),
  )}${rest}`;
}

/** The page, as Markdown; `intro` stands between the title and the tables. */
export function findingsPage(data: FindingData, intro: string): string {
  const counts = table(
    [
      'client',
      'version',
      'right',
      'other definition',
      'faulty',
      'crashed',
      'not applicable',
      'undetermined',
      'time',
    ],
    data.clients.map(({ client, version, counts: c, elapsed_s }) => [
      client,
      version,
      ...[c.right, c.other_definition, c.faulty, c.crashed, c.not_applicable, c.undetermined].map(String),
      `${elapsed_s} s`,
    ]),
  );
  const sections = data.clients.map((one) => `## ${one.client} ${one.version}\n\n${findings(one)}`);
  return `# Findings\n\n${intro.trim()}\n\n${counts}\n\n${sections.join('\n\n')}\n`;
}

/** What stands in a findings page between its title and its first table. */
export function introOf(page: string): string {
  const text = page.replace(/^# Findings\n/, '');
  const end = text.indexOf('\n| client |');
  return (end < 0 ? text : text.slice(0, end)).trim();
}
