/** A quantity as a page prints it: digits and unit, to its value in the canonical unit and how far the printed digits reach. Pure. */
import type { Quantity } from '../claim.ts';

/** A unit as `digits × times × 10^exp` of the canonical one; powers of ten apart, so that 0.542 s is 542 ms and nothing beside it. */
type Scale = readonly [times: number, exp: number];

interface KindOfQuantity {
  /** Spelled in lower case without spaces; the canonical one first. '': no unit. */
  readonly units: Readonly<Record<string, Scale>>;
  /** A count: no digits after the point, and exact. `means`: a mean of counts may have digits. */
  readonly count?: 'whole' | 'means';
  /** `inf` is a value. */
  readonly inf?: boolean;
  readonly least?: number;
  readonly most?: number;
  /** What is allowed, in the words of a fault. */
  readonly allowed: string;
}

const seconds = (exp: number): Readonly<Record<string, Scale>> => ({
  ms: [1, exp - 3],
  s: [1, exp],
  sec: [1, exp],
  secs: [1, exp],
  second: [1, exp],
  seconds: [1, exp],
  us: [1, exp - 6],
  µs: [1, exp - 6],
  μs: [1, exp - 6],
  ns: [1, exp - 9],
  min: [60, exp],
  minutes: [60, exp],
  h: [3600, exp],
  hours: [3600, exp],
});

const each = (names: readonly string[]): Readonly<Record<string, Scale>> =>
  Object.fromEntries(names.map((name) => [name, [1, 0] as Scale]));

const TOKENS = each(['tok/s', 'token/s', 'tokens/s', 'tok/sec', 'tokens/sec', 'tokens/second', 'tps', 't/s']);
const REQUESTS: Readonly<Record<string, Scale>> = {
  ...each([
    'req/s',
    'requests/s',
    'request/s',
    'req/sec',
    'requests/sec',
    'requests/second',
    'rps',
    'qps',
    '/s',
  ]),
  'req/min': [1 / 60, 0],
  'requests/min': [1 / 60, 0],
};
const of = (...names: readonly string[]): Readonly<Record<string, Scale>> => each(['', ...names]);

export const QUANTITY_KINDS = {
  /** Canonical unit ms. */
  latency: { units: seconds(3), allowed: 'a time with its unit, as printed: 87.64 ms, 0.542 s' },
  /** Canonical unit s. */
  duration: { units: seconds(0), allowed: 'a time with its unit: 300 s, 5 min' },
  tokenRate: { units: TOKENS, allowed: 'tokens a second with the unit: 8,730 tok/s' },
  userRate: {
    units: Object.fromEntries(
      Object.entries(TOKENS).flatMap(([unit, scale]) => [
        [`${unit}/user`, scale],
        [`${unit}peruser`, scale],
      ]),
    ),
    allowed: 'tokens a second of one user with the unit: 42.5 tok/s/user',
  },
  requestRate: { units: REQUESTS, allowed: 'requests a second with the unit: 12.5 req/s' },
  /** Of sending: as above, or all at once. */
  rate: { units: REQUESTS, inf: true, allowed: 'requests a second with the unit, or inf: 32 req/s' },
  share: {
    units: each(['%', 'percent']),
    most: 100,
    allowed: 'per cent from 0 to 100 with the sign: 99.5 %',
  },
  difference: { units: each(['%', 'percent']), allowed: 'per cent with the sign: 8 %' },
  requests: {
    units: of('requests', 'request', 'req', 'prompts'),
    count: 'whole',
    allowed: 'a whole number of requests: 500',
  },
  sent: {
    units: of('requests', 'request', 'req', 'prompts'),
    count: 'whole',
    least: 1,
    allowed: 'a whole number of requests, 1 or more: 500',
  },
  concurrency: {
    units: of('requests', 'users', 'in flight', 'inflight', 'vus', 'connections'),
    count: 'whole',
    least: 1,
    allowed: 'a whole number, 1 or more: 200',
  },
  tokens: { units: of('tokens', 'token', 'tok'), count: 'means', allowed: 'a number of tokens: 179' },
  processes: {
    units: of('processes', 'process', 'workers', 'worker'),
    count: 'whole',
    least: 1,
    allowed: 'a whole number of processes, 1 or more: 4',
  },
  repetitions: {
    units: of('runs', 'run', 'times', 'repetitions'),
    count: 'whole',
    least: 1,
    allowed: 'a whole number of runs, 1 or more: 3',
  },
  ratio: { units: of('x', '×', '-fold'), allowed: 'a factor above 0, as printed: 2.7 or 2.7x' },
} as const satisfies Readonly<Record<string, KindOfQuantity>>;
export type QuantityKind = keyof typeof QUANTITY_KINDS;

