/** How verdicts are shown: a sign and a word beside the colour, so that nothing rests on colour. */
import { PROBE_VERDICTS, type ProbeCell, type ProbeVerdict } from '../../src/audit/probe/document.ts';

export interface VerdictLook {
  /** One character, for a cell of the page's matrix. */
  readonly sign: string;
  /** At most five letters, for the terminal. */
  readonly short: string;
  /** Class in the page. */
  readonly style: string;
  /** ANSI colour. */
  readonly color: number;
  readonly meaning: string;
}

export const LOOK: Readonly<Record<ProbeVerdict, VerdictLook>> = {
  right: {
    sign: '✓',
    short: 'ok',
    style: 'v-right',
    color: 32,
    meaning: 'every figure that it gives is right, within what this machine can tell',
  },
  'other definition': {
    sign: 'D',
    short: 'def',
    style: 'v-other',
    color: 36,
    meaning:
      'a figure is another one than the standard’s: what the client states that it measures, or a named definition that can be defended and that its statements do not cover',
  },
  faulty: {
    sign: 'F',
    short: 'FAULT',
    style: 'v-faulty',
    color: 31,
    meaning: 'a figure is wrong, or a request is counted as what it was not',
  },
  crashed: {
    sign: 'C',
    short: 'CRASH',
    style: 'v-crashed',
    color: 35,
    meaning: 'the client ended by itself, hung, or left no figures',
  },
  'not applicable': {
    sign: '–',
    short: '-',
    style: 'v-none',
    color: 90,
    meaning: 'it gives no figure that the probe is about, or cannot be asked for what the probe needs',
  },
  undetermined: {
    sign: '?',
    short: '?',
    style: 'v-unsure',
    color: 33,
    meaning: 'it was run, and what it gave cannot be judged: the words say why',
  },
};

export type VerdictCounts = Readonly<Record<ProbeVerdict, number>>;

/** How many cells have each verdict. */
export function verdictCounts(cells: readonly Pick<ProbeCell, 'verdict'>[]): VerdictCounts {
  const counts = Object.fromEntries(PROBE_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    ProbeVerdict,
    number
  >;
  for (const { verdict } of cells) counts[verdict] += 1;
  return counts;
}
