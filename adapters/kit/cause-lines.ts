/** What to show of a failed installer's output. npm ends with a dump of its error and the path of a log, cargo with a chain of causes. */

const NOISE =
  /^(at .+|[{}\s]*|\w+: ('[^']*',?|\d+,)|A complete log of this run can be found in: .*|Caused by:|\[notice\].*)$/;
const CAUSE =
  /\bE[A-Z]{4,}\b|\b(error|failed|failure|cannot|could ?n[o']t|unable|not found|no such|denied|refused|timed? ?out|unreachable|no space|certificate|requires?)\b/i;

/** At most `most` lines: those that name a cause, the first and the last of them; without any, the last lines that say something. */
export function causeLines(output: string, most = 6): string[] {
  const lines = output
    .split('\n')
    .map((line) => line.trim().replace(/^npm (error|ERR!)\s*/, ''))
    .filter((line) => line !== '' && !NOISE.test(line));
  const causes = [...new Set(lines.filter((line) => CAUSE.test(line)))];
  if (causes.length === 0) return lines.slice(-most);
  return causes.length <= most ? causes : [causes[0]!, ...causes.slice(1 - most)];
}
