/**
 * The known faults of `tare load --fault NAME[:DOSE]`: controls that a diagnosis must find. One line each: what it is, in what its dose is
 * measured, and the sentence that stands in the report. What they do is in the other files of this folder.
 */
import { UserError } from '../../system/user-error.ts';

type Unit = 'time' | 'count' | 'share';

interface Entry {
  /** null: the fault has no dose. */
  readonly unit: Unit | null;
  /** The dose where none is given, as it is spelled. */
  readonly dose: string;
  /** Smallest count; below it there would be no fault. */
  readonly least?: number;
  /** One sentence; `{d}` stands for the dose. */
  readonly says: string;
}

const time = (dose: string, says: string): Entry => ({ unit: 'time', dose, says });
const count = (dose: string, least: number, says: string): Entry => ({ unit: 'count', dose, least, says });
const share = (dose: string, says: string): Entry => ({ unit: 'share', dose, says });
const plain = (says: string): Entry => ({ unit: null, dose: '', says });

const ENTRIES = {
  'late-send': time(
    '5ms',
    'every request is written {d} after its scheduled instant, from which its latencies count',
  ),
  'late-read': time('4ms', 'everything of an answer is read, and stamped, {d} after it has come'),
  omission: time(
    '100ms',
    'its event loop is blocked for {d} once in every five times {d}, and latencies count from the send (coordinated omission)',
  ),
  'role-first': plain('the first event of any kind, a role alone too, counts as the first token'),
  'chunk-itl': count(
    '2',
    2,
    'gaps are taken between chunks of {d} token events, and one is written for each',
  ),
  'ttft-in-itl': plain('the first gap of each request’s list is its TTFT'),
  'sleep-drift': time(
    '0.5ms',
    'it waits for the gap and {d} after each send instead of for the next instant, and latencies count from the send',
  ),
  'pool-cap': count('8', 1, 'at most {d} requests are under way; the wait for it is in the latencies'),
  'cap-wait-omitted': count('8', 1, 'at most {d} requests are under way, and latencies count from the send'),
  'drop-failures': plain('requests that fail are left out, of its records and of every count'),
  'error-as-success': plain('a stream that held an error counts as complete'),
  burn: time('200us', 'one worker, and {d} of CPU time burned on its event loop for each token'),
  'same-seed': count(
    '2',
    2,
    'each of {d} senders draws its share of the schedule from the same seed, so that {d} requests leave together',
  ),
  'end-at-done': plain('the last token’s instant is the end of the response, after usage and [DONE]'),
  'count-plus': count('1', 1, 'the token count of each request is {d} too high'),
  'coarse-clock': time('10ms', 'every stamp is cut down to a multiple of {d}'),
  tick: time('50ms', 'requests leave only on ticks of {d}; latencies count from the scheduled instant'),
  'random-gaps': plain('the gaps between arrivals are exponential, whatever was asked'),
  'on-the-second': plain(
    'Poisson gaps are rescaled within each second, so that its last arrival falls on the whole second',
  ),
  'fresh-connections': plain(
    'each request opens a connection of its own when it is due and closes it afterwards; the latencies hold that',
  ),
  'lost-requests': share(
    '10%',
    '{d} of the requests are never sent; their records repeat the figures of the one before',
  ),
  duplicate: share('10%', '{d} of the requests are sent twice; the second one is in no record'),
  'clock-scale': share('5%', 'every duration is {d} too long'),
} as const satisfies Record<string, Entry>;

export type FaultName = keyof typeof ENTRIES;

/** A fault with its dose, as a worker gets it. */
export interface FaultSpec {
  readonly name: FaultName;
  /** Nanoseconds of a time; a count; a share 0 … 1; 0 where it has none. */
  readonly dose: number;
  /** As it is spelled, with its dose: `late-send:5ms`. */
  readonly text: string;
}

/** Every fault, spelled with its default dose. */
export const FAULT_LIST: readonly string[] = (Object.entries(ENTRIES) as [FaultName, Entry][]).map(
  ([name, { unit, dose }]) => (unit === null ? name : `${name}:${dose}`),
);

const NANOS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 } as const;

/** What a dose must be, in words; null: it is one. */
function doseOf(text: string, { unit, least = 1 }: Entry): number | string {
  const match = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s|%)?$/.exec(text);
  const value = match === null ? Number.NaN : Number(match[1]);
  const suffix = match?.[2];
  if (unit === 'time')
    return value > 0 && suffix !== undefined && suffix !== '%'
      ? value * NANOS[suffix as keyof typeof NANOS]
      : 'a time above 0 with its unit';
  if (unit === 'count')
    return Number.isSafeInteger(value) && value >= least && suffix === undefined
      ? value
      : `a whole number from ${least} on`;
  const part = suffix === '%' ? value / 100 : value;
  return part > 0 && part <= 1 && (suffix === undefined || suffix === '%')
    ? part
    : 'a share above 0 and up to 100%';
}

/** Reads `NAME` or `NAME:DOSE`. Throws a UserError that says what there is. */
export function parseFault(text: string): FaultSpec {
  const colon = text.indexOf(':');
  const name = colon < 0 ? text : text.slice(0, colon);
  if (!Object.hasOwn(ENTRIES, name))
    throw new UserError(`no fault "${name}"; there are ${FAULT_LIST.join(', ')}`);
  const entry: Entry = ENTRIES[name as FaultName];
  if (entry.unit === null) {
    if (colon >= 0) throw new UserError(`the fault ${name} has no dose; write ${name} alone`);
    return { name: name as FaultName, dose: 0, text: name };
  }
  const spelled = colon < 0 ? entry.dose : text.slice(colon + 1);
  const dose = doseOf(spelled, entry);
  if (typeof dose === 'string')
    throw new UserError(`"${spelled}" is no dose of ${name}: it must be ${dose}, e.g. ${name}:${entry.dose}`);
  return { name: name as FaultName, dose, text: `${name}:${spelled}` };
}

/** What the fault is, in one sentence without a full stop. */
export const faultInWords = ({ name, text }: FaultSpec): string =>
  ENTRIES[name].says.replaceAll('{d}', text.slice(name.length + 1));
