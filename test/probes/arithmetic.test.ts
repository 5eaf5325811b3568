/** For every probe: the figures in its words are those that follow from what it says is seen. */
import { describe, expect, it } from 'vitest';
import { loadProbes } from '../../probes/catalogue.ts';
import type { Asked } from '../../src/measure/probe/answer.ts';
import { type Figures, figuresOf } from '../../src/measure/probe/figures.ts';
import type { SeenDone } from '../../src/measure/probe/seen.ts';
import { clausesOf, falsehood } from './arithmetic.ts';
import { asked, isScripted, type NamedScript } from './asked.ts';

const probes = (await loadProbes()).filter(isScripted);
type Sees = NamedScript['sees'];

/** Ways to look at a probe: one request, all ten; with and without ignore_eos. */
const REQUESTS: readonly (readonly Asked[])[] = [true, false].flatMap((ignoreEos) => {
  const ten = Array.from({ length: 10 }, (_, place) => asked({ place, ignoreEos }));
  return [...ten.map((one) => [one]), ten];
});

const figures = (sees: Sees, requests: readonly Asked[]): Figures =>
  figuresOf(requests.map((one) => sees(one.place, one)));

/** Clauses that are true of nothing that a client sees as done. */
function falsehoods(probe: NamedScript, text: string, sees: Sees): string[] {
  const views = REQUESTS.map((requests) => ({
    seen: figures(sees, requests),
    right: figures(probe.sees, requests),
  })).filter(({ seen }) => seen.success !== 0);
  if (views.length === 0) return [];
  return clausesOf(text).flatMap((clause) => {
    const wrong = views.map(({ seen, right }) => falsehood(clause, seen, right));
    return wrong.every((one) => one !== null) ? [`“${clause.text}”: ${wrong[0]}`] : [];
  });
}

it.each(probes.map((probe) => [probe.id, probe] as const))('%s: its figures are true', (_, probe) => {
  expect(falsehoods(probe, probe.right, probe.sees)).toEqual([]);
  for (const { kind, arithmetic, sees } of probe.known)
    expect(falsehoods(probe, arithmetic, sees), kind).toEqual([]);
});

describe('the reader of arithmetic', () => {
  const seen: SeenDone = { ok: true, ttftMs: 5, e2eMs: 1180, tokens: 50, itlMs: [195, 20, 20] };
  const right: SeenDone = { ...seen, ttftMs: 200 };
  const wrongOf = (text: string) =>
    clausesOf(text).map((clause) => falsehood(clause, figuresOf([seen]), figuresOf([right])));

  it('finds what is true', () => {
    expect(wrongOf('TTFT 5 (−97.5 %); TPOT (1,180 − 5) / 49 = 23.98 (+19.9 %); 50 tokens')).toEqual([
      null,
      null,
      null,
    ]);
    expect(wrongOf('mean ITL (195 + 2 · 20) / 3 = 78.33')).toEqual([null]);
  });

  it.each([
    ['TTFT 6', 'another figure'],
    ['TTFT 5 (−96 %)', 'another percentage'],
    ['TPOT (1,180 − 5) / 50 = 23.98', 'another sum'],
    ['TPOT (1,180 − 5) / 49 = 23.9', 'another rounding'],
    ['49 tokens', 'another count'],
  ])('finds that %s is false: %s', (text) => {
    expect(wrongOf(text)).toEqual([expect.any(String)]);
  });

  it('leaves words alone', () => {
    expect(clausesOf('the mean ITL is 20 or so; TTFT at the ping, E2E = TTFT')).toEqual([]);
  });
});
