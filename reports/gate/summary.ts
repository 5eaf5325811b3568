/** A gate for a terminal: the verdict, then a line a check. Pure. */
import type { GateDocument } from '../../src/audit/gate/document.ts';
import { checkLine, errorWords, plain, STATE_WORDS, subjectOf, verdictWords } from './words.ts';

const WIDTH = 13;

/** The summary, lines without a newline at the end. */
export function gateSummary(document: GateDocument): string {
  const lines: string[] = [];
  let subject = '';
  for (const check of document.checks) {
    if (subjectOf(check) !== subject) {
      subject = subjectOf(check);
      lines.push(subject);
    }
    lines.push(`  ${STATE_WORDS[check.state].padEnd(WIDTH)} ${checkLine(check)}`);
  }
  const out = document.counted.filter(({ left_out }) => left_out !== null);
  for (const { id, left_out } of out) lines.push(`left out: ${id}, ${plain(left_out!)}`);
  const { baseline } = document;
  if (baseline !== null && baseline.refused !== null)
    lines.push(`not compared with ${plain(baseline.from)}: ${plain(baseline.refused)}`);
  else if (baseline?.note !== undefined) lines.push(`${plain(baseline.from)}: ${plain(baseline.note)}`);
  const error = errorWords(document);
  if (error !== '') lines.push(error);
  return [...lines, verdictWords(document)].join('\n');
}
