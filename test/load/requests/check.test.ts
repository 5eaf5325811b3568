import { describe, expect, it } from 'vitest';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../../src/load/options.ts';
import { parseSlos } from '../../../src/measure/load/slo.ts';
import { parseTaskMix } from '../../../src/measure/load/task-mix.ts';

const plan = (change: Partial<LoadOptions>) => () =>
  planLoad(
    { ...LOAD_DEFAULTS, url: 'http://127.0.0.1:1', rateRps: 10, requests: 5, ...change },
    { allowed: [0], total: 1, taskset: false },
  );
const qa = parseTaskMix('qa');

describe('options about requests', () => {
  it.each([
    [
      'a goal for a task that is not there',
      { slos: parseSlos('agent:e2e=1s'), tasks: qa },
      /has not; it has qa/,
    ],
    ['a goal for a task without tasks', { slos: parseSlos('qa:e2e=1s') }, /tasks come from --task/],
    ['a goal given twice', { slos: parseSlos('e2e=1s,e2e=2s') }, /e2e=2000ms is a second one/],
    ['TTFT without a stream', { slos: parseSlos('ttft=1s'), stream: false }, /needs streamed answers/],
    ['a stream of its own', { extraBody: { stream: false } }, /--no-stream/],
    ['a stream of its own beside tasks', { tasks: qa, extraBody: { stream: true } }, /--no-stream/],
    ['another model', { extraBody: { model: 'other' } }, /--model/],
    ['another max_tokens', { extraBody: { max_tokens: 3 } }, /--tokens/],
    ['a prompt for chat', { extraBody: { prompt: 'x' } }, /--endpoint completions/],
    ['max_tokens for all beside tasks', { tasks: qa, extraBody: { max_tokens: 3 } }, /"max_tokens" for all/],
    [
      'messages beside a prefix',
      { prefix: { tokens: 5, groups: 1 }, extraBody: { messages: [] } },
      /"messages" for all/,
    ],
    [
      'tasks beside the lengths of a trace',
      { tasks: qa, traceLengths: { promptTokens: [1], outputTokens: [1], tasks: null } },
      /--no-trace-lengths/,
    ],
    ['a prefix of nothing', { prefix: { tokens: 0, groups: 1 } }, /whole numbers/],
  ] as [string, Partial<LoadOptions>, RegExp][])('%s is refused', (_, change, why) => {
    expect(plan(change)).toThrow(why);
  });

  it.each([
    ['goals for e2e and ntpot without a stream', { slos: parseSlos('e2e=1s,ntpot=5ms'), stream: false }],
    ['a field for all that no request has of its own', { tasks: qa, extraBody: { ignore_eos: true } }],
    ['max_tokens and a model that are those of the flags', { extraBody: { max_tokens: 16, model: 'tare' } }],

    [
      'goals by kind of a trace',
      {
        slos: parseSlos('api:e2e=1s'),
        traceLengths: { promptTokens: [1], outputTokens: [1], tasks: { names: ['chat', 'api'], of: [0] } },
      },
    ],
  ] as [string, Partial<LoadOptions>][])('%s are taken', (_, change) => {
    expect(plan(change)).not.toThrow();
  });
});
