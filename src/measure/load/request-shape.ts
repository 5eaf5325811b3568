/** What the requests of a load are like, one by one: task, lengths and prompt. Drawn from the seed and the request's index, the same on every worker. */

export const TASKS = ['qa', 'summarization', 'generation', 'agent'] as const;
export type Task = (typeof TASKS)[number];

/** How one length is drawn, in tokens: whole numbers from 1 on. */
export type LengthSpec =
  | { readonly kind: 'constant'; readonly tokens: number }
  | { readonly kind: 'uniform'; readonly low: number; readonly high: number }
  /**
   * `mean` is that of what is drawn, the bounds taken into account; `cv` (standard deviation / mean) is that of the lognormal before them. A value
   * beyond a bound becomes the bound.
   */
  | {
      readonly kind: 'lognormal';
      readonly mean: number;
      readonly cv: number;
      readonly low: number;
      readonly high: number;
    };

/** A kind of request and its share. `name` is a Task, or the user's own word. */
export interface TaskSpec {
  readonly name: string;
  /** Of all requests, 0–1; those of a mix add up to 1. */
  readonly share: number;
  readonly prompt: LengthSpec;
  readonly output: LengthSpec;
}

/** Prompts that begin alike: `groups` different beginnings of so many tokens, each followed by words of the request's own. */
export interface PrefixSpec {
  readonly tokens: number;
  readonly groups: number;
}

/** Lengths as a trace states them: request i has those at place i, and from the trace's end on it begins anew. */
export interface TraceLengths {
  readonly promptTokens: ArrayLike<number>;
  readonly outputTokens: ArrayLike<number>;
  /** Kinds of the trace's requests, and which one each is; null: they are all of one kind. */
  readonly tasks: { readonly names: readonly string[]; readonly of: ArrayLike<number> } | null;
}

/** One request. */
export interface RequestShape {
  /** Place in the list of tasks. */
  readonly task: number;
  /** Tokens of the whole prompt, its shared beginning among them. */
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Which beginning; −1: none shared. */
  readonly prefix: number;
}

/** All that the shapes of a load are drawn from. Plain data: it goes to the workers. */
export interface ShapesSpec {
  readonly seed: number;
  readonly prefix: PrefixSpec | null;
  readonly lengths:
    | { readonly kind: 'tasks'; readonly tasks: readonly TaskSpec[] }
    | { readonly kind: 'trace'; readonly trace: TraceLengths };
}
