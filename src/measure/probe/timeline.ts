/** What an answer holds, event by event, with the instant of the write that completed each. ms since the request was read. */

/** One event that the grammar dispatches. */
export interface TimelineEvent {
  readonly atMs: number;
  /** `chunk`: a JSON object; `done`: [DONE]; `other`: empty or not JSON. */
  readonly kind: 'chunk' | 'done' | 'other';
  /** It has a choice, whatever is in it. */
  readonly hasChoice: boolean;
  /** Tokens of its text: words, since one word is one token here; text of white space alone is one. */
  readonly tokens: number;
  /** Its text is the answer's, not reasoning. */
  readonly isAnswer: boolean;
  readonly usage: number | null;
  readonly isError: boolean;
}

export interface Timeline {
  readonly headMs: number;
  readonly status: number;
  readonly events: readonly TimelineEvent[];
  /** When the body had ended by HTTP's rules; null: it never did. */
  readonly endMs: number | null;
}

/** The events of the answer: what comes behind [DONE] is none of it. */
export function answered({ events }: Timeline): readonly TimelineEvent[] {
  const done = events.findIndex(({ kind }) => kind === 'done');
  return done < 0 ? events : events.slice(0, done);
}
