/** Whether a control was found: kind, sign and size, and nothing else. Pure. */
import type { Fault, FaultKind } from '../../measure/diagnosis/fault.ts';
import type { Outcome } from '../document.ts';
import type { Control } from './controls.ts';

/** How far a size may be from the dose, of it. */
export const SIZE_WITHIN = 0.1;

export const CONTROL_VERDICTS = [
  'right',
  'missed',
  'wrong size',
  'confused',
  'accused',
  'undetermined',
  'not run',
] as const;
/**
 * `right`: kind, sign and size, or nothing where there is nothing. `missed`: nothing was found. `wrong size`; `confused`: another fault was
 * found, beside it or instead. `accused`: something was found in the client as it is. `undetermined`: none of this is sure, since the
 * machine disturbed the trial. `not run`: the trial has no figures.
 */
export type ControlVerdict = (typeof CONTROL_VERDICTS)[number];

export interface Judged {
  readonly verdict: ControlVerdict;
  /** The fault that was looked for, as found. */
  readonly size: number | null;
  /** What else was found. */
  readonly others: readonly FaultKind[];
  readonly reason: string;
}

/** Size and expectation agree: within a tenth, or by less than one request where requests are counted. */
export function sizeAgrees(found: Fault, expected: number, requests: number): boolean {
  if (Math.sign(found.size) !== Math.sign(expected)) return false;
  const off = Math.abs(found.size - expected);
  return off <= SIZE_WITHIN * Math.abs(expected) || (found.unit === 'share' && off * requests < 1.5);
}

/** A verdict on a trial that was disturbed is none, unless it is right all the same. */
export function underDisturbance(judged: Judged, cause: string | null): Judged {
  if (cause === null || judged.verdict === 'right' || judged.verdict === 'not run') return judged;
  return { ...judged, verdict: 'undetermined', reason: `${cause}; ${judged.verdict}: ${judged.reason}` };
}

/** Judges one control by the faults that were found in its trial; `faults` null: there are none to judge by. */
export function judgeControl(
  control: Pick<Control, 'expects' | 'also'>,
  expected: number,
  faults: readonly Fault[] | null,
  outcome: Outcome,
  requests: number,
): Judged {
  if (faults === null)
    return {
      verdict: 'not run',
      size: null,
      others: [],
      reason: 'reason' in outcome ? `${outcome.kind}: ${outcome.reason}` : 'its trial has no figures',
    };
  const others = faults
    .map(({ kind }) => kind)
    .filter((kind) => kind !== control.expects && !control.also?.includes(kind));
  const words = (kinds: readonly FaultKind[]): string => kinds.join(', ');
  if (control.expects === null)
    return {
      verdict: others.length === 0 ? 'right' : 'accused',
      size: null,
      others,
      reason: faults[0]?.evidence ?? '',
    };
  const found = faults.find(({ kind }) => kind === control.expects);
  const base = { size: found?.size ?? null, others };
  if (found === undefined)
    return others.length === 0
      ? { ...base, verdict: 'missed', reason: 'nothing was found' }
      : { ...base, verdict: 'confused', reason: `taken for ${words(others)}: ${faults[0]!.evidence}` };
  if (others.length > 0) return { ...base, verdict: 'confused', reason: `also accused of ${words(others)}` };
  if (!sizeAgrees(found, expected, requests))
    return { ...base, verdict: 'wrong size', reason: found.evidence };
  return { ...base, verdict: 'right', reason: found.evidence };
}
