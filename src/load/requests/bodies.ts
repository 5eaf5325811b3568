/**
 * Bodies of requests that are not alike. A body is put together from bytes made beforehand: what comes before the prompt, the shared beginning of its group,
 * the request's number, as many of a fixed text's words as are wanting, and the rest with max_tokens. So nothing is serialized while the load runs.
 */
import type { RequestShape, ShapesSpec } from '../../measure/load/request-shape.ts';
import { longestPrompt, type ShapeOf } from '../../measure/load/shapes.ts';
import { uniform } from '../../measure/random.ts';
import { type BodySpec, bodyObject, NUMBER_DIGITS, PROMPT_STREAM, randomWord } from '../request-body.ts';

export interface ShapedBodies {
  /** Bytes of the body of a shape. */
  size(shape: RequestShape): number;
  /** Writes the body of a shape, with the request's number, from the start of `into`, which must hold it. Returns its bytes. */
  write(into: Buffer, shape: RequestShape, number: number): number;
}

/** Stand for the prompt and for max_tokens in the body that is taken apart; neither can be in what the user gave. */
const PROMPT_MARK = '\u{1F9EA}prompt\u{1F9EA}';
const TOKENS_MARK = 987_654_321_012;

/** A text, and where each of its words ends: as long as the longest prompt, so that nothing grows while the load runs. */
interface Words {
  readonly bytes: Buffer;
  /** Bytes of the first n words, a space before each. */
  readonly ends: Float64Array;
}

function makeWords(count: number, seed: number): Words {
  const u = uniform(seed, PROMPT_STREAM);
  const ends = new Float64Array(count + 1);
  const words: string[] = [];
  for (let i = 1; i <= count; i++) {
    const word = ` ${randomWord(u)}`;
    words.push(word);
    ends[i] = ends[i - 1]! + word.length;
  }
  return { bytes: Buffer.from(words.join('')), ends };
}

/** The beginnings of the groups, each with a space after it: they differ from their first word on. */
const beginnings = ({ prefix, seed }: ShapesSpec): Buffer[] =>
  Array.from({ length: prefix?.groups ?? 0 }, (_, group) => {
    const u = uniform(seed, PROMPT_STREAM, group + 1);
    const words = [`g${group}`];
    while (words.length < prefix!.tokens) words.push(randomWord(u));
    return Buffer.from(`${words.join(' ')} `);
  });

const digitsOf = (n: number): number => {
  let digits = 1;
  for (let rest = n; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  return digits;
};

/** Writes a whole number of so many digits, zeros in front. */
function writeNumber(into: Buffer, at: number, digits: number, n: number): void {
  let rest = n;
  for (let i = at + digits - 1; i >= at; i--) {
    into[i] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

/**
 * Makes the bodies of a load. `spec` gives all but the lengths. A prompt is: the beginning of its group, the request's number (`r000000123`, one word), and words of a
 * text that is the same for all. Throws an Error when the fields that the user adds leave no place for a prompt and a length of each request.
 */
export function shapedBodies(spec: BodySpec, shapes: ShapesSpec): ShapedBodies {
  const whole = JSON.stringify(bodyObject(spec, PROMPT_MARK, TOKENS_MARK));
  const [head, between, tail] = takeApart(whole).map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
  const shared = beginnings(shapes);
  const words = makeWords(longestPrompt(shapes), spec.seed);
  const sharedTokens = shapes.prefix?.tokens ?? 0;
  const fixed = head.length + 1 + NUMBER_DIGITS + between.length + tail.length;
  const more = ({ promptTokens }: RequestShape): number => promptTokens - sharedTokens - 1;
  return {
    size: (shape) =>
      fixed +
      (shape.prefix < 0 ? 0 : shared[shape.prefix]!.length) +
      words.ends[more(shape)]! +
      digitsOf(shape.outputTokens),
    write(into, shape, number) {
      let at = head.copy(into, 0);
      if (shape.prefix >= 0) at += shared[shape.prefix]!.copy(into, at);
      into[at++] = 0x72; // r
      writeNumber(into, at, NUMBER_DIGITS, number);
      at += NUMBER_DIGITS;
      at += words.bytes.copy(into, at, 0, words.ends[more(shape)]!);
      at += between.copy(into, at);
      const digits = digitsOf(shape.outputTokens);
      writeNumber(into, at, digits, shape.outputTokens);
      at += digits;
      return at + tail.copy(into, at);
    },
  };
}

/** What stands before the prompt, between it and max_tokens, and after that. Throws an Error when the user's fields took either away. */
function takeApart(body: string): [string, string, string] {
  const [head, rest, ...others] = body.split(PROMPT_MARK);
  const [between, tail, ...more] = (rest ?? '').split(String(TOKENS_MARK));
  if (rest === undefined || tail === undefined || others.length + more.length > 0)
    throw new Error('the body has no place for a prompt and for max_tokens of its own');
  return [head!, between!, tail];
}

/** The body of one request after the other, by index, as a connection asks for it. */
export interface ShapedBody {
  /** Turns to request `index`; returns the bytes of its body. */
  begin(index: number): number;
  /** Writes that body, with a number in its prompt. */
  write(into: Buffer, number: number): void;
}

/** The bodies of the requests whose shapes are `shapeOf`. */
export function bodyByIndex(bodies: ShapedBodies, shapeOf: ShapeOf): ShapedBody {
  let shape = shapeOf(0);
  return {
    begin(index) {
      shape = shapeOf(index);
      return bodies.size(shape);
    },
    write(into, number) {
      bodies.write(into, shape, number);
    },
  };
}
