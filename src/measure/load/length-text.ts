/** The spelling of a length: `lognormal:MEAN:CV[:LOW-HIGH]`, `uniform:LOW-HIGH` or `constant:N`, in tokens. */
import { MAX_LENGTH } from './length.ts';
import type { LengthSpec } from './request-shape.ts';

const FORMS = 'lognormal:MEAN:CV[:LOW-HIGH], uniform:LOW-HIGH or constant:N, in tokens';
/** Without bounds of its own a lognormal goes from 1 to so many times its mean: with a CV of 1.5, 1 in 10,000 lies beyond. */
const DEFAULT_HIGH = 30;
const MAX_CV = 20;

const fail = (text: string, why: string): never => {
  throw new Error(`"${text}" is no length: ${why}. Accepted: ${FORMS}`);
};

function tokens(whole: string, text: string): number {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && value <= MAX_LENGTH
    ? value
    : fail(whole, `"${text}" must be a whole number from 1 to ${MAX_LENGTH}`);
}

function bounds(whole: string, text: string): { low: number; high: number } {
  const [low, high, more] = text.split('-');
  if (low === undefined || high === undefined || more !== undefined)
    return fail(whole, `"${text}" must be two numbers, LOW-HIGH`);
  const pair = { low: tokens(whole, low), high: tokens(whole, high) };
  return pair.low <= pair.high ? pair : fail(whole, `${low} is more than ${high}`);
}

function number(whole: string, text: string, what: string, most: number): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return value > 0 && value <= most
    ? value
    : fail(whole, `${what} "${text}" must be a number above 0, at most ${most}`);
}

function lognormal(text: string, args: readonly string[]): LengthSpec {
  if (args.length !== 2 && args.length !== 3)
    return fail(text, 'a mean and a coefficient of variation are needed');
  const mean = number(text, args[0]!, 'the mean', MAX_LENGTH);
  const cv = number(text, args[1]!, 'the coefficient of variation', MAX_CV);
  const { low, high } =
    args[2] === undefined
      ? { low: 1, high: Math.min(MAX_LENGTH, Math.ceil(mean * DEFAULT_HIGH)) }
      : bounds(text, args[2]);
  if (!(mean > low && mean < high)) return fail(text, `the mean ${mean} must lie between ${low} and ${high}`);
  return { kind: 'lognormal', mean, cv, low, high };
}

/** Parses a length; throws an Error that says what is accepted. A plain whole number is a constant. */
export function parseLength(text: string): LengthSpec {
  const [kind, ...args] = text.trim().split(':');
  if (/^\d+$/.test(kind!) && args.length === 0) return { kind: 'constant', tokens: tokens(text, kind!) };
  if (kind === 'constant' && args.length === 1) return { kind, tokens: tokens(text, args[0]!) };
  if (kind === 'uniform' && args.length === 1) return { kind, ...bounds(text, args[0]!) };
  if (kind === 'lognormal') return lognormal(text, args);
  return fail(
    text,
    kind === 'constant' || kind === 'uniform' ? 'one value is needed' : `"${kind}" is not known`,
  );
}

/** A length as it is spelled; a lognormal's bounds always stand there. */
export function formatLength(spec: LengthSpec): string {
  if (spec.kind === 'constant') return `constant:${spec.tokens}`;
  if (spec.kind === 'uniform') return `uniform:${spec.low}-${spec.high}`;
  return `lognormal:${spec.mean}:${spec.cv}:${spec.low}-${spec.high}`;
}
