/**
 * What a client makes of an answer by the definitions that it states: the same arithmetic as of expected.ts, for a timeline. Where
 * this is not the right figure and is what the client prints, the client has another definition, and says so.
 */
import type { Definitions } from '../definitions.ts';
import type { Seen, SeenDone } from './seen.ts';
import { ntpotOf, tpotOf } from './seen.ts';
import { answered, type Timeline, type TimelineEvent } from './timeline.ts';

const gapsOf = (events: readonly TimelineEvent[]): number[] =>
  events.slice(1).map((event, i) => event.atMs - events[i]!.atMs);

function tokenCount(
  { events }: Timeline,
  texts: readonly TimelineEvent[],
  definitions: Definitions,
  asked: number,
): number {
  const words = texts.reduce((sum, event) => sum + event.tokens, 0);
  switch (definitions.tokenSource) {
    case 'usage':
      return events.findLast((event) => event.usage !== null)?.usage ?? words;
    case 'clientTokenizer':
      return words;
    case 'requested':
      return asked;
    case 'chunks':
      return texts.length;
  }
}

/**
 * A sound answer as a client with these definitions sees it.
 * @param asked the tokens that were asked for.
 * @param bare whether a chunk without a choice is a "first chunk", too: clients that state it differ.
 */
export function seenBy(definitions: Definitions, timeline: Timeline, asked: number, bare = false): Seen {
  const events = answered(timeline);
  const texts = events.filter((event) => event.tokens > 0);
  const chunks = events.filter((event) => event.kind === 'chunk' && (event.hasChoice || bare));
  const first = texts[0];
  const last = texts.at(-1);
  if (first === undefined || last === undefined) return { ok: false };
  const ttftMs =
    definitions.ttft === 'headers'
      ? timeline.headMs
      : definitions.ttft === 'firstChunk'
        ? Math.min(first.atMs, chunks[0]?.atMs ?? first.atMs)
        : first.atMs;
  const e2eMs = definitions.end === 'responseEnd' ? (timeline.endMs ?? last.atMs) : last.atMs;
  const tokens = tokenCount(timeline, texts, definitions, asked);
  const base: SeenDone = { ok: true, ttftMs, e2eMs, tokens, itlMs: [] };
  const tpotMs =
    definitions.tpot === 'betweenTokens'
      ? tokens > 1
        ? (last.atMs - first.atMs) / (tokens - 1)
        : null
      : tpotOf(base);
  const ntpotMs =
    definitions.ntpot === 'toLastToken' ? (tokens > 0 ? last.atMs / tokens : null) : ntpotOf(base);
  const listed = definitions.ttft === 'firstChunk' ? chunks.filter(({ atMs }) => atMs <= last.atMs) : texts;
  const itlMs = definitions.itl === 'tpot' ? (tpotMs === null ? [] : [tpotMs]) : gapsOf(listed);
  return { ...base, tpotMs, ntpotMs, itlMs };
}

/** The kind that a stated definition goes by, for a figure; null where the definition is the standard one. */
export function kindOfStated(definitions: Definitions, figure: string): string | null {
  const metric = figure.split(' ')[0];
  const ttft =
    definitions.ttft === 'headers'
      ? 'headers-as-token'
      : definitions.ttft === 'firstChunk'
        ? 'first-chunk-as-token'
        : null;
  const end = definitions.end === 'responseEnd' ? 'end-at-response' : null;
  const count = {
    usage: null,
    clientTokenizer: 'recounted-text',
    requested: 'requested-as-tokens',
    chunks: 'chunks-as-tokens',
  }[definitions.tokenSource];
  switch (metric) {
    case 'ttft':
      return ttft;
    case 'e2e':
      return end;
    case 'tokens':
      return count ?? 'usage-as-given';
    case 'itl':
      return definitions.itl === 'tpot' ? 'tpot-as-itl' : (ttft ?? 'gaps-between-chunks');
    case 'tpot':
      return (
        (definitions.tpot === 'betweenTokens' ? 'tpot-between-tokens' : (ttft ?? end)) ??
        count ??
        'first-burst-in-tpot'
      );
    case 'ntpot':
      return end ?? count;
    default:
      return null;
  }
}
