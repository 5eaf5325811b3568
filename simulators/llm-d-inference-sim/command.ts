/**
 * The simulator's command line: as near to no server as it gets. Its defaults throttle (5 requests at once, 1,000 waiting, then 429) and
 * ask the network whether the model exists; these settings do neither. There is no flag for the address: it listens on every interface.
 */
import { simLatency } from './latency.ts';

export interface SimOptions {
  readonly program: string;
  readonly port: number;
  readonly model: string;
  /** As for the reference target; throws what it cannot give. */
  readonly latency: string;
  readonly seed: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** More requests than can ever be under way at once, so that none waits. */
  readonly most: number;
}

/** Each request gets a buffer of this many answers, so no larger than it must be. */
const LEAST_CONTEXT = 1024;

export function simCommand(options: SimOptions): string[] {
  const { ttftNs, itlNs } = simLatency(options.latency);
  // A client's chat template and tokenizer may count a prompt higher than we do.
  const context = Math.max(LEAST_CONTEXT, 4 * options.promptTokens + options.outputTokens);
  return [
    options.program,
    ...['--port', String(options.port)],
    ...['--model', options.model],
    ...['--mode', 'random'],
    ...['--seed', String(options.seed)],
    ...['--latency-calculator', 'constant'],
    ...['--time-to-first-token', `${ttftNs}ns`],
    ...['--inter-token-latency', `${itlNs}ns`],
    ...['--time-factor-under-load', '1'],
    ...['--max-num-seqs', String(options.most)],
    ...['--max-waiting-queue-length', String(options.most)],
    ...['--max-model-len', String(context)],
    '--force-dummy-tokenizer',
    ...['--failure-injection-rate', '0'],
  ];
}
