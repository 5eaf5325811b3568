/** What an event of an answer's stream means, as bits; several may hold at once. */
export const EVENT = {
  /** Non-empty content (`delta.content`, or `text` of a completion): an output token of the answer. */
  content: 1,
  /** Non-empty `reasoning_content` or `reasoning`: an output token too. */
  reasoning: 2,
  /** The server says that the request failed. */
  error: 4,
  /** Carries `usage` with a count of completion tokens. */
  usage: 8,
  /** `[DONE]`. */
  done: 16,
  /** A `finish_reason` that is not null. */
  finish: 32,
  /** Data that is not JSON. */
  malformed: 64,
} as const;

/** Either kind of output token. */
export const TOKEN = EVENT.content | EVENT.reasoning;
