/** The experiment: which kinds of requests are run, how often, in which order. */
import { uniform } from '../random.ts';

/** A kind of request. */
export interface Cell {
  /** `t16-p16`: tokens and words of the prompt. */
  readonly id: string;
  readonly tokens: number;
  readonly promptTokens: number;
}

export const cellOf = (tokens: number, promptTokens: number): Cell => ({
  id: `t${tokens}-p${promptTokens}`,
  tokens,
  promptTokens,
});

/** Words of a prompt of about 0.1, 1 and 16 KB. */
export const PROMPT_WORDS = { small: 16, middle: 190, large: 2900 } as const;
export const TOKENS = [1, 16, 64, 256] as const;

/** Words that are tried for the large prompt, since some clients take no longer ones; the first that a client takes. */
const LARGE_PROMPTS = [PROMPT_WORDS.large, 1000, 500] as const;

/**
 * A line of three costs needs no full grid: tokens are varied at a small prompt, the prompt at 16 tokens, and one corner tells whether
 * both together cost what they do apart. `takes` says whether a client can be asked for such a request.
 */
export function cellsFor(takes: (cell: Cell) => boolean, size: 'full' | 'short'): Cell[] {
  const { small, middle } = PROMPT_WORDS;
  const large = LARGE_PROMPTS.find((words) => takes(cellOf(16, words))) ?? null;
  const tokens = size === 'full' ? TOKENS : [1, 64, 256];
  const cells = tokens.map((count) => cellOf(count, small));
  // A client that asks for no fewer tokens than some.
  if (!takes(cells[0]!)) cells[0] = cellOf(4, small);
  if (size === 'full') cells.push(cellOf(16, middle));
  if (large !== null) {
    cells.push(cellOf(16, large));
    if (size === 'full') cells.push(cellOf(256, large));
  }
  return cells.filter(takes);
}

/** Every cell once a repetition, in an order of its own each time, so that a drift of the machine falls on all alike. */
export function runsOf(
  cells: readonly Cell[],
  repetitions: number,
  seed: number,
): { cell: Cell; repetition: number }[] {
  const runs: { cell: Cell; repetition: number }[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    const order = [...cells];
    const u = uniform(seed, 0x9f0f, repetition);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(u() * (i + 1));
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    for (const cell of order) runs.push({ cell, repetition });
  }
  return runs;
}

/** How much is measured: cells a layer, repetitions, seconds a run. */
export interface Extent {
  readonly size: 'full' | 'short';
  readonly repetitions: number;
  readonly duration_s: number;
}

/** Largest first. Two repetitions are the fewest that show a spread. */
const EXTENTS: readonly Extent[] = [
  { size: 'full', repetitions: 5, duration_s: 4 },
  { size: 'full', repetitions: 4, duration_s: 4 },
  { size: 'full', repetitions: 3, duration_s: 4 },
  { size: 'full', repetitions: 3, duration_s: 3 },
  { size: 'short', repetitions: 3, duration_s: 3 },
  { size: 'short', repetitions: 2, duration_s: 3 },
  { size: 'short', repetitions: 2, duration_s: 2 },
];

/** Runs at half the load: so many kinds of requests, twice each. */
export const HALF_CELLS = 2;
export const HALF_REPETITIONS = 2;

/** Runs of a layer after its pilots. */
const runsIn = ({ size, repetitions }: Extent): number =>
  repetitions * (size === 'full' ? 7 : 4) + HALF_CELLS * HALF_REPETITIONS;

/** Seconds that a layer takes after its pilots. `overheadS`: what a run takes beside its load. */
export const extentS = (extent: Extent, overheadS: number): number =>
  runsIn(extent) * (extent.duration_s + overheadS);

/** The largest extent that fits the budget of a layer; the smallest where none does. */
export const fitExtent = (budgetS: number, overheadS: number): Extent =>
  EXTENTS.find((extent) => extentS(extent, overheadS) <= budgetS) ?? EXTENTS.at(-1)!;
