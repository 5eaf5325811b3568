/** Whether a client says of one run that it could not be kept: by what it dropped, by figures of the right size, or in plain words. */
import type { LoadRun } from '../../src/measure/probe/probe.ts';
import { sentOf } from './load-run.ts';
import { say } from './load-verdict.ts';

/** What happened, to compare what is said with. */
export interface Missed {
  /** Share of the rate that was sent. */
  readonly sent: number;
  /** Below this share the rate was not held. */
  readonly holds: number;
  /** Its own lag in the median of TTFT, ms; null: not known. */
  readonly lagMs: number | null;
}

export interface Said {
  readonly words: string;
  /** It is of the rate alone, which says nothing of a lag. */
  readonly ofRateOnly: boolean;
}

/** A figure says so where it owns to this part of what happened. */
const PART = 0.5;
const PLAIN =
  /\b(could ?n[o’']t keep|can ?not keep|unable to keep|(did|was) not (keep|kept|hold|held|reach(ed)?|achieved?|sustain(ed)?)|fell behind|behind (its|the) schedule|saturated|overloaded|(not to|(can ?|should )not) be trusted)\b/i;
/** Warnings of our own client, each of which its thresholds raise for that run alone. */
const OWN = /\bown warning, (sends-behind|completions-behind|schedule-lag|busy-loop|core-shared)\b/;
/** A word of warning that holds of any run, or says that all is well. */
const OF_ANY =
  /\b(if|may|might|would|when(ever)?|never|no longer|(is|was|were) not (saturated|overloaded))\b/i;
const OF_DELAY = /\b(late|delay(s|ed)?|behind|lag(s|ged)?|after (its|their) schedule)\b/i;
const MEAN = /\bmean (?:of )?(\d+(?:\.\d+)?)(?:,[^;]*?)? ?(ms|s)\b/;
const DELAY = /(\d+(?:\.\d+)?) ?(ms|s)\b/;
const COUNT =
  /\b(?:sent|counts?|reached|achieved|made|held) (\d+(?:\.\d+)?)(?: requests(?:\/s)?)? of (\d+(?:\.\d+)?)/;

/** Mean time, ms, by which sends must have been late at such a rate: half of what the last one was. */
const lateMs = ({ requests, rateRps }: LoadRun, sent: number): number =>
  sent >= 1 || sent <= 0 ? 0 : (500 * requests * (1 / sent - 1)) / rateRps;

function delayOf(note: string): number | null {
  if (!OF_DELAY.test(note)) return null;
  const [, value, unit] = MEAN.exec(note) ?? DELAY.exec(note) ?? [];
  return value === undefined ? null : Number(value) * (unit === 's' ? 1000 : 1);
}

function tells(note: string, run: LoadRun, { sent, holds, lagMs }: Missed): boolean {
  if (OWN.test(note)) return true;
  const short = sent < holds;
  const delay = delayOf(note);
  const happened = short ? lateMs(run, sent) : (lagMs ?? 0);
  // With a figure of a delay, it is the figure that counts.
  if (delay !== null) return happened > 0 && delay >= PART * happened;
  const [, made, of] = COUNT.exec(note) ?? [];
  if (made !== undefined) return short && 1 - Number(made) / Number(of) >= PART * (1 - sent);
  return PLAIN.test(note) && !OF_ANY.test(note);
}

/** What of its own output says that this run was not kept; null: nothing. `always`: notes of runs that it kept, which tell nothing. */
export function saidOf(run: LoadRun, missed: Missed, always: readonly string[]): Said | null {
  const { reported, notes = [] } = run;
  const { sent, holds } = missed;
  if ((reported?.dropped ?? 0) > 0)
    return { words: `says that it dropped ${reported!.dropped}`, ofRateOnly: false };
  const note = notes.find((one) => !always.includes(one) && tells(one, run, missed));
  if (note !== undefined) return { words: `says: ${note}`, ofRateOnly: false };
  const lost = run.requests - sentOf(run);
  if (lost > 0 && (reported?.failed ?? 0) >= PART * lost)
    return { words: `says that ${reported!.failed} failed`, ofRateOnly: true };
  const rate = reported?.achievedRps ?? null;
  return sent < holds &&
    rate !== null &&
    rate < holds * run.rateRps &&
    1 - rate / run.rateRps >= PART * (1 - sent)
    ? { words: `prints ${say(rate)} requests/s`, ofRateOnly: true }
    : null;
}
