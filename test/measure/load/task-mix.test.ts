import { describe, expect, it } from 'vitest';
import { TASKS } from '../../../src/measure/load/request-shape.ts';
import { parseShare, parseTaskMix } from '../../../src/measure/load/task-mix.ts';
import { presetTask, TASK_PRESETS } from '../../../src/measure/load/task-presets.ts';

const shares = (text: string) => parseTaskMix(text).map(({ name, share }) => [name, share]);

describe('a mix of tasks', () => {
  it('is read with shares, or the same for each', () => {
    expect(shares('qa')).toEqual([['qa', 1]]);
    expect(shares('qa=60%, agent=0.4')).toEqual([
      ['qa', 0.6],
      ['agent', 0.4],
    ]);
    expect(shares('qa,agent,generation').map(([, share]) => share)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  it('takes thirds as they are spelled, and makes them whole', () => {
    const thirds = shares('qa=33.3%,agent=33.3%,generation=33.3%').map(([, share]) => share as number);
    expect(thirds.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  });

  it.each([
    ['chat', /"chat" is no task; there are qa, summarization/],
    ['qa=60%,agent=30%', /add up to 90 %/],
    ['qa=60%,agent', /give each task a share, or none/],
    ['qa=60%,qa=40%', /names qa twice/],
    ['qa=x', /"x" is no share of qa/],
    ['qa=50%=50%', /no share/],
    ['qa=0%,agent=100%', /no share/],
    ['', /no task/],
  ])('%s is refused', (text, why) => {
    expect(() => parseTaskMix(text)).toThrow(why);
  });

  it('reads shares as percent or as parts of one', () => {
    expect(['60%', '0.6', '1', '100%'].map(parseShare)).toEqual([0.6, 0.6, 1, 1]);
    expect(['0', '101%', '60', 'a', '-1'].map(parseShare)).toEqual([null, null, null, null, null]);
  });
});

describe('the presets', () => {
  it.each(TASKS)('%s says where it comes from, and fits a context of 32,768 tokens', (name) => {
    const { prompt, output } = presetTask(name, 1);
    expect(
      prompt.kind === 'lognormal' && output.kind === 'lognormal' && prompt.high + output.high,
    ).toBeLessThan(32_768);
    expect(TASK_PRESETS[name].source).toMatch(/ours|trace/);
  });
});
