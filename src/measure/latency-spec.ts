/**
 * The spelling of a latency model: what `--latency` takes. Pure text in, data out; values are drawn in latency.ts.
 *
 *   zero
 *   ttft=50ms,itl=10ms                        constants
 *   ttft=lognormal:50ms:0.4                   mean, coefficient of variation (standard deviation / mean)
 *   itl=bimodal:10ms:80ms:0.02                usual value, rare value, share of the rare one
 *   ttft=empirical:ttft.csv                   drawn with replacement from a CSV's column (`file#column` names it)
 *   ttft=50ms,prefill=20us,itl=10ms           prefill is added to TTFT for every prompt token
 */
import { NANOS_PER_MS } from './time.ts';

/** In the place of a model where the target is a server that Tare does not configure. */
export const NOT_INJECTED = 'not injected';

/** How one delay is drawn. All times are integer nanoseconds. */
export type DelaySpec =
  | { readonly kind: 'constant'; readonly ns: number }
  | { readonly kind: 'lognormal'; readonly meanNs: number; readonly cv: number }
  | { readonly kind: 'bimodal'; readonly usualNs: number; readonly rareNs: number; readonly share: number }
  | { readonly kind: 'empirical'; readonly file: string; readonly column: string | null };

export interface LatencySpec {
  /** As the user wrote it. */
  readonly text: string;
  readonly ttft: DelaySpec;
  readonly itl: DelaySpec;
  /** Added to TTFT, a prompt token. */
  readonly prefillNs: number;
}

const UNITS_NS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: NANOS_PER_MS, s: 1e9 };
const LONGEST_NS = 3600e9;
const FORMS =
  'zero, or ttft=…, itl=…, prefill=… joined by commas, each 50ms | lognormal:MEAN:CV | bimodal:USUAL:RARE:SHARE | empirical:FILE[#COLUMN]';

const fail = (text: string, why: string): never => {
  throw new Error(`latency "${text}" is not understood: ${why}. Accepted: ${FORMS}`);
};

/** Integer nanoseconds of `50ms`, `0.5s`, `20us`; 0 needs no unit. Throws an Error that says what is accepted. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(ns|us|µs|ms|s)?$/.exec(text.trim());
  if (match === null) throw new Error(`"${text}" is not a duration such as 50ms, 0.5s or 20us`);
  const value = Number(match[1]);
  if (match[2] === undefined && value !== 0) throw new Error(`"${text}" needs a unit: ns, us, ms or s`);
  const ns = Math.round(value * (UNITS_NS[match[2] ?? 'ns'] as number));
  if (ns > LONGEST_NS) throw new Error(`"${text}" is longer than an hour`);
  return ns;
}

function positive(text: string, what: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value > 0 && value <= 100)) throw new Error(`${what} "${text}" must be above 0 and at most 100`);
  return value;
}

function parseDelay(text: string): DelaySpec {
  const [kind, ...args] = text.split(':');
  const need = (count: number, form: string): void => {
    if (args.length !== count) throw new Error(`"${text}" must be ${form}`);
  };
  switch (kind) {
    case 'lognormal':
      need(2, 'lognormal:MEAN:CV');
      return {
        kind,
        meanNs: parseDuration(args[0]!),
        cv: positive(args[1]!, 'the coefficient of variation'),
      };
    case 'bimodal': {
      need(3, 'bimodal:USUAL:RARE:SHARE');
      const share = args[2]!.trim() === '' ? Number.NaN : Number(args[2]);
      if (!(share >= 0 && share <= 1)) throw new Error(`the share "${args[2]}" must be from 0 to 1`);
      return { kind, usualNs: parseDuration(args[0]!), rareNs: parseDuration(args[1]!), share };
    }
    case 'empirical': {
      const [file, ...column] = args.join(':').split('#');
      if (file === undefined || file === '')
        throw new Error(`"${text}" must be empirical:FILE or empirical:FILE#COLUMN`);
      return { kind, file, column: column.length > 0 ? column.join('#') : null };
    }
    default:
      return { kind: 'constant', ns: parseDuration(text) };
  }
}

const NOTHING: DelaySpec = { kind: 'constant', ns: 0 };

/** Parses a latency model; throws an Error that names the faulty part and what is accepted. */
export function parseLatencySpec(text: string): LatencySpec {
  const trimmed = text.trim();
  if (trimmed === 'zero') return { text: 'zero', ttft: NOTHING, itl: NOTHING, prefillNs: 0 };
  if (trimmed === '') fail(text, 'it is empty');
  const parts = new Map<string, DelaySpec>();
  for (const part of trimmed.split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (name !== 'ttft' && name !== 'itl' && name !== 'prefill')
      fail(text, `"${part}" does not begin with ttft=, itl= or prefill=`);
    if (parts.has(name)) fail(text, `${name} is given twice`);
    try {
      parts.set(name, parseDelay(part.slice(at + 1).trim()));
    } catch (error) {
      fail(text, (error as Error).message);
    }
  }
  const prefill = parts.get('prefill') ?? NOTHING;
  if (prefill.kind !== 'constant') return fail(text, 'prefill must be a plain duration a prompt token');
  return {
    text: trimmed,
    ttft: parts.get('ttft') ?? NOTHING,
    itl: parts.get('itl') ?? NOTHING,
    prefillNs: prefill.ns,
  };
}

/** Whether no request can ever be delayed by this model. */
export const isZero = (spec: LatencySpec): boolean =>
  spec.prefillNs === 0 && isConstantZero(spec.ttft) && isConstantZero(spec.itl);

/** Whether a delay is the constant 0. */
export const isConstantZero = (delay: DelaySpec): boolean => delay.kind === 'constant' && delay.ns === 0;
