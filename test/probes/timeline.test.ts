/** The timeline that stated definitions are computed from agrees with what a probe calls right, and with another reader of its bytes. */
import { describe, expect, it } from 'vitest';
import { loadProbes } from '../../probes/catalogue.ts';
import { chunk, event } from '../../probes/kit/chunk.ts';
import { plainPieces, streamed } from '../../probes/kit/stream.ts';
import type { TimelineEvent } from '../../src/measure/probe/timeline.ts';
import { timelineOf } from '../../src/truth/probe-timeline.ts';
import { asked, askedOf, isScripted } from './asked.ts';
import { readingOf } from './oracle/reading.ts';

/** Tokens of which docs/metrics.md says that they are none: neither content nor reasoning. */
const NO_TEXT = ['tool-calls', 'refusal'];

const probes = (await loadProbes()).filter(isScripted).filter(({ id }) => !NO_TEXT.includes(id));
const tokenInstants = (events: readonly TimelineEvent[]): number[] =>
  events.filter(({ tokens }) => tokens > 0).map(({ atMs }) => atMs);

it.each(probes.map((probe) => [probe.id, probe] as const))('%s: its timeline', async (_, probe) => {
  for (const place of [0, 1]) {
    const request = askedOf(probe, { place });
    const answer = probe.answer(request);
    if (!probe.sees(place, request).ok) continue;
    const reading = await readingOf(answer);
    const timeline = timelineOf(answer);
    expect(tokenInstants(timeline!.events)).toEqual(reading.tokens.map(({ atMs }) => atMs));
    expect(timeline!.events.findLast(({ usage }) => usage !== null)?.usage ?? null).toBe(reading.usage);
    expect(timeline!.endMs).not.toBeNull();
  }
});

describe('timelineOf', () => {
  const first = plainPieces(asked())[0]!;

  it('has an event at its CR, without waiting for the next byte', () => {
    const answer = streamed([
      { atMs: 200, body: `data: ${chunk(asked())}\r\r` },
      { atMs: 300, body: `\n${event(chunk(asked()))}` },
    ]);
    expect(tokenInstants(timelineOf(answer)!.events)).toEqual([200, 300]);
  });

  it('ends with [DONE], whatever comes behind it', () => {
    const answer = streamed([first, { atMs: 300, body: event('[DONE]') }, { atMs: 400, body: first.body }]);
    const { events, endMs } = timelineOf(answer)!;
    expect(events.map(({ kind }) => kind)).toEqual(['chunk', 'done']);
    expect(endMs).toBe(400);
  });

  it('is null where there is no HTTP answer', () => {
    expect(timelineOf({ writes: [], ending: { kind: 'reset', atMs: 5 } })).toBeNull();
  });
});
