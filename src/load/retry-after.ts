/** Retry-After of an answer (RFC 9110, section 10.2.3): whole seconds, or an HTTP date (section 5.6.7). */
import { NANOS_PER_MS, NANOS_PER_S } from '../measure/time.ts';

/** Statuses at which it is heeded: too many requests, and not available now. */
export const isRefusal = (status: number): boolean => status === 429 || status === 503;

/** The three spellings of an HTTP date: RFC 1123’s, RFC 850’s and that of C’s asctime. All are in UTC. */
const IMF = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]{5,8}, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}:\d{2}:\d{2}) GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}:\d{2}:\d{2}) (\d{4})$/;

const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null);

/** A two-digit year is the one that is not more than 50 years ahead. */
function fullYear(two: string, nowMs: number): number {
  const now = new Date(nowMs).getUTCFullYear();
  const year = Math.floor(now / 100) * 100 + Number(two);
  return year > now + 50 ? year - 100 : year;
}

/** An HTTP date as ms since the epoch; null where it is none. */
export function parseHttpDate(text: string, nowMs: number): number | null {
  if (IMF.test(text)) return finite(Date.parse(text));
  const old = RFC_850.exec(text);
  if (old !== null)
    return finite(Date.parse(`${old[1]} ${old[2]} ${fullYear(old[3]!, nowMs)} ${old[4]} GMT`));
  const c = ASCTIME.exec(text);
  return c === null ? null : finite(Date.parse(`${c[2]!.trim()} ${c[1]} ${c[4]} ${c[3]} GMT`));
}

/**
 * How long to wait, ns: 0 for a date that has passed, Infinity for a number too large to hold; null where it is neither whole seconds nor an HTTP date. A
 * date is taken against the answer’s own `Date` where it has one, since clocks of two machines differ, else against `nowMs`, ms since the epoch.
 */
export function waitOf(retryAfter: string, date: string, nowMs: number): number | null {
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Number(text) * NANOS_PER_S;
  const at = parseHttpDate(text, nowMs);
  if (at === null) return null;
  return Math.max(0, at - (parseHttpDate(date.trim(), nowMs) ?? nowMs)) * NANOS_PER_MS;
}

/** The value of a header among undici’s raw ones (names and values in turn); empty where there is none. The first one counts. */
export function headerOf(raw: readonly Buffer[], name: string): string {
  for (let i = 0; i + 1 < raw.length; i += 2)
    if (raw[i]!.length === name.length && raw[i]!.toString('latin1').toLowerCase() === name)
      return raw[i + 1]!.toString('latin1');
  return '';
}
