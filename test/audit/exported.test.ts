import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportedBetween, parseCounters, readCounters } from '../../src/audit/exported.ts';

const page = (
  answered: string,
) => `# HELP vllm:request_success_total Count of successfully processed requests.
# TYPE vllm:request_success_total counter
${answered}
vllm:time_to_first_token_seconds_bucket{model_name="m",le="0.001"} 3
vllm:time_to_first_token_seconds_sum{model_name="m"} 0.75
vllm:time_to_first_token_seconds_count{model_name="m"} 15
`;

describe('exported counters', () => {
  it('are summed over their labels, spaces and braces in a label notwithstanding', () =>
    expect(
      parseCounters(
        page(
          'vllm:request_success_total{finished_reason="length",model_name="a } b"} 10\nvllm:request_success_total{finished_reason="stop",model_name="m"} 5e0 1700000000',
        ),
      ),
    ).toEqual({ answered: 15, ttftSum: 0.75, ttftCount: 15 }));

  it('are differences over a trial; a series that appears begins at nothing', () => {
    const after = parseCounters(page('vllm:request_success_total 15'));
    expect(exportedBetween(null, after)).toMatchObject({ requests: 15, ttft_mean_ms: 50, e2e_mean_ms: null });
    expect(exportedBetween({ answered: 5, ttftSum: 0.25, ttftCount: 5 }, after)).toMatchObject({
      requests: 10,
      ttft_mean_ms: 50,
    });
  });

  it('of a real llm-d-inference-sim: its TTFT is what it was told, the prefill what it gave', () => {
    const real = parseCounters(readFileSync('test/fixtures/llm-d-inference-sim/metrics.txt', 'utf8'));
    expect(exportedBetween(null, real)).toMatchObject({ requests: 3, ttft_mean_ms: 20 });
    const by = exportedBetween(null, real, 'prefill')!;
    expect(by.ttft_mean_ms).toBeCloseTo(20.314, 3);
    expect(by.e2e_mean_ms).toBeCloseTo(36.751, 3);
    expect(real.running).toBe(0);
  });

  it('are none where the page is missing, another’s, or was reset between', async () => {
    const answer = (status: number, body: string) => async () => new Response(body, { status });
    expect(await readCounters('http://x', answer(404, page('vllm:request_success_total 1')))).toBeNull();
    expect(
      await readCounters('http://x', answer(200, '<html>vllm:request_success_total 1</html>')),
    ).toBeNull();
    expect(
      await readCounters('http://x', async () => {
        throw new Error('refused');
      }),
    ).toBeNull();
    expect(exportedBetween({ answered: 5 }, { answered: 2 })).toBeNull();
    expect(exportedBetween({ answered: 5 }, { running: 0 })).toBeNull();
  });
});
