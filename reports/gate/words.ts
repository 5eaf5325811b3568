/** A check of a gate in words. Pure. */
import type { CheckState, GateCheck, GateDocument, GateVerdict } from '../../src/audit/gate/document.ts';
import { METRIC_LABEL } from '../format.ts';
import { oneLine } from '../text.ts';

/**
 * What came from outside on a line of a terminal or a log: GitHub's runner takes `##[` for a command anywhere in a line, and `::` at its start, which no line
 * of a gate has.
 */
export const plain = (text: string): string => oneLine(text).replaceAll('##[', '## [');

/** About three figures: `0.042`, `1.23`, `12.3`, `123`. */
function number(value: number, isSigned = false): string {
  const size = Math.abs(value);
  const text = size.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
  if (!/[1-9]/.test(text)) return text;
  return `${value < 0 ? '−' : isSigned ? '+' : ''}${text}`;
}

const share = (value: number, digits = 2): string => `${number100(value, digits)} %`;
const number100 = (value: number, digits: number): string => String(Number((100 * value).toFixed(digits)));

const isSigned = ({ kind }: GateCheck): boolean => kind === 'bias' || kind === 'change';

/** A value in the unit of its check, with it. */
function quantity(check: GateCheck, value: number): string {
  if (check.unit === 'ms') return `${number(value, isSigned(check))} ms`;
  if (check.unit === 'share')
    return check.kind === 'change' ? `${number(100 * value, true)} % points` : share(value);
  return String(value);
}

/** `[0.15, 0.27]`, in the unit of the value before it. */
function interval(check: GateCheck): string {
  if (check.low === null || check.high === null) return '';
  const one = (value: number) => (check.unit === 'share' ? number(100 * value) : number(value));
  return ` [${one(check.low)}, ${one(check.high)}]`;
}

/** `TTFT p50`, `rate`, `success`. */
export function checkName({ kind, name }: Pick<GateCheck, 'kind' | 'name'>): string {
  const [metric, statistic] = name.split('_');
  const label = METRIC_LABEL[metric as keyof typeof METRIC_LABEL];
  const figure = label === undefined || statistic === undefined ? name : `${label} ${statistic}`;
  return kind === 'bias' ? `${figure} bias` : kind === 'change' ? `${figure} change` : figure;
}

/** What would do: `within ±1 ms`, `at least 98 %`, `at most 200 ms`. */
export function limitWords(check: GateCheck): string {
  const { limit_low: low, limit_high: high, kind } = check;
  const size = (value: number) =>
    check.unit === 'share'
      ? kind === 'change'
        ? `${number100(value, 3)} % points`
        : share(value)
      : `${Number(value.toPrecision(4))} ms`;
  if (kind === 'run') return 'no run without figures';
  if (kind === 'change') {
    const limit = high ?? (low === null ? null : -low);
    return limit === null ? '' : `worse by at most ${size(limit)}`;
  }
  if (low !== null && high !== null)
    return kind === 'bias' ? `within ±${size(high)}` : `${share(low)} to ${share(high)}`;
  if (low !== null) return `at least ${size(low)}`;
  return high === null ? '' : `at most ${size(high)}`;
}

export const STATE_WORDS: Readonly<Record<CheckState, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  undetermined: 'undetermined',
  notJudged: 'not judged',
  invalid: 'not valid',
};

/** The figure with its interval: `+0.21 ms [0.15, 0.27] over 3 repetitions`. */
export function figureWords(check: GateCheck): string {
  const { value, trials, kind } = check;
  if (kind === 'run') return value === null ? '' : `${value} of ${trials} runs without figures`;
  if (kind === 'loadClient') return check.state === 'pass' ? 'it was well' : 'it was not well';
  if (value === null) return 'no figure';
  const over = kind === 'loadRate' ? '' : ` over ${trials} ${trials === 1 ? 'run' : 'repetitions'}`;
  return `${quantity(check, value)}${interval(check)}${over}`;
}

/** The whole of a check in a line. */
export function checkLine(check: GateCheck): string {
  const { state, reason, remedy, compared_with } = check;
  const limit = limitWords(check);
  const said = [
    `${checkName(check)}${compared_with === undefined ? '' : ` against ${plain(compared_with)}`}: ${figureWords(check)}${limit === '' ? '' : `, ${limit}`}`,
    ...(reason === '' || (state === 'pass' && check.kind !== 'slo' && check.kind !== 'success')
      ? []
      : [plain(reason)]),
    ...(remedy === '' ? [] : [plain(remedy)]),
  ];
  return said.join('; ');
}

/** Whose check it is: `tare at 200/s`, or the file of a load run. */
export const subjectOf = ({ client, rate_rps, kind }: GateCheck): string =>
  ['loadClient', 'loadRate', 'success', 'slo'].includes(kind) || rate_rps === null
    ? plain(client)
    : `${plain(client)} at ${rate_rps}/s`;

const VERDICT: Readonly<Record<GateVerdict, string>> = {
  pass: 'passed',
  fail: 'FAILED',
  undetermined: 'undetermined',
  invalid: 'not valid here',
};

/** The verdict in a sentence. */
export function verdictWords({ verdict, checks, reason, elapsed_s, of }: GateDocument): string {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const open = checks.filter(({ state }) => state === 'undetermined').length;
  const what =
    verdict === 'fail'
      ? `${failed} of ${checks.length} checks failed`
      : verdict === 'pass'
        ? `${checks.filter(({ state }) => state === 'pass').length} checks passed`
        : verdict === 'undetermined' && open > 0
          ? `${open} of ${checks.length} checks are open: ${plain(reason)}`
          : plain(reason);
  return `gate ${VERDICT[verdict]}: ${what}${of === 'load' ? '' : ` (${elapsed_s.toFixed(0)} s)`}`;
}

/** What repeated looks do to the error, in a sentence; empty where nothing was looked at. */
export function errorWords({ error_rate: error }: GateDocument): string {
  const looks = Math.max(0, ...Object.values(error?.looks ?? {}));
  if (error === null || looks === 0) return '';
  const most = `${(100 * error.at_most).toFixed(0)} %`;
  return `${error.checks} checks at ${looks} ${looks === 1 ? 'look' : 'looks'}: where repetitions differ normally, it would pass out of tolerance with at most ${most}, and fail within it with at most ${most}`;
}
