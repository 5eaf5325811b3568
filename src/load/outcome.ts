/** How a request ended, as our client saw it. Stored as its index in this list. */
export const OUTCOMES = [
  /** A whole answer with at least one token. */
  'complete',
  /** A status other than 2xx. */
  'httpError',
  /** No connection, so nothing was sent. */
  'connectError',
  /** The connection broke after the request was written. */
  'connectionLost',
  'timedOut',
  /** Status 200, then an error object or an event named `error` in the stream. */
  'errorInStream',
  /** The stream ended cleanly, but with neither `[DONE]` nor a finish_reason. */
  'truncated',
  /** Data that is not JSON. */
  'malformed',
  /** A clean answer without a single token. */
  'noTokens',
  /** Still under way when the run was ended. */
  'unfinished',
  /** Due, but never written: the run ended, or the worker died, before. */
  'unsent',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Its index, for counters and binary records. */
export const OUTCOME = Object.fromEntries(OUTCOMES.map((name, index) => [name, index])) as Readonly<
  Record<Outcome, number>
>;
