import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT } from '../../src/load/event-kind.ts';
import { SseScanner } from '../../src/load/sse-scanner.ts';
import { cut, cuts, naive, scan } from './naive-sse.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const delta = (fields: object, more: object = {}): string =>
  JSON.stringify({ id: 'chatcmpl-7', choices: [{ index: 0, delta: fields, finish_reason: null }], ...more });
const TOKEN = delta({ content: ' tok' });
const none = [-1, -1] as const;
const content = [EVENT.content, ...none] as const;
const done = [EVENT.done, ...none] as const;

/** A stream's text, and the events that it holds. The id is chatcmpl-7 unless said. */
const KNOWN: Record<string, [text: string, events: readonly (readonly number[])[]]> = {
  'the usual spelling': [`data: ${TOKEN}\n\ndata: [DONE]\n\n`, [content, done]],
  'CR LF': [`data: ${TOKEN}\r\n\r\ndata: [DONE]\r\n\r\n`, [content, done]],
  'CR alone': [`data: ${TOKEN}\r\rdata: [DONE]\r\r`, [content, done]],
  'line ends mixed': [
    `data: ${TOKEN}\r\n\ndata: ${TOKEN}\n\r\ndata: ${TOKEN}\r\n\r`,
    [content, content, content],
  ],
  'a byte order mark': [`\uFEFFdata: ${TOKEN}\n\n`, [content]],
  'a second byte order mark is part of the first field name': [
    `\uFEFF\uFEFFdata: ${TOKEN}\n\ndata: ${TOKEN}\n\n`,
    [content],
  ],
  'a byte order mark in the middle is text': [`data: ${TOKEN}\n\n\uFEFFdata: ${TOKEN}\n\n`, [content]],
  'no space after the colon': [`data:${TOKEN}\n\n`, [content]],
  'comments, and other fields': [
    `: ping\n\nid: 4\nretry: 10\nevent: message\n:x\ndata: ${TOKEN}\n\n`,
    [content],
  ],
  'data in two lines': [
    `data: {"id":"chatcmpl-7","choices":[{"delta":\ndata: {"content":"x"}}]}\n\n`,
    [content],
  ],
  'a line end within a string is not JSON': [
    `data: {"id":"chatcmpl-7","a":"b\ndata: c"}\n\n`,
    [[EVENT.malformed, ...none]],
  ],
  'a data field without a colon adds an empty line': [`data\ndata: ${TOKEN}\n\n`, [content]],
  'data without a value': [`data\n\ndata:\n\ndata: ${TOKEN}\n\n`, [[0, ...none], [0, ...none], content]],
  'a field that only begins with data': [
    `database: ${TOKEN}\n\ndata : ${TOKEN}\n\nDATA: ${TOKEN}\n\ndata: ${TOKEN}\n\n`,
    [content],
  ],
  'no empty line at the end: the event does not count': [`data: ${TOKEN}\n\ndata: ${TOKEN}\n`, [content]],
  'nothing counts after [DONE]': [`data: ${TOKEN}\n\ndata: [DONE]\n\ndata: ${TOKEN}\n\n`, [content, done]],
  'no token: role, null, empty': [
    `data: ${delta({ role: 'assistant', content: '' })}\n\ndata: ${delta({ content: null })}\n\ndata: ${delta({})}\n\n`,
    [
      [0, ...none],
      [0, ...none],
      [0, ...none],
    ],
  ],
  'reasoning by both names': [
    `data: ${delta({ reasoning_content: 'a', content: null })}\n\ndata: ${delta({ reasoning: 'b', content: '' })}\n\n`,
    [
      [EVENT.reasoning, ...none],
      [EVENT.reasoning, ...none],
    ],
  ],
  'content spelled inside a string': [
    `data: ${delta({ content: '"content":""}]}\n\ndata: [DONE]' })}\n\n`,
    [content],
  ],
  'a delta spelled inside a string': [
    `data: ${JSON.stringify({ id: 'chatcmpl-7', note: '"choices":[{"delta":{"content":"x"}}]', choices: [] })}\n\n`,
    [[0, ...none]],
  ],
  'escapes and other alphabets': [
    `data: ${delta({ content: '\\ud83d\\ude00 \u65e5\u672c\u{1f600}"\\' })}\n\n`,
    [content],
  ],
  'usage without choices': [
    `data: ${JSON.stringify({ id: 'chatcmpl-7', choices: [], usage: { prompt_tokens: 8, completion_tokens: 16 } })}\n\n`,
    [[EVENT.usage, 16, 8]],
  ],
  'usage: null': [`data: ${delta({ content: 'a' }, { usage: null })}\n\n`, [content]],
  'a finish_reason with the last token': [
    `data: {"id":"chatcmpl-7","choices":[{"delta":{"content":"a"},"finish_reason":"length"}]}\n\n`,
    [[EVENT.content | EVENT.finish, ...none]],
  ],
  'a completion': [`data: {"id":"chatcmpl-7","choices":[{"text":"a","index":0}]}\n\n`, [content]],
  'an error object': [`data: {"error":{"message":"no","code":500}}\n\n`, [[EVENT.error, ...none]]],
  'error: null is none': [`data: ${delta({ content: 'a' }, { error: null })}\n\n`, [content]],
  'an event named error, whatever its data': [`event: error\ndata: oh no\n\n`, [[EVENT.error, ...none]]],
  'the name counts for its own event only': [`event: error\n\ndata: ${TOKEN}\n\n`, [content]],
  'the last name counts': [`event: error\nevent: message\ndata: ${TOKEN}\n\n`, [content]],
  'data that is not JSON': [
    `data: {"a":\n\ndata: tok\n\n`,
    [
      [EVENT.malformed, ...none],
      [EVENT.malformed, ...none],
    ],
  ],
  'JSON that is no object': [
    `data: 12\n\ndata: [1]\n\ndata: null\n\n`,
    [
      [0, ...none],
      [0, ...none],
      [0, ...none],
    ],
  ],
  'text behind the object': [`data: {"a":1} x\n\n`, [[EVENT.malformed, ...none]]],
  'blanks behind the object': [`data: ${TOKEN} \n\ndata:  ${TOKEN}\n\n`, [content, content]],
};

