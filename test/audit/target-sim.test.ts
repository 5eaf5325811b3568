/** The simulator as a trial's target; with the real program where it is found, else that part is skipped by name. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSim } from '../../simulators/llm-d-inference-sim/find.ts';
import type { TargetOptions } from '../../src/audit/target.ts';
import { simTarget } from '../../src/audit/target-sim.ts';
import { liveCount } from '../../src/system/live-groups.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { processGroupLauncher } from '../../src/system/process-group.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tare-sim-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const options = (): TargetOptions => ({
  launcher: processGroupLauncher,
  workload: {
    rateRps: 10,
    requests: 10,
    durationS: 1,
    arrivals: { kind: 'constant' },
    promptTokens: 4,
    outputTokens: 8,
    latency: 'ttft=20ms,itl=1ms',
    seed: 1,
  },
  model: 'tare-simulated',
  dir,
  cpus: null,
  capacity: 100,
  deadlineMs: 20_000,
});

it('gives the words of a simulator that ends at once, whatever its exit code', async () => {
  const program = join(packageRoot, 'test/clients/fake-inference-sim.mjs');
  await expect(simTarget(program).start(options())).rejects.toThrow(
    /did not become ready: .*max num seqs cannot be less than 1/,
  );
  expect(liveCount()).toBe(0);
});

const found = await findSim();
describe.skipIf('fault' in found)(
  `the real simulator${'fault' in found ? ` (skipped: ${found.fault})` : ''}`,
  () => {
    it('answers with as many tokens as asked, counts the request, and ends', async () => {
      const target = await simTarget('path' in found ? found.path : '').start(options());
      const response = await fetch(`${target.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'tare-simulated',
          messages: [{ role: 'user', content: 'a b c d' }],
          max_tokens: 8,
          ignore_eos: true,
        }),
      });
      const answer = (await response.json()) as { usage: { completion_tokens: number } };
      expect(answer.usage.completion_tokens).toBe(8);
      const { failure, exported } = await target.stop();
      expect(failure).toBeNull();
      expect(exported?.requests).toBe(1);
      // It never gives a token before its time; how late it is, is not the matter here.
      expect(exported!.ttft_mean_ms).toBeGreaterThanOrEqual(20);
      expect(exported!.e2e_mean_ms).toBeGreaterThanOrEqual(27);
      expect(liveCount()).toBe(0);
    });
  },
);
