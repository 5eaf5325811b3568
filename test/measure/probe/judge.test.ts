import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plainProbe from '../../../probes/chunks/plain.ts';
import roleFirst from '../../../probes/chunks/role-first.ts';
import { FAILED, gaps, likeM, M } from '../../../probes/kit/profile.ts';
import { type Definitions, STANDARD } from '../../../src/measure/definitions.ts';
import type { Asked } from '../../../src/measure/probe/answer.ts';
import { FIGURE_NAMES, figuresOf, toleranceOf } from '../../../src/measure/probe/figures.ts';
import { judge } from '../../../src/measure/probe/judge.ts';
import type { Given } from '../../../src/measure/probe/judged.ts';
import type { ScriptedProbe } from '../../../src/measure/probe/probe.ts';
import type { Seen } from '../../../src/measure/probe/seen.ts';
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

/** A client of these definitions that prints these figures of one request. */
function judged(probe: ScriptedProbe, got: Given, stated: Partial<Definitions> = {}) {
  const definitions = { ...STANDARD, ...stated };
  const right = probe.sees(0);
  return judge({
    right: [right],
    stated: [[right.ok ? seenBy(definitions, timelineOf(probe.answer(asked))!, 50) : right]],
    known: probe.known.map((one) => ({
      kind: one.kind,
      definition: one.definition === true,
      seen: [one.sees(0)],
    })),
    got,
    definitions,
    judges: probe.judges ?? null,
  });
}

const printed = (...seen: Seen[]): Given => figuresOf(seen);
const short = (got: ReturnType<typeof judge>) => [got.verdict, got.kind];

describe('a client that is right', () => {
  it('is right in every figure', () => {
    const got = judged(roleFirst, printed(M));
    expect(short(got)).toEqual(['right', null]);
    for (const { verdict } of got.figures) expect(verdict).toBe('right');
  });

  it('stays right within what the machine adds, and is not beyond it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FIGURE_NAMES),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (name, share) => {
          const right = figuresOf([M])[name]!;
          const { below, above } = toleranceOf(name, right);
          const width = share < 0 ? below : above;
          expect(judged(plainProbe, { [name]: right + share * width * 0.999 }).verdict).toBe('right');
          const off = right + (share < 0 ? -1.01 : 1.01) * width;
          expect(judged(plainProbe, { [name]: off }).verdict).not.toBe('right');
        },
      ),
    );
  });

  it('gives nothing to judge where it prints nothing', () => {
    expect(short(judged(plainProbe, {}))).toEqual(['not applicable', null]);
  });
});

describe('the first chunk taken for the first token', () => {
  const said = printed(roleFirst.known[0]!.sees());

  it('is a fault with its size where another definition is stated', () => {
    const got = judged(roleFirst, said);
    expect(short(got)).toEqual(['faulty', 'first-chunk-as-token']);
    expect(got.size).toEqual({ figure: 'ttft p50', value: -195, unit: 'ms', percent: -97.5 });
  });

  it('is another definition where it is stated', () => {
    expect(short(judged(roleFirst, said, { ttft: 'firstChunk' }))).toEqual([
      'other definition',
      'first-chunk-as-token',
    ]);
  });

  it('shows nowhere else', () => {
    expect(short(judged(plainProbe, printed(M), { ttft: 'firstChunk' }))).toEqual(['right', null]);
  });
});

describe('the head taken for the first token', () => {
  const said: Given = { 'ttft p50': 5.4, 'e2e p50': 1183 };

  it('is another definition where it is stated', () => {
    expect(short(judged(plainProbe, said, { ttft: 'headers' }))).toEqual([
      'other definition',
      'headers-as-token',
    ]);
    expect(short(judged(plainProbe, said))).toEqual(['faulty', 'headers-as-token']);
  });

  it('is not named where the probe is about something else', () => {
    const other: ScriptedProbe = { ...plainProbe, judges: ['e2e'] };
    expect(short(judged(other, said, { ttft: 'headers' }))).toEqual(['right', null]);
  });
});

