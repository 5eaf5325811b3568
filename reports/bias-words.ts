/** What the judged bias is of, in the words of table and page: the delay of each request where they are known, else the printed figure. */
import type { Finding } from '../src/audit/document.ts';
import { signedMs } from './format.ts';

/** Behind a bias that no subtraction of the figures beside it gives. */
export const PAIRS_MARK = '*';

/** Whether it is the statistic of the delays of single requests. */
export const isByPairs = ({ bias_by, bias_ms }: Pick<Finding, 'bias_by' | 'bias_ms'>): boolean =>
  bias_by === 'pairs' && bias_ms !== null;

/** The judged bias, ms, marked where it is of single requests; a dash where there is none. */
export const judgedMs = (finding: Finding): string =>
  `${signedMs(finding.bias_ms)}${isByPairs(finding) ? PAIRS_MARK : ''}`;

/** The legend of a table that holds `findings`: only what occurs in it. */
export function biasLegend(findings: readonly Finding[]): string {
  const judged = findings.filter(({ bias_ms }) => bias_ms !== null);
  const pairs = `the statistic of the delays of single requests, each one’s own record minus what it would be, by the client’s definitions and the target’s ledger, if the client added no delay; the figures beside it do not subtract to it`;
  const figures =
    'what the client printed minus what it would print by its own definitions if it added no delay';
  if (!judged.some(isByPairs)) return `bias: ${figures}.`;
  if (judged.every(isByPairs)) return `bias${PAIRS_MARK}: ${pairs}.`;
  return `bias${PAIRS_MARK}: ${pairs}. bias without ${PAIRS_MARK}, where its records do not join the ledger: ${figures}.`;
}
