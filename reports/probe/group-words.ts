/** What the probes of a group are about. */
const ABOUT: Readonly<Record<string, string>> = {
  chunks: 'What is in the events of a stream: roles, reasoning, several tokens at once.',
  counts: 'How many tokens there were, and who says so.',
  stream: 'How events are spelled and cut: comments, line ends, characters in halves.',
  http: 'What is around the stream: heads, framing, connections.',
  errors: 'Requests that fail, before or in the stream, alone or most of them.',
  delays: 'When things come.',
  load: 'What shows only at a rate or a concurrency. These take the longest.',
};

/** A sentence or two; empty for a group that is not known. */
export const groupAbout = (group: string): string => ABOUT[group] ?? '';