describe('a stated definition that only the probe has a name for', () => {
  it('goes by that name', () => {
    const none: ScriptedProbe = {
      ...plainProbe,
      known: [{ kind: 'content-only', what: '', arithmetic: '', definition: true, sees: () => FAILED }],
    };
    const got = judge({
      right: [M],
      stated: [[FAILED]],
      known: none.known.map((one) => ({ kind: one.kind, definition: true, seen: [one.sees(0)] })),
      got: { success: 0 },
      definitions: STANDARD,
      judges: null,
    });
    expect([got.verdict, got.kind]).toEqual(['other definition', 'content-only']);
  });
});

describe('faults by name and size', () => {
  it('TTFT among the gaps: mean 23.6, 18 % more', () => {
    const got = judged(plainProbe, printed(likeM({ itlMs: [200, ...gaps(49, 20)] })));
    expect(short(got)).toEqual(['faulty', 'ttft-in-itl']);
    expect(got.size!.value).toBeCloseTo(3.6, 9);
    expect(got.size!.percent).toBeCloseTo(18, 9);
  });

  it('what follows from an end of its own is not a second fault', () => {
    const late = likeM({ e2eMs: 1480 });
    const got = judged(
      { ...plainProbe, known: [{ kind: 'end-at-usage', what: '', arithmetic: '', sees: () => late }] },
      printed(late),
    );
    expect(short(got)).toEqual(['faulty', 'end-at-usage']);
    expect(got.size).toMatchObject({ figure: 'e2e p50', value: 300 });
    expect(got.figures.filter(({ verdict }) => verdict === 'faulty').map(({ kind }) => kind)).toEqual(
      new Array(6).fill('end-at-usage'),
    );
  });

  it('nothing known: unnamed, with the figure that is off', () => {
    const got = judged(plainProbe, { ...printed(M), 'ttft p50': 150, 'ttft mean': 150 });
    expect(short(got)).toEqual(['faulty', 'unnamed']);
    expect(got.size).toEqual({ figure: 'ttft p50', value: -50, unit: 'ms', percent: -25 });
  });
});

describe('lateness', () => {
  it('a TTFT that is a little long leaves it open; what follows from it, too', () => {
    const got = judged(plainProbe, printed(likeM({ ttftMs: 255, e2eMs: 1235 })));
    expect(short(got)).toEqual(['undetermined', 'late']);
  });

  it('is no excuse for a TPOT or NTPOT that is wrong by itself', () => {
    for (const tpotMs of [1, 10, 30, 119])
      expect(judged(plainProbe, printed(likeM({ tpotMs }))).verdict).toBe('faulty');
    expect(judged(plainProbe, printed(likeM({ ntpotMs: 100 }))).verdict).toBe('faulty');
  });
});

describe('success', () => {
  const failing: ScriptedProbe = { ...plainProbe, sees: () => FAILED, known: [] };

  it('a sound answer that fails', () => {
    const got = judged(plainProbe, printed(FAILED));
    expect(short(got)).toEqual(['faulty', 'sound-request-fails']);
    expect(got.size).toMatchObject({ figure: 'success', value: -1, percent: null });
  });

  it('a request that is in neither count', () => {
    expect(short(judged(plainProbe, { success: 0, failures: 0 }))).toEqual(['faulty', 'requests-lost']);
  });

  it('an error that counts as success', () => {
    expect(short(judged(failing, printed(likeM({ tokens: 10 }))))).toEqual(['faulty', 'error-as-success']);
  });

  it('zeros where there is no figure', () => {
    expect(short(judged(failing, { success: 0, failures: 1, 'ttft mean': 0, 'ttft p50': 0 }))).toEqual([
      'faulty',
      'zero-for-none',
    ]);
    expect(short(judged(failing, { success: 0, failures: 1, 'ttft mean': 180 }))).toEqual([
      'faulty',
      'figure-of-nothing',
    ]);
    expect(short(judged(failing, printed(FAILED)))).toEqual(['right', null]);
  });
});
