/** `tare envelope`: searches the highest rate up to which a client is within tolerance. */
import { type Command, InvalidArgumentError } from 'commander';
import { DEFAULT_TOLERANCE, parseTolerance, type Tolerance } from '../measure/envelope/tolerance.ts';
import type { EnvelopeFlags } from './envelope-flags.ts';
import { arrivalsOrAuto, collect, positive, positiveInteger, seconds, seed, workers } from './options.ts';

/** A tolerance, or commander's usage error. */
function tolerance(text: string): Tolerance {
  try {
    return parseTolerance(text);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

/** `14`, or as people say it, `14 trials`. */
const trials = (text: string): number => positiveInteger(text.replace(/\s*trials?$/, ''));

/** Above 1: a bracket of one rate has no width. */
function ratio(text: string): number {
  const value = positive(text);
  if (value <= 1.01) throw new InvalidArgumentError('it must be above 1.01, e.g. 1.15.');
  return value;
}

/** Registers `tare envelope`. */
export function registerEnvelope(program: Command): void {
  program
    .command('envelope')
    .description('searches the highest rate up to which each client tells the truth: holds at A, fails at B')
    .option(
      '--client <name>',
      'a client of `tare doctor`, or a client file (./x.yaml); repeatable (default: every one installed)',
      collect,
    )
    .option(
      '--tolerance <list>',
      `what it may be off by: rate=2%, and METRIC_STATISTIC=5ms, 10% or 10%+2ms, e.g. ttft_p99=5ms (default: ${DEFAULT_TOLERANCE})`,
      tolerance,
    )
    .option('--from <rate>', 'lowest rate of the search, requests/s', positive, 25)
    .option('--to <rate>', 'highest rate, requests/s', positive, 5000)
    .option('--budget <trials>', 'most trials a client (default 14; 10 without --client)', trials)
    .option('--budget-time <time>', 'most time for all clients together, e.g. 3m', seconds)
    .option(
      '--duration <time>',
      'seconds of load a trial (default 5s; 4s without --client); longer at low rates, where a p99 needs it',
      seconds,
    )
    .option('--confirm <n>', 'by how many trials a verdict must lead on either side', positiveInteger, 2)
    .option('--ratio <x>', 'narrow enough where the failing rate is at most x times the other', ratio, 1.15)
    .option(
      '--arrivals <process>',
      'constant, poisson or gamma:<cv2>; auto: constant, and Poisson for a client that has no other',
      arrivalsOrAuto,
      'auto',
    )
    .option('--latency <model>', 'what the target injects (default: ttft=50ms,itl=10ms)')
    .option('--tokens <n>', 'output tokens a request', positiveInteger, 16)
    .option('--prompt-tokens <n>', 'words of the prompt', positiveInteger, 32)
    .option('--seed <n>', 'seed of arrivals, latency and order', seed, 1)
    .option('--workers <n>', "worker processes of Tare's own client: auto or a number", workers, null)
    .option('--no-pin', 'leave target and client on all cores')
    .option('--out <dir>', 'results folder (default results/envelope-<date>)')
    .option('--resume <dir>', 'go on with a search that was cut short; --budget gives it more trials')
    .option('--yes', 'run a search that may take hours', false)
    .option('--json', 'print envelope.json on stdout', false)
    .action(async (flags: EnvelopeFlags) => {
      const { runEnvelopeCommand } = await import('./envelope-run.ts');
      await runEnvelopeCommand(flags);
    });
}
