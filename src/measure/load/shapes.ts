/** The shape of any request, from the seed and its index alone: by hashing, so that no worker has to walk through the requests of another one. */
import { mixSeed } from '../random.ts';
import { lengthDrawer } from './length.ts';
import type { LengthSpec, RequestShape, ShapesSpec, TraceLengths } from './request-shape.ts';

/** The shape of request `index`, from 0. */
export type ShapeOf = (index: number) => RequestShape;

/** Random streams, apart from each other and from those of arrivals (1), prompts (2) and faults: a change of one length leaves the others as they are. */
const STREAM = { task: 21, prompt: 22, output: 23, prefix: 24 } as const;

/** Uniform numbers in (0, 1), each a hash of seed, stream, index and its place. */
function hashed(seed: number): { at(stream: number, index: number): () => number } {
  let stream = 0;
  let index = 0;
  let drawn = 0;
  const next = (): number => ((mixSeed(seed, stream, index, drawn++) >>> 0) + 0.5) / 2 ** 32;
  return {
    at(toStream, toIndex) {
      stream = toStream;
      index = toIndex;
      drawn = 0;
      return next;
    },
  };
}

/** Names of the tasks that a specification draws from, in their order. */
export const taskNames = ({ lengths }: ShapesSpec): readonly string[] =>
  lengths.kind === 'tasks'
    ? lengths.tasks.map((task) => task.name)
    : (lengths.trace.tasks?.names ?? ['trace']);

function traceShapes(trace: TraceLengths): (index: number) => Omit<RequestShape, 'prefix'> {
  const rows = Math.min(trace.promptTokens.length, trace.outputTokens.length);
  if (rows === 0) throw new Error('the trace holds no lengths');
  return (index) => {
    const row = index % rows;
    return {
      task: trace.tasks?.of[row] ?? 0,
      promptTokens: trace.promptTokens[row]!,
      outputTokens: trace.outputTokens[row]!,
    };
  };
}

function drawnShapes(
  spec: ShapesSpec,
  tasks: Extract<ShapesSpec['lengths'], { kind: 'tasks' }>['tasks'],
): (index: number) => Omit<RequestShape, 'prefix'> {
  const source = hashed(spec.seed);
  const prompts = tasks.map(({ prompt }) => lengthDrawer(prompt));
  const outputs = tasks.map(({ output }) => lengthDrawer(output));
  let sum = 0;
  const upTo = tasks.map(({ share }) => {
    sum += share;
    return sum;
  });
  return (index) => {
    let task = 0;
    if (tasks.length > 1) {
      const u = source.at(STREAM.task, index)() * sum;
      while (u > upTo[task]! && task < tasks.length - 1) task++;
    }
    return {
      task,
      promptTokens: prompts[task]!(source.at(STREAM.prompt, index)),
      outputTokens: outputs[task]!(source.at(STREAM.output, index)),
    };
  };
}

/**
 * The shapes of a load. A shared beginning comes before the prompt's own words: its tokens are added to the length that was drawn. Its group is drawn, each
 * as likely as the others. Throws an Error on a trace without lengths.
 */
export function createShapes(spec: ShapesSpec): ShapeOf {
  const { lengths, prefix } = spec;
  const own = lengths.kind === 'trace' ? traceShapes(lengths.trace) : drawnShapes(spec, lengths.tasks);
  const groups = hashed(spec.seed);
  return (index) => {
    const { task, promptTokens, outputTokens } = own(index);
    if (prefix === null) return { task, promptTokens, outputTokens, prefix: -1 };
    const group = Math.floor(groups.at(STREAM.prefix, index)() * prefix.groups);
    return { task, promptTokens: promptTokens + prefix.tokens, outputTokens, prefix: group };
  };
}

const longest = (spec: LengthSpec): number => (spec.kind === 'constant' ? spec.tokens : spec.high);

/** The longest prompt that there can be, tokens, without a shared beginning. */
export const longestPrompt = ({ lengths }: ShapesSpec): number => {
  const all =
    lengths.kind === 'tasks'
      ? lengths.tasks.map(({ prompt }) => longest(prompt))
      : lengths.trace.promptTokens;
  let most = 0;
  for (let i = 0; i < all.length; i++) most = Math.max(most, all[i]!);
  return most;
};
