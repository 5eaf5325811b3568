/** A trial's files and command line. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arrivals } from '../../src/measure/workload.ts';
import type { ClientCommand, LaunchRequest } from '../contract.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { prompts } from '../kit/prompts.ts';
import { writeTokenizer } from '../kit/tokenizer.ts';

/** The folder that its exports go to. */
export const ARTIFACTS = 'artifacts';

/** AIPerf's smoothness is the shape of gamma gaps, 1/CV². */
function arrivalFlags(arrivals: Arrivals): string[] {
  if (arrivals.kind !== 'gamma') return ['--arrival-pattern', arrivals.kind];
  return ['--arrival-pattern', 'gamma', '--arrival-smoothness', String(1 / arrivals.cv2)];
}

export async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const { workload, dir, found, workers, variants } = request;
  const tokenizer = await writeTokenizer(join(dir, 'tokenizer'));
  const input = join(dir, 'prompts.jsonl');
  const lines = prompts(workload.seed, workload.requests, workload.promptTokens).map((text) =>
    JSON.stringify({ text }),
  );
  await writeFile(input, `${lines.join('\n')}\n`);
  return {
    argv: [
      found.handle.program!,
      'profile',
      ...['--model', request.model, '--url', request.url, '--endpoint-type', 'chat'],
      ...(variants?.includes('plain-json') ? [] : ['--streaming']),
      ...(variants?.includes('server-tokens') ? ['--use-server-token-count'] : []),
      ...['--tokenizer', tokenizer],
      ...['--input-file', input, '--custom-dataset-type', 'single_turn'],
      ...['--osl', String(workload.outputTokens), '--extra-inputs', 'ignore_eos:true'],
      ...['--request-count', String(workload.requests), '--request-rate', String(workload.rateRps)],
      ...arrivalFlags(workload.arrivals),
      ...['--random-seed', String(workload.seed)],
      ...(workers === null ? [] : ['--workers-max', String(workers)]),
      ...['--ui', 'none', '--no-gpu-telemetry', '--no-server-metrics'],
      ...['--output-artifact-dir', join(dir, ARTIFACTS)],
    ],
    env: {
      ...CLIENT_ENV,
      // Its tokenizer loader takes a local folder only while these are unset.
      HF_HUB_OFFLINE: null,
      TRANSFORMERS_OFFLINE: null,
      HF_HUB_DISABLE_TELEMETRY: '1',
      PYTHONPATH: null,
    },
    cwd: dir,
  };
}
