import { describe, expect, it } from 'vitest';
import { chunk, event } from '../../probes/kit/chunk.ts';
import { bytesOf, httpChunk, joined, plain, streamed } from '../../probes/kit/stream.ts';
import type { Asked } from '../../src/measure/probe/answer.ts';
import { timelineOf } from '../../src/truth/probe-timeline.ts';

const asked: Asked = {
  kind: 'chat',
  model: 'm',
  tokens: 50,
  includeUsage: true,
  ignoreEos: true,
  promptTokens: 16,
  prompt: '',
  id: 'chatcmpl-1',
  created: 0,
  httpVersion: '1.1',
  headers: {},
  place: 0,
  onConnection: 0,
};

describe('the timeline of an answer', () => {
  it('has the head, every event at its write, usage, [DONE] and the end', () => {
    const timeline = timelineOf(plain(asked))!;
    expect([timeline.headMs, timeline.status, timeline.endMs]).toEqual([5, 200, 1180]);
    const tokens = timeline.events.filter((one) => one.tokens > 0);
    expect(tokens.map((one) => one.atMs)).toEqual(Array.from({ length: 50 }, (_, i) => 200 + 20 * i));
    expect(timeline.events.slice(50).map(({ kind, usage }) => [kind, usage])).toEqual([
      ['chunk', 50],
      ['done', null],
    ]);
  });

  it('dates an event by the write that completed it', () => {
    const text = event(chunk(asked));
    const timeline = timelineOf(
      streamed([
        { atMs: 10, body: text.slice(0, 20) },
        { atMs: 30, body: text.slice(20) },
      ]),
    )!;
    expect(timeline.events.map(({ atMs }) => atMs)).toEqual([30]);
  });

  it('passes over informational answers, and knows a body that never ended', () => {
    const writes = [
      { atMs: 1, bytes: bytesOf('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n') },
      {
        atMs: 40,
        bytes: joined(
          'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
          httpChunk(event(chunk(asked))),
        ),
      },
    ];
    expect(timelineOf({ writes, ending: { kind: 'close', atMs: 50 } })).toMatchObject({
      headMs: 40,
      endMs: null,
    });
    expect(timelineOf({ writes: [], ending: { kind: 'reset', atMs: 5 } })).toBeNull();
  });

  it('ends a body without a length with its connection', () => {
    const answer = plain(asked, { framing: 'close' });
    expect(timelineOf(answer)!.endMs).toBe(1180);
  });
});
