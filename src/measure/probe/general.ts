/**
 * Faults and definitions that need no probe of their own: what a client that has one makes of any sound answer, by the instants of its
 * events. A probe names those that it is about; this names the others where they show as well. Pure.
 */
import type { Seen, SeenDone } from './seen.ts';
import { answered, type Timeline, type TimelineEvent } from './timeline.ts';

interface Answered {
  readonly right: SeenDone;
  readonly timeline: Timeline;
  readonly firstMs: number;
  /** Events with text. */
  readonly texts: readonly TimelineEvent[];
  /** Chunks with a choice up to the last text, whatever is in them. */
  readonly chunks: readonly TimelineEvent[];
  readonly asked: number;
}

const gapsOf = (events: readonly TimelineEvent[]): number[] =>
  events.slice(1).map((event, i) => event.atMs - events[i]!.atMs);

type Change = (answered: Answered) => Partial<SeenDone>;

/** By kind, what such a client sees otherwise. */
const CHANGES: Readonly<Record<string, Change>> = {
  'headers-as-token': ({ timeline }) => ({ ttftMs: timeline.headMs }),
  'first-chunk-as-token': ({ chunks }) => ({ ttftMs: chunks[0]!.atMs, itlMs: gapsOf(chunks) }),
  'whole-body': ({ right, timeline }) => {
    const atMs = timeline.endMs ?? right.e2eMs;
    return { ttftMs: atMs, e2eMs: atMs, itlMs: right.itlMs.map(() => 0) };
  },
  'end-at-response': ({ right, timeline }) => ({ e2eMs: timeline.endMs ?? right.e2eMs }),
  'requested-as-tokens': ({ asked }) => ({ tokens: asked }),
  'chunks-as-tokens': ({ texts }) => ({ tokens: texts.length }),
  'gaps-between-chunks': ({ texts }) => ({ itlMs: gapsOf(texts) }),
  'ttft-in-itl': ({ right, firstMs }) => ({ itlMs: [firstMs, ...right.itlMs] }),
  // (E2E − TTFT) / N in place of N − 1.
  'tpot-by-n': ({ right, firstMs }) => ({
    tpotMs: right.tokens > 1 ? (right.e2eMs - firstMs) / right.tokens : null,
  }),
  // E2E / N under the name of TPOT.
  'ttft-in-tpot': ({ right }) => ({ tpotMs: right.tokens > 0 ? right.e2eMs / right.tokens : null }),
};

/** Every kind there is. */
export const GENERAL_KINDS: readonly string[] = Object.keys(CHANGES);

/**
 * What a client with that fault sees of an answer; what is right, where the fault has nothing to show: a request that fails, or one
 * without text.
 * @param asked output tokens that were asked for.
 */
export function seenWith(kind: string, right: Seen, timeline: Timeline | null, asked: number): Seen {
  if (!right.ok || right.ttftMs === null || timeline === null) return right;
  const events = answered(timeline);
  const texts = events.filter((event) => event.tokens > 0);
  const last = texts.at(-1);
  if (last === undefined) return right;
  const chunks = events.filter(
    ({ kind: what, hasChoice, atMs }) => what === 'chunk' && hasChoice && atMs <= last.atMs,
  );
  if (chunks.length === 0) return right;
  const change = CHANGES[kind]!({ right, timeline, firstMs: right.ttftMs, texts, chunks, asked });
  // A TPOT or NTPOT of the probe's own follows from what is changed here.
  const { tpotMs, ntpotMs, ...base } = right;
  const moves = 'ttftMs' in change || 'e2eMs' in change || 'tokens' in change;
  return { ...(moves ? base : right), ...change };
}
