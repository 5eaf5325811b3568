/** A probe as the result shows it: its words, and what it sends. */
import type { ShownProbe } from '../../src/audit/probe/document.ts';
import type { Answer, Asked, Ending } from '../../src/measure/probe/answer.ts';
import type { LoadProbe, NamedProbe } from '../../src/measure/probe/probe.ts';
import { count, grouped } from '../text.ts';
import { shownWrites } from './sent.ts';

const TOKENS = 50;
/** Requests whose answers are looked at. */
const PLACES = [0, 1, 2, 3];

/** The request that is shown: always the same but for its place, so that the same probe always gives the same text. */
const askedAt = (place: number, tokens: number): Asked => ({
  kind: 'chat',
  model: 'tare',
  tokens,
  includeUsage: true,
  ignoreEos: false,
  promptTokens: 16,
  prompt: `shown ${place}`,
  id: 'chatcmpl-0000000000000000',
  created: 1_750_000_000,
  httpVersion: '1.1',
  headers: { host: '127.0.0.1', accept: 'text/event-stream', 'content-type': 'application/json' },
  place,
  onConnection: 0,
});

const endingWords = (ending: Ending): string =>
  ending.kind === 'keep'
    ? 'the connection stays open for the next request'
    : `${ending.kind === 'close' ? 'the connection is closed (FIN)' : 'the connection is reset (RST)'} at ${grouped(ending.atMs)} ms`;

/** Answers to the first requests, each one only where it differs from those before it. */
function sentOf(answer: (asked: Asked) => Answer, tokens: number): ShownProbe['sent'] {
  const seen = new Set<string>();
  return PLACES.flatMap((place) => {
    const { writes, ending } = answer(askedAt(place, tokens));
    const key = JSON.stringify([
      writes.map(({ atMs, bytes }) => [atMs, Buffer.from(bytes).toString('latin1')]),
      ending,
    ]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ place, writes: shownWrites(writes), ending: endingWords(ending) }];
  });
}

const runLine = (run: LoadProbe['runs'][number]): string =>
  [
    `${run.name}: ${count(run.requests, 'request')} at ${grouped(run.rateRps)}/s, ${run.arrivals} arrivals, ${count(run.tokens, 'token')}`,
    ...(run.latency === undefined ? [] : [`latency ${run.latency}`]),
    ...(run.flags ?? []),
  ].join(', ');

/** The probe for the result. Calls `answer`, for requests that no client sends. */
export function shownProbe(probe: NamedProbe): ShownProbe {
  const tokens = probe.scope === 'load' ? (probe.runs[0]?.tokens ?? TOKENS) : (probe.tokens ?? TOKENS);
  return {
    id: probe.id,
    group: probe.group,
    scope: probe.scope,
    title: probe.title,
    about: probe.about,
    source: probe.source,
    right: probe.right,
    known: probe.known.map(({ kind, what, arithmetic, definition, reported }) => ({
      kind,
      what,
      arithmetic,
      definition: definition === true,
      reported: reported ?? [],
    })),
    sent: probe.answer === undefined ? [] : sentOf(probe.answer, tokens),
    load: probe.scope === 'load' ? probe.runs.map(runLine) : [],
  };
}
