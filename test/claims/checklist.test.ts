import { describe, expect, it } from 'vitest';
import { assessChecklist } from '../../src/claims/checklist/assess.ts';
import { CHECKLIST_IDS, type ChecklistId } from '../../src/claims/checklist/item.ts';
import { CHECKLIST } from '../../src/claims/checklist/rules.ts';
import type { ClientKnowledge } from '../../src/claims/evidence-types.ts';
import { changed, claimOf } from './sample.ts';

const answer = (id: ChecklistId, text?: string, known: ClientKnowledge | null = null) =>
  assessChecklist(claimOf(text), known).find((one) => one.id === id)!;

/** One process, one loop, clock from sent, tokens by usage. */
const SINGLE: ClientKnowledge = {
  name: 'one',
  title: 'One',
  version: '1.0',
  architecture: 'one process',
  processes: '1',
  decides: { loop: 'single', t0: 'queued', tokenSource: 'chunks', arrivals: ['constant'], streaming: 'no' },
  definitions: [],
  findings: [],
};

describe('the checklist', () => {
  it('has a rule for each point, in the order of the report', () => {
    expect(CHECKLIST.map(({ id }) => id)).toEqual(CHECKLIST_IDS);
  });

  it('is all stated, with nothing to ask, where all of it is', () => {
    const answers = assessChecklist(claimOf(), null);
    expect(answers.filter(({ state }) => state !== 'stated')).toEqual([]);
    expect(answers.filter(({ question, figures }) => question !== null || figures.length > 0)).toEqual([]);
  });

  it.each([
    ['client', [', version: 2.0}', '}'], 'our-client; version not stated', 6],
    ['client', [/client: \{.*\}/, 'client: not stated'], 'not stated', 6],
    ['t0', ['t0: sent', 't0: not stated'], 'not stated', 3],
    ['streaming', ['streaming: yes', 'streaming: not stated'], 'not stated', 3],
    ['token-source', ['token-source: usage', 'token-source: not stated'], 'not stated', 1],
    ['arrivals', ['arrivals: closed loop', 'arrivals: not stated'], 'not stated', 4],
    ['load', [/ {4}concurrency: 16\n/, ''], 'not stated', 6],
    ['lengths', [/ {4}output-length: fixed\n/, ''], '1000 in, 200 out; fixed, mean or limit not stated', 6],
    ['size', [/ {4}requests: 4000\n {4}duration: 500 s\n/, ''], 'not stated', 6],
    ['statistic', ['ttft_mean', 'ttft'], 'p99; mean; not stated for 1 of 4 figures (c16)', 1],
    ['success-rate', ['success-rate: 100 %', 'success-rate: not stated'], 'not stated', 6],
    ['window', [/window: all.*/, 'window: not stated'], 'not stated', 6],
    ['warm-up', [/warm-up: 100.*/, 'warm-up: not stated'], 'not stated', 6],
    ['repetitions', ['repetitions: 3', 'repetitions: not stated'], 'not stated', 6],
    ['system', ['hardware: 1 x H100, ', ''], 'Engine A, 1.0, Llama 3.1 8B; hardware not stated', 6],
    ['prefix-cache', [', prefix-cache: off', ''], 'not stated', 6],
    ['processes', ['processes: 4', 'processes: not stated'], 'not stated', 0],
    ['loop', ['loop: multi', 'loop: not stated'], 'not stated', 0],
    ['client-host', [/client-host: .*/, 'client-host: not stated'], 'not stated', 0],
    ['client-load', [/client-load: .*/, 'client-load: not stated'], 'not stated', 0],
    ['client-bias', [/client-bias: .*/, 'client-bias: not stated'], 'not stated', 0],
    ['second-client', [/second-client: .*/, 'second-client: not stated'], 'not stated', 0],
    ['source', [/sources:\n.*\n/, ''], 'not stated', 0],
  ] as const)(
    '%s: what is left out is not stated, asked for, and hangs on its figures',
    (id, change, words, hanging) => {
      const one = answer(id, changed(change));
      expect(one).toMatchObject({ state: 'not stated', answer: words });
      expect(one.figures).toHaveLength(hanging);
      expect(one.question).toBe(CHECKLIST.find((rule) => rule.id === id)!.question);
      const others = assessChecklist(claimOf(changed(change)), null).filter((other) => other.id !== id);
      expect(others.every(({ state }) => state === 'stated')).toBe(true);
    },
  );

  it('takes what a row counts for its success rate', () => {
    const none = ['success-rate: 100 %', 'success-rate: not stated'] as const;
    const figure = (text: string) =>
      answer('success-rate', changed(none, ['    figures:\n', `    figures:\n      ${text}\n`]));
    expect(figure('failed: 3')).toMatchObject({ state: 'stated', answer: '3 failed' });
    expect(figure('completed: 3,990')).toMatchObject({ state: 'stated', answer: '3,990 completed of 4000' });
  });

  it.each([
    ['{within: 8 %, how: k6 2.2.0}', 'within 8 % (k6 2.2.0)'],
    ['{apart: 10 %}', '10 % apart'],
    ['no', 'no, one client only'],
    ['k6, within 3 %', 'k6, within 3 % (in words, not quantified)'],
  ])('takes a second client of %s as stated', (text, words) => {
    const one = answer('second-client', changed([/second-client: .*/, `second-client: ${text}`]));
    expect(one).toMatchObject({ state: 'stated', answer: words, question: null });
  });

  it('does not ask for what no figure depends on', () => {
    const text = changed([/ {6}(ttft|itl|e2e)_.*\n/g, ''], ['t0: sent', 't0: not stated']);
    expect(answer('t0', text)).toMatchObject({
      state: 'not stated',
      answer: 'not stated; no figure of this claim depends on it',
      question: null,
    });
  });

  it.each([
    ['loop', [['loop: multi', 'loop: single']], /one event loop is stated, and 4 worker processes/],
    [
      'streaming',
      [['streaming: yes', 'streaming: no']],
      /no streaming is stated, and TTFT or ITL is given for c16/,
    ],
    [
      'arrivals',
      [['    concurrency: 16', '    rate: 8 req/s']],
      /a closed loop is stated, and a rate of 8 req\/s/,
    ],
    [
      'arrivals',
      [
        ['closed loop', 'all at once'],
        ['    concurrency: 16', '    rate: 8 req/s'],
      ],
      /all requests at once are stated, and a rate of 8 req\/s/,
    ],
    [
      'arrivals',
      [
        ['closed loop', 'poisson'],
        ['    concurrency: 16', '    rate: inf'],
      ],
      /poisson arrivals are stated, and every row has the rate inf/,
    ],
    [
      'success-rate',
      [['    figures:\n', '    figures:\n      failed: 3\n']],
      /success rate of 100 % is stated, and 3 failed in c16/,
    ],
    [
      'success-rate',
      [['    figures:\n', '    figures:\n      success_rate: 97.5 %\n']],
      /100 % is stated for the measurement, and 97.5 %/,
    ],
    [
      'second-client',
      [[/second-client: .*/, 'second-client: {apart: 40 %, how: k6}']],
      /a second client on the same engine is 40 % apart: beyond 10 %/,
    ],
    ['second-client', [[/second-client: .*/, 'second-client: {within: 11 %}']], /within 11 % only/],
    [
      'lengths',
      [['output-tokens: 200', 'output-tokens: 200.5']],
      /outputs of fixed length are stated, and 200.5 tokens/,
    ],
  ] as const)('%s is contradicted where two parts of the claim do: %s', (id, changes, words) => {
    const one = answer(id, changed(...changes));
    expect(one.state).toBe('contradicted');
    expect(one.answer).toMatch(words);
    expect(one.question).not.toBeNull();
  });

  it('does not take what can be so for a contradiction', () => {
    // A loop of several threads in one process; 100 % as printed and a share that rounds to it; some rows at inf, some not.
    expect(answer('loop', changed(['processes: 4', 'processes: 1'])).state).toBe('stated');
    expect(
      answer('success-rate', changed(['    figures:\n', '    figures:\n      success_rate: 99.97 %\n']))
        .state,
    ).toBe('stated');
    const mixed = `${changed(['closed loop', 'poisson'], ['    concurrency: 16', '    rate: inf'])}  - {id: r8, rate: 8 req/s, requests: 100, figures: {ttft: 1 s}}\n`;
    expect(answer('arrivals', mixed).state).toBe('stated');
  });

  it.each([
    ['loop', /the claim states several processes or threads, and One \(1\.0\) has one event loop/],
    ['processes', /the claim states 4 worker processes, and One \(1\.0\) has one process that sends/],
    ['t0', /starts when a request is sent, and One \(1\.0\) has one that starts when it is queued/],
    ['token-source', /usage.*chunks/],
    ['streaming', /streaming: yes, and .*streaming: no/],
  ] as const)('%s is contradicted where the client is known to do otherwise', (id, words) => {
    const one = answer(id, undefined, SINGLE);
    expect(one.state).toBe('contradicted');
    expect(one.answer).toMatch(words);
  });

  it('holds a client to nothing that its flags decide', () => {
    const open = {
      ...SINGLE,
      decides: { loop: null, t0: null, tokenSource: null, arrivals: [], streaming: null },
    } as const;
    expect(assessChecklist(claimOf(), open).every(({ state }) => state === 'stated')).toBe(true);
  });
});
