import { describe, expect, it } from 'vitest';
import plainProbe from '../../../probes/chunks/plain.ts';
import roleFirst from '../../../probes/chunks/role-first.ts';
import refusedHalf from '../../../probes/errors/refused-half.ts';
import { FAILED, gaps, likeM, M } from '../../../probes/kit/profile.ts';
import afterDone from '../../../probes/stream/after-done.ts';
import { STANDARD } from '../../../src/measure/definitions.ts';
import type { Asked } from '../../../src/measure/probe/answer.ts';
import { figuresOf } from '../../../src/measure/probe/figures.ts';
import { GENERAL_KINDS, seenWith } from '../../../src/measure/probe/general.ts';
import { judge } from '../../../src/measure/probe/judge.ts';
import { seenBy } from '../../../src/measure/probe/stated.ts';
import { timelineOf } from '../../../src/truth/probe-timeline.ts';

const asked: Asked = {
  kind: 'chat',
  model: 'm',
  tokens: 50,
  includeUsage: true,
  ignoreEos: true,
  promptTokens: 16,
  prompt: '',
  id: 'chatcmpl-1',
  created: 0,
  httpVersion: '1.1',
  headers: {},
  place: 0,
  onConnection: 0,
};
const role = timelineOf(roleFirst.answer(asked))!;

describe('a general fault', () => {
  it.each([
    ['headers-as-token', { ttftMs: 5 }],
    ['first-chunk-as-token', { ttftMs: 5, itlMs: [195, ...gaps(49, 20)] }],
    ['whole-body', { ttftMs: 1180, itlMs: gaps(49, 0) }],
    ['requested-as-tokens', { tokens: 64 }],
    ['ttft-in-itl', { itlMs: [200, ...gaps(49, 20)] }],
    ['tpot-by-n', { tpotMs: 19.6 }],
    ['ttft-in-tpot', { tpotMs: 23.6 }],
  ])('%s, of a stream with a role first', (kind, change) => {
    expect(seenWith(kind, M, role, 64)).toEqual(likeM(change));
  });

  it('has nothing to show of a request that fails, or of one without a timeline', () => {
    for (const kind of GENERAL_KINDS) {
      expect(seenWith(kind, FAILED, role, 50)).toEqual(FAILED);
      expect(seenWith(kind, M, null, 50)).toEqual(M);
    }
  });
});

it('what comes behind [DONE] is in no stated definition', () => {
  expect(seenBy(STANDARD, timelineOf(afterDone.answer(asked))!, 50)).toMatchObject({ e2eMs: 1180 });
});

it('a fault that would make more figures wrong than it explains is not named', () => {
  const places = [0, 1, 2, 3];
  const right = places.map((place) => refusedHalf.sees(place));
  const { verdict, kind, size } = judge({
    right,
    stated: [],
    known: refusedHalf.known.map((one) => ({ ...one, definition: false, seen: places.map(one.sees) })),
    got: { ...figuresOf(right), failures: 0 },
    definitions: STANDARD,
    judges: null,
  });
  expect([verdict, kind, size?.value]).toEqual(['faulty', 'failures-uncounted', -0.5]);
});

it('tokens that nothing known explains are lost or added', () => {
  const of = (tokens: number) =>
    judge({
      right: [M],
      stated: [],
      known: plainProbe.known.map((one) => ({ kind: one.kind, definition: false, seen: [one.sees()] })),
      got: { ...figuresOf([M]), tokens },
      definitions: STANDARD,
      judges: null,
    }).kind;
  expect([of(1), of(73)]).toEqual(['tokens-lost', 'tokens-added']);
});
