/** Holds what a probe calls right against what its bytes say. */
import type { Seen } from '../../../src/measure/probe/seen.ts';
import type { Reading } from './reading.ts';

const same = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const list = (values: readonly number[]): string => values.slice(0, 8).join(', ');

/** Every way in which the two disagree, in words; none: they agree. */
export function disagreements(seen: Seen, reading: Reading): string[] {
  const { failure, tokens, usage } = reading;
  // Whether a sound answer without a token is a failure is for its probe to say.
  if (!seen.ok)
    return failure === null && tokens.length > 0
      ? ['`sees` says that the request fails, but its bytes are a sound answer']
      : [];
  if (failure !== null) return [`\`sees\` says that the request is sound, but its bytes hold: ${failure}`];
  const wrong: string[] = [];
  const first = tokens[0]?.atMs ?? null;
  const last = tokens.at(-1)?.atMs ?? null;
  if (seen.ttftMs === null ? first !== null : first === null || !same(seen.ttftMs, first))
    wrong.push(`TTFT: \`sees\` ${seen.ttftMs}, bytes ${first}`);
  // Without a token the end is that of the body; the probe says which.
  if (last !== null && !same(seen.e2eMs, last)) wrong.push(`E2E: \`sees\` ${seen.e2eMs}, bytes ${last}`);
  const counts = [
    sum(tokens.map((event) => event.words)),
    sum(tokens.map((event) => event.wordsOfFirstChoice)),
  ];
  if (usage !== null) counts.push(usage);
  if (!counts.includes(seen.tokens))
    wrong.push(`tokens: \`sees\` ${seen.tokens}, words ${counts[0]}, usage ${usage}`);
  const gaps = tokens.slice(1).map((event, i) => event.atMs - tokens[i]!.atMs);
  const single = tokens.every((event) => event.words === 1);
  if (single) {
    if (gaps.length !== seen.itlMs.length || !gaps.every((gap, i) => same(gap, seen.itlMs[i]!)))
      wrong.push(`gaps: \`sees\` ${list(seen.itlMs)} …, bytes ${list(gaps)} …`);
  } else if (seen.itlMs.length > 0 && !same(sum(seen.itlMs), sum(gaps)))
    // Several tokens an event: how a gap is shared among them is a definition, but not what they add up to.
    wrong.push(`sum of gaps: \`sees\` ${sum(seen.itlMs)}, bytes ${sum(gaps)}`);
  return wrong;
}