describe('a stream means the same however it is cut', () => {
  for (const [name, [text, events]] of Object.entries(KNOWN))
    it(name, () => {
      const bytes = utf8(text);
      expect(naive(bytes).events).toEqual(events);
      for (const segments of cuts(bytes)) expect(scan(segments)).toEqual(naive(bytes));
    });
});

/** Pieces from which streams are put together: fields, line ends and the parts of chunks that matter. */
const field = fc.oneof(
  fc.constantFrom(
    'data',
    'data:',
    'data: ',
    ':',
    ': c',
    'event: error',
    'event:x',
    'id: 1',
    'retry',
    '\uFEFF',
    'dat',
    '',
  ),
  fc
    .record({
      delta: fc.dictionary(
        fc.constantFrom('content', 'reasoning', 'reasoning_content', 'role'),
        fc.oneof(
          fc.constantFrom(null, '', 'tok', '\u65e5\u{1f600}', '\\"}', 'a\nb'),
          fc.string({ unit: 'binary' }),
        ),
      ),
      usage: fc.option(
        fc.record({ completion_tokens: fc.oneof(fc.nat(), fc.double()), prompt_tokens: fc.nat() }),
      ),
      top: fc.jsonValue({ maxDepth: 3 }),
      prefix: fc.constantFrom('data: ', 'data:', 'data:  ', 'event: error\ndata: '),
    })
    .map(
      ({ delta: d, usage, top, prefix }) =>
        prefix +
        JSON.stringify({ top, id: 'x', choices: [{ delta: d }], ...(usage === null ? {} : { usage }) }),
    ),
  fc.constantFrom(
    'data: {"choices":',
    'data: [{"delta":{"content":"x"}}]}',
    'data: {}',
    'data: [DO',
    'data: not JSON',
  ),
);
const stream = fc
  .array(
    fc.tuple(
      field,
      fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\n\n', '\n\n', '\r\r', '\r\n\r\n', '\r\n\n'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.flat().join(''))
  .chain((text) => fc.boolean().map((end) => (end ? `${text}data: [DONE]\n\n` : text)));

describe('any stream', () => {
  it('reads as the grammar says, in any segments', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
        const bytes = utf8(text);
        expect(scan(cut(bytes, places))).toEqual(naive(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  it('even of random bytes', () => {
    const byte = fc.constantFrom(...utf8('data: {}[]",\r\n\\:e'), 0xef, 0xbb, 0xbf, 0x80);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 60 }), fc.array(fc.nat(), { maxLength: 4 }), (list, places) => {
        const bytes = Uint8Array.from(list);
        expect(scan(cut(bytes, places)).events).toEqual(naive(bytes).events);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a scanner', () => {
  it('reads the next stream after reset as if it were new, whatever broke off before', () => {
    const events: number[] = [];
    const scanner = new SseScanner({ onEvent: (kind) => events.push(kind) });
    for (const broken of [
      `data: ${TOKEN}\r`,
      'event: error\n',
      '\xef\xbb',
      'data: {"a',
      `data: [DONE]\n\n`,
      'data: x\n',
    ]) {
      scanner.push(Buffer.from(broken, 'latin1'));
      scanner.reset();
      events.length = 0;
      expect(scanner.idLength).toBe(0);
      scanner.push(utf8(`data: ${TOKEN}\n\n`));
      expect(events).toEqual([EVENT.content]);
      scanner.reset();
    }
  });

  it('keeps nothing of a segment that its owner writes over', () => {
    const events: number[] = [];
    const scanner = new SseScanner({ onEvent: (kind) => events.push(kind) });
    const segment = utf8(`data: ${TOKEN}`);
    scanner.push(segment);
    segment.fill(0x20);
    scanner.push(utf8('\n\n'));
    expect(events).toEqual([EVENT.content]);
  });

  it('cuts an id that is too long, at a character', () => {
    const scanner = new SseScanner({ onEvent: () => {} });
    scanner.push(utf8(`data: ${JSON.stringify({ id: '\u65e5'.repeat(40) })}\n\n`));
    expect(Buffer.from(scanner.id.subarray(0, scanner.idLength)).toString('utf8')).toBe('\u65e5'.repeat(21));
  });
});
