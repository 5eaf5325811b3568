import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BodySpec, bodyTemplate, patchBody } from '../../../src/load/request-body.ts';
import { bodyByIndex, shapedBodies } from '../../../src/load/requests/bodies.ts';
import type { PrefixSpec, RequestShape, ShapesSpec } from '../../../src/measure/load/request-shape.ts';

const body = (change: Partial<BodySpec> = {}): BodySpec => ({
  endpoint: 'chat',
  model: 'm "quoted" é',
  stream: true,
  promptTokens: 1,
  outputTokens: 1,
  seed: 11,
  extra: {},
  ...change,
});
const LONGEST = 3000;
const shapes = (prefix: PrefixSpec | null = null): ShapesSpec => ({
  seed: 11,
  prefix,
  lengths: {
    kind: 'tasks',
    tasks: [
      {
        name: 'a',
        share: 1,
        prompt: { kind: 'uniform', low: 1, high: LONGEST },
        output: { kind: 'constant', tokens: 1 },
      },
    ],
  },
});

interface Sent {
  readonly messages?: readonly { readonly content: string }[];
  readonly prompt?: string;
  readonly max_tokens: number;
  readonly [field: string]: unknown;
}

/** The body as bytes, in a buffer that held something else. */
function bytesOf(spec: BodySpec, of: ShapesSpec, shape: RequestShape, number: number): Buffer {
  const bodies = shapedBodies(spec, of);
  const size = bodies.size(shape);
  const buffer = Buffer.alloc(size + 64, '"');
  expect(bodies.write(buffer, shape, number)).toBe(size);
  expect(buffer.subarray(size).every((byte) => byte === 0x22)).toBe(true);
  return buffer.subarray(0, size);
}
const sent = (bytes: Buffer): Sent => JSON.parse(bytes.toString('utf8')) as Sent;
const wordsOf = (s: Sent): string[] =>
  (s.messages === undefined ? s.prompt! : s.messages[0]!.content).split(' ');

const anyShape = fc.record({
  task: fc.constant(0),
  promptTokens: fc.integer({ min: 1, max: LONGEST }),
  outputTokens: fc.integer({ min: 1, max: 999_999 }),
  prefix: fc.constant(-1),
});
const anyNumber = fc.integer({ min: 0, max: 999_999_999 });

describe('bodies of requests that are not alike', () => {
  it('are, byte for byte, what a body of these lengths is by itself', () => {
    fc.assert(
      fc.property(
        anyShape,
        anyNumber,
        fc.constantFrom('chat', 'completions'),
        fc.boolean(),
        (shape, number, endpoint, stream) => {
          const spec = body({ endpoint, stream, extra: { temperature: 0, stop: ['a"b'] } });
          const alone = bodyTemplate({
            ...spec,
            promptTokens: shape.promptTokens,
            outputTokens: shape.outputTokens,
          });
          patchBody(alone.bytes, alone, number);
          expect(bytesOf(spec, shapes(), shape, number).equals(alone.bytes)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are JSON with exactly the words and max_tokens that were asked, the number first', () => {
    fc.assert(
      fc.property(anyShape, anyNumber, (shape, number) => {
        const s = sent(bytesOf(body(), shapes(), shape, number));
        const words = wordsOf(s);
        expect(words).toHaveLength(shape.promptTokens);
        expect(words[0]).toBe(`r${String(number).padStart(9, '0')}`);
        expect(words.slice(1).every((word) => /^[a-z]+$/.test(word))).toBe(true);
        expect(s).toMatchObject({ max_tokens: shape.outputTokens, model: 'm "quoted" é', stream: true });
      }),
      { numRuns: 60 },
    );
  });

  it('begin alike within a group by exactly so many words, and between groups by none', () => {
    const anyPrefix = fc.record({
      tokens: fc.integer({ min: 1, max: 700 }),
      groups: fc.integer({ min: 1, max: 9 }),
    });
    const own = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(anyPrefix, own, own, fc.nat(8), fc.nat(8), (prefix, a, b, first, second) => {
        const of = shapes(prefix);
        const groups = [first % prefix.groups, second % prefix.groups];
        const [x, y] = [a, b].map((words, i) => {
          const shape = { task: 0, promptTokens: prefix.tokens + words, outputTokens: 5, prefix: groups[i]! };
          const got = wordsOf(sent(bytesOf(body(), of, shape, i + 1)));
          expect(got).toHaveLength(prefix.tokens + words);
          return got;
        }) as [string[], string[]];
        let common = 0;
        while (common < Math.min(x.length, y.length) && x[common] === y[common]) common++;
        expect(common).toBe(groups[0] === groups[1] ? prefix.tokens : 0);
      }),
      { numRuns: 100 },
    );
  });

  it('go on in the same buffer, long ones and short ones in turn', () => {
    const bodies = shapedBodies(body(), shapes());
    const lengths = [2000, 3, 50, 1, 2999];
    const one = bodyByIndex(bodies, (i) => ({
      task: 0,
      promptTokens: lengths[i]!,
      outputTokens: 10 ** i,
      prefix: -1,
    }));
    const buffer = Buffer.alloc(40_000);
    for (const [i, length] of lengths.entries()) {
      const size = one.begin(i);
      one.write(buffer, i);
      const s = sent(buffer.subarray(0, size));
      expect([wordsOf(s).length, s.max_tokens]).toEqual([length, 10 ** i]);
    }
  });

  it('need a place for a prompt and a length of each', () => {
    for (const extra of [{ messages: [] }, { max_tokens: 5 }])
      expect(() => shapedBodies(body({ extra }), shapes())).toThrow(/no place/);
  });
});
