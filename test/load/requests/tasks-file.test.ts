import { describe, expect, it } from 'vitest';
import { parseTasksFile } from '../../../src/load/requests/tasks-file.ts';
import { presetTask } from '../../../src/measure/load/task-presets.ts';

const GOOD = `
# our mix
tasks:
  - name: search
    share: 60%
    prompt: lognormal:900:1.2:20-8000
    output: uniform:10-80
  - name: agent
    share: 0.4
`;

describe('a file of tasks', () => {
  it('is read; a preset’s name needs no lengths, but may have them', () => {
    const [search, agent] = parseTasksFile(GOOD, 'mix.yaml');
    expect(search).toEqual({
      name: 'search',
      share: 0.6,
      prompt: { kind: 'lognormal', mean: 900, cv: 1.2, low: 20, high: 8000 },
      output: { kind: 'uniform', low: 10, high: 80 },
    });
    expect(agent).toEqual(presetTask('agent', 0.4));
    const [own] = parseTasksFile('tasks: [{name: qa, output: 5}]', 'x');
    expect(own).toMatchObject({
      share: 1,
      output: { kind: 'constant', tokens: 5 },
      prompt: presetTask('qa', 1).prompt,
    });
  });

  it('says what a task is where it is none: a list that holds itself', () => {
    for (const text of ['tasks: &a\n  - *a\n', 'tasks: [7]'])
      expect(() => parseTasksFile(text, 'f')).toThrow(/a task is a map with the keys name, share/);
  });

  it.each([
    ['tasks:\n  - name: a\n    prompt: gauss:1\n    output: 5\n', 'f:3:13: "gauss:1" is no length'],
    ['tasks:\n  - name: a\n    output: 5\n', 'f:2:5: prompt is missing'],
    [
      'tasks:\n  - name: qa\n    share: 70%\n  - name: agent\n    share: 20%\n',
      'f:2:3: the shares add up to 90 %',
    ],
    ['tasks:\n  - name: qa\n    share: half\n', 'f:3:12: "half" is no share'],
    ['tasks:\n  - name: qa\n    share: 1\n  - name: agent\n', 'f:4:5: share is missing'],
    ['tasks:\n  - name: qa\n  - name: qa\n', 'f:3:11: there are two tasks with the name qa'],
    ['tasks:\n  - name: 9x\n', 'f:2:11: a name begins with a letter'],
    ['tasks:\n  - name: qa\n    weight: 3\n', 'f:3:13: there is no key weight here'],
    ['tasks: []\n', 'f:1:8: a task is needed'],
    ['task: qa\n', 'f:1:7: there is no key task here'],
    ['tasks: qa\n', 'f:1:8: a list of tasks is needed'],
    ['', 'f:1:1: a map with the key "tasks" is needed'],
    ['tasks:\n  - name: "a\n', 'f:3:1: Missing closing'],
    ['tasks:\n  - {name: a, prompt: [1], output: 2}\n', 'f:2:23: a word is needed'],
  ])('%j is refused with its place', (text, where) => {
    expect(() => parseTasksFile(text, 'f')).toThrow(where);
  });

  it('names every fault at once', () => {
    const text = 'tasks:\n  - name: a\n    prompt: x\n    output: y\n';
    expect(() => parseTasksFile(text, 'f')).toThrow(/f:3:13[\s\S]*f:4:13/);
  });
});
