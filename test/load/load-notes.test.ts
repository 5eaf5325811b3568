/** What is advised about a long start-up. */
import { describe, expect, it } from 'vitest';
import { notesOf, type Start } from '../../src/load/notes.ts';

const advice = (start: Start): string =>
  notesOf(
    {
      closed_loop: null,
      retry: { followed: false, refused_with_header: 0 },
      startup_s: 2,
      scheduled_s: 1,
      elapsed_s: 1,
      client: { workers: 1 },
    } as unknown as Parameters<typeof notesOf>[0],
    start,
  )[0]!.remedy;

describe('a start-up that is longer than the load', () => {
  it('is not to be shortened by what was given already', () => {
    expect(advice({ rehearsalS: 2, modelAsked: false })).toMatch(/--rehearsal 0.3s.*or --model NAME/);
    expect(advice({ rehearsalS: 2, modelAsked: true })).not.toMatch(/--model/);
    expect(advice({ rehearsalS: 0.05, modelAsked: true })).toMatch(/^it is no part of any figure/);
  });
});
