import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChunk } from '../../src/load/chunk-parse.ts';
import { ChunkRecogniser, DECLINED } from '../../src/load/chunk-recogniser.ts';

/** The recogniser's reading of a whole text; null when it declines. */
function recognise(text: string) {
  const bytes = new TextEncoder().encode(text);
  const r = new ChunkRecogniser();
  const kind = r.recognise(bytes, 0, bytes.length);
  if (kind === DECLINED || r.end !== bytes.length) return null;
  const id = Buffer.from(bytes.subarray(r.idStart, r.idEnd)).toString('utf8');
  return {
    kind,
    completionTokens: r.completionTokens,
    promptTokens: r.promptTokens,
    id: id === '' ? null : id,
  };
}

/** JSON with the keys that matter in all places, right and wrong, and with the spellings that JSON allows. */
const key = fc.constantFrom(
  ...['id', 'text', 'error', 'usage', 'delta', 'object', 'choices', 'content', 'message', 'reasoning'],
  ...['finish_reason', 'prompt_tokens', 'completion_tokens', 'reasoning_content', 'x', 'contenu', 'delta2'],
);
const scalar = fc.oneof(
  fc.constantFrom(
    '""',
    '"a"',
    '"error"',
    '"abort"',
    '"\\u0061bort"',
    'null',
    'true',
    'false',
    '0',
    '16',
    '-1',
    '-0',
    '1.0',
    '1e2',
    '0.5',
  ),
  fc.constantFrom(
    '12345678901234567890',
    '"\\u0041"',
    '"\\n"',
    '"\\"content\\":\\"x\\""',
    '"\u65e5"',
    '"\ud83d\ude00"',
  ),
);
const { value: json } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('object'), tie('array')),
  object: fc
    .tuple(fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }), fc.constantFrom('', ' ', '\t', '\n'))
    .map(
      ([fields, gap]) => `{${gap}${fields.map(([k, v]) => `"${k}"${gap}:${gap}${v}`).join(`,${gap}`)}${gap}}`,
    ),
  array: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
}));
/** Chunks of about the usual shape, so that the places that count are reached. */
const chunk = fc
  .record({
    top: fc.array(fc.tuple(fc.constantFrom('id', 'error', 'object', 'x', 'usage'), json), { maxLength: 3 }),
    choices: fc.array(
      fc.tuple(fc.constantFrom('delta', 'message', 'text', 'finish_reason', 'x'), json, key, scalar),
      { maxLength: 4 },
    ),
    usage: fc.array(fc.tuple(key, scalar), { maxLength: 3 }),
  })
  .map(({ top, choices, usage }) => {
    const entry = ([k, v, inner, s]: [string, string, string, string]): string =>
      k === 'delta' || k === 'message' ? `"${k}":{"${inner}":${s},"y":${v}}` : `"${k}":${v}`;
    const parts = top.map(([k, v]) => `"${k}":${v}`);
    parts.push(`"choices":[{${choices.map(entry).join(',')}}]`);
    parts.push(`"usage":{${usage.map(([k, v]) => `"${k}":${v}`).join(',')}}`);
    return `{${parts.join(',')}}`;
  });

const agrees = (text: string): void => {
  const own = recognise(text);
  const truth = parseChunk(text);
  if (own !== null) expect(own).toEqual({ ...truth, id: truth.id === '' ? null : truth.id });
};

describe('the chunk recogniser', () => {
  it('says what JSON.parse says, or declines', () => {
    fc.assert(fc.property(chunk, agrees), { numRuns: 5000 });
    fc.assert(
      fc.property(json, (text) => text[0] !== '{' || void agrees(text)),
      { numRuns: 5000 },
    );
  });

  it('never accepts what JSON.parse does not', () => {
    const mutated = fc.tuple(
      chunk,
      fc.nat(),
      fc.constantFrom('', '"', '}', '{', ',', ':', '\\', '0', '\u0001', ']'),
    );
    fc.assert(
      fc.property(mutated, ([text, at, put]) => {
        const i = 1 + (at % (text.length - 1));
        // Half of a surrogate pair has no UTF-8: as bytes it is the replacement character.
        agrees(Buffer.from(text.slice(0, i) + put + text.slice(i + 1)).toString('utf8'));
      }),
      { numRuns: 10_000 },
    );
  });

  it('does not decline what servers send', () => {
    for (const text of [
      '{"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" tok"},"logprobs":null,"finish_reason":null}],"usage":null}',
      '{"id":"c-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
      '{"id": "c-1", "choices": [{"index": 0, "delta": {"content": "\\u00e9\\n"}, "finish_reason": "stop"}]}',
      '{"choices":[],"usage":{"prompt_tokens":8,"completion_tokens":16,"prompt_tokens_details":{"cached_tokens":0}}}',
    ])
      expect(recognise(text)).toEqual(parseChunk(text));
  });
});
