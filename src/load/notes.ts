/** What a reader of a load report should know that is no reason to distrust it: each with what it rests on and what to do. */

import type { LoadOptions } from './options.ts';
import type { LoadReport, LoadWarning } from './report.ts';
import { closedNote } from './report-closed.ts';
import { MAX_TRIES, MAX_WAIT_S } from './retries.ts';

type Draft = Omit<LoadReport, 'trusted' | 'warnings' | 'notes'>;

/** A rehearsal that is enough for a short run. */
const SHORT_REHEARSAL_S = 0.3;

function retryNote({ retry }: Draft): LoadWarning[] {
  const { refused_with_header: refused } = retry;
  if (retry.followed || refused === 0) return [];
  return [
    {
      code: 'retry-after-sent',
      evidence: `the server refused ${refused} requests with a Retry-After, which was not heeded: they count as failed`,
      remedy: `to have such a request sent again when the server says so (at most ${MAX_TRIES} tries and ${MAX_WAIT_S} s of waiting, all of it in its latency), use --retry-after`,
    },
  ];
}

function startupNote(
  { startup_s, scheduled_s, elapsed_s, client }: Draft,
  { rehearsalS, modelAsked }: Start,
): LoadWarning[] {
  // A closed loop has no schedule: its length is that of the run.
  const lengthS = scheduled_s ?? elapsed_s;
  if (startup_s === null || startup_s <= lengthS) return [];
  const ways = [
    ...(rehearsalS > SHORT_REHEARSAL_S
      ? [`--rehearsal ${SHORT_REHEARSAL_S}s (its code is then colder in the first second)`]
      : []),
    ...(client.workers > 1 ? [`--workers below ${client.workers}`] : []),
    ...(modelAsked === false ? ['--model NAME (the server need not be asked)'] : []),
  ];
  return [
    {
      code: 'start-up-longer',
      evidence: `start-up took ${startup_s.toFixed(1)} s for a load of ${lengthS.toFixed(1)} s`,
      remedy:
        ways.length === 0
          ? 'it is no part of any figure; a longer load makes it matter less'
          : `shorten it by ${ways.join(', or ')}`,
    },
  ];
}

/** What was asked of the start. `rehearsalS`: longest time that each worker was to warm its code, s. */
export type Start = Pick<LoadOptions, 'rehearsalS' | 'modelAsked'>;

/** All notes. */
export const notesOf = (draft: Draft, start: Start): LoadWarning[] => [
  ...closedNote(draft),
  ...retryNote(draft),
  ...startupNote(draft, start),
];
