/** The JSON of answers, in the shapes that vLLM gives them. Pure: text for a given id and time. */
import type { Kind, Plan } from './plan.ts';

/** One token of the simulated model's output: a word with its space, so that N of them are N words however they are joined. */
export const TOKEN_TEXT = ' tok';

/** What an answer is made out to: its id and the second of its making. */
export interface Stamp {
  readonly id: string;
  readonly created: number;
}

/** Where in a stream an event stands. `role` is a chat's role alone, with empty content. */
export type Position = 'role' | 'first' | 'middle' | 'last' | 'only' | 'usage';

const OBJECTS = {
  chat: { whole: 'chat.completion', event: 'chat.completion.chunk' },
  text: { whole: 'text_completion', event: 'text_completion' },
} as const satisfies Record<Kind, unknown>;

const usageOf = (plan: Plan): object => ({
  prompt_tokens: plan.promptTokens,
  total_tokens: plan.promptTokens + plan.outputTokens,
  completion_tokens: plan.outputTokens,
});

function choice(plan: Plan, position: Position, withRole: boolean): object {
  const finish = position === 'last' || position === 'only' ? plan.finish : null;
  const end = { logprobs: null, finish_reason: finish };
  if (plan.kind === 'text') return { index: 0, text: TOKEN_TEXT, ...end };
  if (position === 'role') return { index: 0, delta: { role: 'assistant', content: '' }, ...end };
  const opens = withRole && (position === 'first' || position === 'only');
  const delta = opens ? { role: 'assistant', content: TOKEN_TEXT } : { content: TOKEN_TEXT };
  return { index: 0, delta, ...end };
}

/** The JSON of one event of a stream. `withRole`: the first content carries the chat's role too. */
export function eventJson(
  plan: Plan,
  model: string,
  position: Position,
  withRole: boolean,
  stamp: Stamp,
): string {
  const head = { id: stamp.id, object: OBJECTS[plan.kind].event, created: stamp.created, model };
  if (position === 'usage') return JSON.stringify({ ...head, choices: [], usage: usageOf(plan) });
  return JSON.stringify({ ...head, choices: [choice(plan, position, withRole)] });
}

/** The JSON of a whole answer that is not streamed. */
export function answerJson(plan: Plan, model: string, stamp: Stamp): string {
  const text = TOKEN_TEXT.repeat(plan.outputTokens);
  const end = { logprobs: null, finish_reason: plan.finish };
  const one =
    plan.kind === 'text'
      ? { index: 0, text, ...end }
      : { index: 0, message: { role: 'assistant', content: text }, ...end };
  return JSON.stringify({
    id: stamp.id,
    object: OBJECTS[plan.kind].whole,
    created: stamp.created,
    model,
    choices: [one],
    usage: usageOf(plan),
  });
}
