/** The writes of an answer for people: long text and long runs of writes that are alike are cut, and the cut says what it left out. */
import type { ShownWrite } from '../../src/audit/probe/document.ts';
import type { Write } from '../../src/measure/probe/answer.ts';
import { count, grouped } from '../text.ts';
import { spelledOut } from './spelled.ts';

/** Of a run of writes that are alike: shown at its start and at its end. */
const FIRST = 3;
const LAST = 1;
/** Patterns of so many writes in turn are known as runs, e.g. a comment and a token. */
const LONGEST_PATTERN = 4;
const TEXT_HEAD = 560;
const TEXT_TAIL = 140;

/** At most so much text that the end of a token’s write, usage and [DONE] included, stays whole. */
function cutText(text: string): string {
  const characters = [...text];
  const left = characters.length - TEXT_HEAD - TEXT_TAIL;
  if (left <= 40) return text;
  return `${characters.slice(0, TEXT_HEAD).join('')} … ${grouped(left)} more characters … ${characters.slice(-TEXT_TAIL).join('')}`;
}

interface Spelled {
  readonly atMs: number;
  readonly bytes: number;
  readonly text: string;
  /** The text with its numbers taken out: writes that have it in common are alike. */
  readonly like: string;
}

const spelled = ({ atMs, bytes }: Write): Spelled => {
  const text = spelledOut(bytes);
  // A chunk's own length goes with its content's digits, so it is a number like others.
  return { atMs, bytes: bytes.length, text, like: text.replace(/^[0-9a-f]+(?=␍␊)|\d+/g, '#') };
};

/** How many writes from `from` on follow one pattern of `period` writes. */
function runLength(writes: readonly Spelled[], from: number, period: number): number {
  let end = from + period;
  while (end < writes.length && writes[end]!.like === writes[end - period]!.like) end++;
  return Math.min(end, writes.length) - from;
}

const time = (value: number): string => grouped(Number(value.toFixed(3)));

/** `20 ms apart`, `all at once`, `gaps of 5 to 35 ms`. */
function apart(instants: readonly number[]): string {
  const gaps = instants.slice(1).map((at, i) => Number((at - instants[i]!).toFixed(3)));
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  if (least !== most) return `gaps of ${time(least)} to ${time(most)} ms`;
  return most === 0 ? 'all at once' : `${time(most)} ms apart`;
}

/** One line for the writes that are left out; `before` ends with what stands in front of them. */
function leftOut(before: readonly Spelled[], left: readonly Spelled[], period: number): ShownWrite {
  const pattern = before.slice(-period);
  const same = left.every(({ text }, i) => text === pattern[i % period]!.text);
  const like = `like ${period === 1 ? 'this' : `these ${period}, in turn`}${same ? '' : ' but for numbers in them'}`;
  return {
    at_ms: left[0]!.atMs,
    bytes: left.reduce((sum, { bytes }) => sum + bytes, 0),
    text: `… ${count(left.length, 'more write')} ${like}, ${apart([before.at(-1)!, ...left].map(({ atMs }) => atMs))}`,
    left_out: left.length,
  };
}

const shown = ({ atMs, bytes, text }: Spelled): ShownWrite => ({ at_ms: atMs, bytes, text: cutText(text) });

/** The writes as the result shows them. */
export function shownWrites(writes: readonly Write[]): ShownWrite[] {
  const all = writes.map(spelled);
  const out: ShownWrite[] = [];
  for (let at = 0; at < all.length; ) {
    let [period, length] = [1, 0];
    for (let p = 1; p <= LONGEST_PATTERN; p++) {
      const run = runLength(all, at, p);
      if (run >= 2 * p && run > length + p) [period, length] = [p, run];
    }
    const [first, last] = [Math.max(FIRST, period), Math.max(LAST, period - 1)];
    if (length < first + last + 2 + period) {
      out.push(shown(all[at]!));
      at += 1;
      continue;
    }
    const end = at + length;
    out.push(...all.slice(at, at + first).map(shown));
    out.push(leftOut(all.slice(at, at + first), all.slice(at + first, end - last), period));
    out.push(...all.slice(end - last, end).map(shown));
    at = end;
  }
  return out;
}
