/** What the requests of a load are like, one by one: task, lengths and prompt. Drawn from the seed and the request's index, the same on every worker. */

export const TASKS = ['qa', 'summarization', 'generation', 'agent'] as const;
export type Task = (typeof TASKS)[number];

/** How one length is drawn, in tokens. */
export type LengthSpec =
  | { readonly kind: 'constant'; readonly tokens: number }
  | { readonly kind: 'uniform'; readonly low: number; readonly high: number }
  /** Mean, coefficient of variation, and the bounds within which values are kept. */
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
  readonly share: number;
  readonly prompt: LengthSpec;
  readonly output: LengthSpec;
}

/** Prompts that begin alike: `groups` different beginnings of so many tokens. */
export interface PrefixSpec {
  readonly tokens: number;
  readonly groups: number;
}

/** One request. */
export interface RequestShape {
  /** Place in the list of tasks. */
  readonly task: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Which beginning; −1: none shared. */
  readonly prefix: number;
}