const NUMBER = /^([+-]?)(\d[\d,_'’\u00a0\u2009\u202f ]*)?(?:\.(\d+))?(?:e([+-]?\d{1,2}))?/i;
const INF = /^[+.]*inf(inity)?\.?$/i;
const GROUPS = /^\d{1,3}([,_'’\u00a0\u2009\u202f ])\d{3}(?:\1\d{3})*$/;

/** A thousand or a million of it; written at the number, and only for rates: a length of "1k" is 1,000 to some and 1,024 to others. */
const THOUSANDS: Readonly<Record<string, number>> = { k: 3, K: 3, M: 6 };

const quote = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`;

/** Reads one. A string is the fault: what was found, what is allowed, and what to do. */
export function parseQuantity(text: string, kind: QuantityKind): Quantity | string {
  const rule: KindOfQuantity = QUANTITY_KINDS[kind];
  const fault = (what: string): string => `${what}; allowed is ${rule.allowed}`;
  const trimmed = text.trim();
  if (INF.test(trimmed.replace(/\s*(req\/s|qps|rps)$/i, '')))
    return rule.inf === true
      ? { value: Number.POSITIVE_INFINITY, half: 0, text: trimmed }
      : fault(`${quote(trimmed)} is no finite quantity`);
  const match = NUMBER.exec(trimmed);
  const [whole, sign, rawDigits, fraction = '', exponent = '0'] = match ?? [''];
  if (whole === '' || (rawDigits === undefined && fraction === ''))
    return fault(
      `${quote(trimmed)} does not begin with a number${/^[~≈<>≤≥]|^(about|up to|over|under)\b/i.test(trimmed) ? ', write the printed digits alone and say the rest in notes' : ''}`,
    );
  if (sign === '-') return fault(`${quote(trimmed)} is below zero`);
  const digits = (rawDigits ?? '0').trimEnd();
  if (/\D/.test(digits) && !GROUPS.test(digits))
    return fault(
      /^\d+,\d+$/.test(digits)
        ? `${quote(digits)} is neither thousands (8,730) nor decimals: write the decimal point as in ${digits.replace(',', '.')}`
        : `the digits of ${quote(digits)} are not grouped by three`,
    );
  // 0,542 has three digits behind its comma, and no thousands before it.
  if (/^0[^\d]/.test(digits))
    return fault(`${quote(digits)} has a decimal comma: write ${digits.replace(/\D/, '.')}`);
  let unit = trimmed.slice(whole.length).trim();
  let exp = Number(exponent);
  const thousands = THOUSANDS[unit[0] ?? ''];
  if (
    thousands !== undefined &&
    /^[kKM](?=$|\s|tok|req|t\/s|rps|qps)/.test(unit) &&
    rule.count === undefined
  ) {
    exp += thousands;
    unit = unit.slice(1).trim();
  } else if (rule.count !== undefined && /^k\b/i.test(unit))
    return fault(`${quote(trimmed)} may be thousands or 1,024s: write the number out`);
  const spelled = unit
    .toLowerCase()
    .replace(/\s*per\s+user$/, '/user')
    .replace(/\s*per\s+/, '/')
    .replace(/\s+/g, '');
  const scale = Object.hasOwn(rule.units, spelled) ? rule.units[spelled]! : null;
  if (scale === null)
    return fault(
      spelled === ''
        ? `${quote(trimmed)} has no unit`
        : `${quote(unit)} in ${quote(trimmed)} is no unit of it`,
    );
  const plain = `${digits.replace(/\D/g, '')}${fraction === '' ? '' : `.${fraction}`}`;
  const [times, scaleExp] = scale;
  const value = Number(`${plain}e${exp + scaleExp}`) * times;
  const exact = rule.count !== undefined && fraction === '' && exp === 0;
  const half = exact ? 0 : Number(`5e${exp + scaleExp - fraction.length - 1}`) * times;
  if (!Number.isFinite(value)) return fault(`${quote(trimmed)} is out of range`);
  if (rule.count === 'whole' && !Number.isInteger(value))
    return fault(`${quote(trimmed)} is no whole number`);
  if (value < (rule.least ?? 0) || value > (rule.most ?? Number.MAX_SAFE_INTEGER))
    return fault(`${quote(trimmed)} is out of range`);
  if (kind === 'ratio' && value === 0) return fault(`${quote(trimmed)} is no factor`);
  return { value, half, text: trimmed };
}
