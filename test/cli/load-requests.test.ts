import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addRequestFlags, type RequestFlags, requestOptions } from '../../src/cli/load-requests.ts';
import { requestLines } from '../../src/cli/load-requests-summary.ts';
import type { LoadReport } from '../../src/load/report.ts';
import { formatSlo } from '../../src/measure/load/slo.ts';

function options(args: readonly string[], given: readonly string[] = []) {
  const command = addRequestFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.parse([...args], { from: 'user' });
  return requestOptions(command.opts<RequestFlags>(), (flag) => given.includes(flag));
}

describe('flags about requests', () => {
  it('come to tasks, prefix and goals; several --slo add up', () => {
    const got = options([
      '--task',
      'qa=60%,agent=40%',
      '--prefix',
      '512',
      '--slo',
      'ttft=1s,tpot=5ms',
      '--slo',
      'qa:e2e=2s',
    ]);
    expect(got.tasks!.map(({ name, share }) => [name, share])).toEqual([
      ['qa', 0.6],
      ['agent', 0.4],
    ]);
    expect(got.prefix).toEqual({ tokens: 512, groups: 1 });
    expect(got.slos.map(formatSlo)).toEqual(['ttft=1000ms', 'tpot=5ms', 'qa:e2e=2000ms']);
    expect(options([])).toEqual({ tasks: null, prefix: null, slos: [] });
  });

  it.each([
    [['--task', 'qa', '--tasks', 'x.yaml'], [], /--task or --tasks, not both/],
    [['--task', 'qa'], ['tokens'], /--tokens gives all requests one length/],
    [['--task', 'qa'], ['promptTokens'], /--prompt-tokens gives all/],
    [['--prefix-groups', '4'], [], /needs --prefix/],
    [['--tasks', '/nowhere/x.yaml'], [], /could not be read/],
    [['--task', 'chat'], [], /"chat" is no task/],
    [['--slo', 'itl=5ms'], [], /is no goal/],
  ] as [string[], string[], RegExp][])('%j is refused', (args, given, why) => {
    expect(() => options(args, given)).toThrow(why);
  });
});

describe('lines about requests', () => {
  it('say what prompts were, both forms of NTPOT and why they differ, and who was good', () => {
    const ntpot = {
      exact_mean_ms: 25,
      ttft_mean_ms: 60,
      tpot_mean_ms: 10,
      aggregate: [
        { source: 'usage', output_tokens_mean: 6, ntpot_ms: 20 },
        { source: 'asked', output_tokens_mean: 12, ntpot_ms: 15 },
      ],
      exact_minus_aggregate_ms: 5,
      of_unlike_lengths_ms: 8,
      of_first_token_ms: -3,
    };
    const good = {
      scheduled: 10,
      good: 3,
      share_of_scheduled: 0.3,
      share_of_complete: 0.375,
      not_complete: 2,
      requests_per_second: 3,
      tokens_per_second: 18,
      without_tpot: 1,
      slos: [
        { metric: 'ttft', limit_ms: 100, missed: 4, missed_alone: 3 },
        { metric: 'tpot', limit_ms: 20, missed: 0, missed_alone: 0 },
      ],
    };
    const lines = requestLines({
      prompts: {
        prefix_cache: 'every prompt differs from its first word',
        asked_tokens_mean: 8,
        by_usage_tokens_mean: 21.4,
      },
      ntpot: { from_scheduled: ntpot, from_sent: ntpot },
      goodput: {
        ...good,
        goals: ['ttft=100ms', 'tpot=20ms'],
        from: 'scheduled',
        over_s: 1,
        by_task: null,
      },
    } as unknown as LoadReport);
    expect(lines[0]).toBe(
      'prompts: every prompt differs from its first word; 8.00 words a prompt asked in the mean, 21.4 tokens by the server’s usage',
    );
    expect(lines[1]).toMatch(
      /exact 25.00 ms .* aggregate 20.00 ms .*E\[n\] = 6.00 by usage\), 15.00 ms with 12.0 asked; .* \+5.00: \+8.00 .* −3.00/,
    );
    expect(lines[2]).toMatch(
      /3.00 requests\/s, 18.0 tokens\/s; 3 of 10 scheduled were good \(30.0 %\); missed: ttft 4 \(alone 3\), not complete 2$/,
    );
    expect(lines[3]).toMatch(/1 answers? of one token/);
  });
});
