import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lengthMoments } from '../../../src/measure/load/length.ts';
import type { RequestShape, ShapesSpec } from '../../../src/measure/load/request-shape.ts';
import { createShapes, longestPrompt, taskNames } from '../../../src/measure/load/shapes.ts';
import { parseTaskMix } from '../../../src/measure/load/task-mix.ts';

const mix = parseTaskMix('qa=50%,summarization=20%,generation=20%,agent=10%');
const spec = (change: Partial<ShapesSpec> = {}): ShapesSpec => ({
  seed: 3,
  prefix: null,
  lengths: { kind: 'tasks', tasks: mix },
  ...change,
});
const shapes = (n: number, of: ShapesSpec = spec()): RequestShape[] => {
  const shapeOf = createShapes(of);
  return Array.from({ length: n }, (_, i) => shapeOf(i));
};

/** Pearson's coefficient. */
function correlation(x: readonly number[], y: readonly number[]): number {
  const mean = (v: readonly number[]) => v.reduce((a, b) => a + b, 0) / v.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    xy += (x[i]! - mx) * (y[i]! - my);
    xx += (x[i]! - mx) ** 2;
    yy += (y[i]! - my) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}

describe('the shapes of a load', () => {
  it('are the same for request i whoever asks, in whatever order', () => {
    const all = shapes(600, spec({ prefix: { tokens: 16, groups: 3 } }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(8), fc.boolean(), (workers, worker, backwards) => {
        const shapeOf = createShapes(spec({ prefix: { tokens: 16, groups: 3 } }));
        const own = all.map((_, i) => i).filter((i) => i % workers === worker % workers);
        for (const i of backwards ? own.reverse() : own) expect(shapeOf(i)).toEqual(all[i]);
      }),
      { numRuns: 20 },
    );
  });

  it('stay what they are from version to version', () => {
    expect(shapes(4)).toMatchInlineSnapshot(`
      [
        {
          "outputTokens": 97,
          "prefix": -1,
          "promptTokens": 1493,
          "task": 0,
        },
        {
          "outputTokens": 15,
          "prefix": -1,
          "promptTokens": 726,
          "task": 1,
        },
        {
          "outputTokens": 436,
          "prefix": -1,
          "promptTokens": 312,
          "task": 0,
        },
        {
          "outputTokens": 162,
          "prefix": -1,
          "promptTokens": 1045,
          "task": 0,
        },
      ]
    `);
  });

  it('have each task as often as its share says, and lengths of its distribution', () => {
    const n = 200_000;
    const all = shapes(n);
    for (const [task, { share, prompt, output, name }] of mix.entries()) {
      const own = all.filter((s) => s.task === task);
      expect(Math.abs(own.length - share * n), name).toBeLessThan(4 * Math.sqrt(n * share * (1 - share)));
      for (const [of, values] of [
        [prompt, own.map((s) => s.promptTokens)],
        [output, own.map((s) => s.outputTokens)],
      ] as const) {
        const { mean, cv } = lengthMoments(of);
        const got = values.reduce((a, b) => a + b, 0) / values.length;
        expect(Math.abs(got / mean - 1), name).toBeLessThan((4.5 * cv) / Math.sqrt(values.length));
        expect(values.every((v) => of.kind === 'lognormal' && v >= of.low && v <= of.high)).toBe(true);
      }
    }
  });

  it('have draws that do not go together: prompt and output, one request and the next, index and value, seed and seed', () => {
    const one = spec({ lengths: { kind: 'tasks', tasks: parseTaskMix('generation') } });
    const all = shapes(40_000, one);
    const log = (list: readonly RequestShape[], key: 'promptTokens' | 'outputTokens') =>
      list.map((s) => Math.log(s[key]));
    const [prompts, outputs] = [log(all, 'promptTokens'), log(all, 'outputTokens')];
    const other = log(shapes(40_000, { ...one, seed: 4 }), 'outputTokens');
    // 4.5 σ of 1/√n.
    const within = 4.5 / Math.sqrt(40_000);
    for (const [x, y] of [
      [prompts, outputs],
      [outputs.slice(1), outputs.slice(0, -1)],
      [outputs.slice(2), outputs.slice(0, -2)],
      [outputs, outputs.map((_, i) => i)],
      [outputs.map((v) => v * v), outputs.map((_, i) => i % 2)],
      [outputs, other],
    ] as const)
      expect(Math.abs(correlation(x, y))).toBeLessThan(within);
  });

  it('keep their lengths when another task’s share or a prefix changes', () => {
    const tasks = [
      { name: 'a', share: 0.5, prompt: mix[0]!.prompt, output: mix[0]!.output },
      { name: 'b', share: 0.5, prompt: mix[0]!.prompt, output: mix[0]!.output },
    ];
    const before = shapes(200, spec({ lengths: { kind: 'tasks', tasks } }));
    const moved = tasks.map((t, i) => ({ ...t, share: i === 0 ? 0.9 : 0.1 }));
    const after = shapes(
      200,
      spec({ lengths: { kind: 'tasks', tasks: moved }, prefix: { tokens: 10, groups: 2 } }),
    );
    expect(after.map((s) => [s.promptTokens - 10, s.outputTokens])).toEqual(
      before.map((s) => [s.promptTokens, s.outputTokens]),
    );
    expect(after.map((s) => s.task)).not.toEqual(before.map((s) => s.task));
  });

  it('have a shared beginning before their own words, each group as often', () => {
    const plain = shapes(30_000);
    const shared = shapes(30_000, spec({ prefix: { tokens: 512, groups: 4 } }));
    expect(plain.every((s) => s.prefix === -1)).toBe(true);
    expect(shared.map((s) => s.promptTokens)).toEqual(plain.map((s) => s.promptTokens + 512));
    for (let group = 0; group < 4; group++) {
      const n = shared.filter((s) => s.prefix === group).length;
      expect(Math.abs(n - 7500)).toBeLessThan(4 * Math.sqrt(30_000 * 0.25 * 0.75));
    }
  });

  it('follow a trace, with its kinds, and begin anew at its end', () => {
    const trace = {
      promptTokens: [10, 20, 30],
      outputTokens: Int32Array.from([1, 2, 3]),
      tasks: { names: ['chat', 'api'], of: [0, 1, 1] },
    };
    const of = spec({ lengths: { kind: 'trace', trace } });
    expect(taskNames(of)).toEqual(['chat', 'api']);
    expect(longestPrompt(of)).toBe(30);
    expect(shapes(4, of).map((s) => [s.task, s.promptTokens, s.outputTokens])).toEqual([
      [0, 10, 1],
      [1, 20, 2],
      [1, 30, 3],
      [0, 10, 1],
    ]);
    expect(taskNames(spec({ lengths: { kind: 'trace', trace: { ...trace, tasks: null } } }))).toEqual([
      'trace',
    ]);
    const none = { promptTokens: [], outputTokens: [], tasks: null };
    expect(() => createShapes(spec({ lengths: { kind: 'trace', trace: none } }))).toThrow(/no lengths/);
  });
});
