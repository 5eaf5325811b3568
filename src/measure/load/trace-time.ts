/** Points in time as traces write them. */

/** Whole seconds, and the part of one: apart, since a date in seconds leaves only 200 ns of a float64. */
export interface TracePoint {
  readonly wholeS: number;
  readonly partS: number;
}

/** b − a in seconds, to the last digit that was written. */
export const secondsBetween = (a: TracePoint, b: TracePoint): number =>
  b.wholeS - a.wholeS + (b.partS - a.partS);

const DATE = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):?(\d\d))?$/;

/** `2023-11-16 18:15:46.6805900`, also with `+00:00` or `Z` at its end (without, it is taken for UTC); null for anything else. */
export function parseDate(text: string): TracePoint | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(ms);
  // Date.UTC takes the 31st of February for the 3rd of March.
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const zone = match[8] === undefined ? 0 : (Number(match[9]) * 60 + Number(match[10])) * 60;
  return {
    wholeS: ms / 1000 - (match[8] === '-' ? -zone : zone),
    partS: match[7] === undefined ? 0 : Number(`0.${match[7]}`),
  };
}

/** A number of seconds from 0 on, `5` or `19440110.0`; null for anything else. */
export function parseSeconds(text: string): TracePoint | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const wholeS = Number(match[1]);
  return Number.isSafeInteger(wholeS)
    ? { wholeS, partS: match[2] === undefined ? 0 : Number(`0.${match[2]}`) }
    : null;
}
