/** A trial's files and command line. */
import { join } from 'node:path';
import type { Arrivals } from '../../src/measure/workload.ts';
import type { ClientCommand, LaunchRequest } from '../contract.ts';
import { CLIENT_ENV } from '../kit/environment.ts';
import { OFFLINE_ENV, writeTokenizer } from '../kit/tokenizer.ts';

export const RESULT_FILE = 'result.json';

/** CV² of the gaps where constant ones are asked: 0 cannot be, since an infinite burstiness makes every gap NaN. */
const NEARLY_CONSTANT_CV2 = 1e-9;

/** Its burstiness is the shape of gamma gaps, 1/CV². */
export function burstiness(arrivals: Arrivals): string {
  if (arrivals.kind === 'constant') return String(1 / NEARLY_CONSTANT_CV2);
  return arrivals.kind === 'gamma' ? String(1 / arrivals.cv2) : '1';
}

export async function prepare(request: LaunchRequest): Promise<ClientCommand> {
  const { workload, dir, found } = request;
  const tokenizer = await writeTokenizer(join(dir, 'tokenizer'));
  return {
    argv: [
      found.handle.program!,
      found.handle.script!,
      ...['--backend', 'openai-chat', '--base-url', request.url, '--endpoint', '/v1/chat/completions'],
      ...['--model', request.model, '--tokenizer', tokenizer],
      // Lengths are fixed at these by its default --random-range-ratio of 1.
      ...['--dataset-name', 'random', '--random-input-len', String(workload.promptTokens)],
      ...['--random-output-len', String(workload.outputTokens)],
      // Several workers make the same prompts, before the load starts, in processes of their own.
      ...['--random-num-workers', '1'],
      ...['--num-prompts', String(workload.requests), '--request-rate', String(workload.rateRps)],
      ...['--burstiness', burstiness(workload.arrivals), '--seed', String(workload.seed)],
      ...['--ignore-eos', '--disable-tqdm', '--metric-percentiles', '50,90,99'],
      ...['--save-result', '--save-detailed', '--result-dir', dir, '--result-filename', RESULT_FILE],
    ],
    env: {
      ...OFFLINE_ENV,
      ...CLIENT_ENV,
      PYTHONPATH: null,
      // Nothing is to be written into the user's checkout.
      PYTHONDONTWRITEBYTECODE: '1',
      VLLM_USE_MODELSCOPE: null,
      SAVE_TO_PYTORCH_BENCHMARK_FORMAT: null,
    },
    cwd: dir,
  };
}
