import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunkObject, ending, event } from '../kit/chunk.ts';
import { M, TOKENS } from '../kit/profile.ts';
import { closed, streamed, tokenMs } from '../kit/stream.ts';

/** The same JSON with the members of every object in reverse. */
const reversed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reversed)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, inner]) => [key, reversed(inner)]),
        )
      : value;

export default {
  scope: 'request',
  title: 'the members of every object in reverse order',
  about:
    'Content stands before the id, finish_reason before the delta. An object’s members have no order; a reader that goes by it, or by a prefix of the chunk’s bytes, finds nothing.',
  source: 'RFC 8259 §1: an object is an unordered collection',
  right: 'success; 50 tokens; M’s figures',
  answer: (asked) => {
    const pieces = Array.from({ length: TOKENS }, (_, i) => ({
      atMs: tokenMs(i),
      body: event(
        JSON.stringify(reversed(chunkObject(asked, { finish: i === TOKENS - 1 ? 'length' : null }))),
      ),
    }));
    return streamed(closed(pieces, ending(asked)));
  },
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
