/** `tare gate`: pass or fail, for CI, in under a minute. */
import { type Command, InvalidArgumentError } from 'commander';
import { DEFAULT_BUDGET_S, DEFAULT_GATE_TOLERANCE } from '../audit/gate/plan.ts';
import { parseRunGoals, type RunGoals } from '../audit/gate/slo.ts';
import { parseTolerance, type Tolerance } from '../measure/envelope/tolerance.ts';
import type { GateFlags } from './gate-flags.ts';
import { refuseIdleFlags } from './gate-idle-flags.ts';
import { arrivalsOrAuto, collect, positiveInteger, rateList, seconds, seed, workers } from './options.ts';

/** A parser's error as commander's usage error. */
function usage<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(`${(error as Error).message}.`);
    }
  };
}

const tolerance = usage<Tolerance>(parseTolerance);
const goals = usage<RunGoals>(parseRunGoals);

/** Registers `tare gate`. */
export function registerGate(program: Command): void {
  program
    .command('gate')
    .description(
      'pass or fail for CI: does a client hold rate and bias within tolerance, on intervals, in under a minute',
    )
    .option('--client <name>', 'a client of `tare doctor`, or a client file (./x.yaml); repeatable', collect)
    .option('--rate <list>', 'requests/s, e.g. 200 or 100,200', rateList)
    .option(
      '--tolerance <list>',
      `what it may be off by: rate=2%, and METRIC_STATISTIC=5ms, 10% or 10%+2ms (default: ${DEFAULT_GATE_TOLERANCE})`,
      tolerance,
    )
    .option(
      '--budget <time>',
      `most time for the floor and all repetitions (default ${DEFAULT_BUDGET_S}s)`,
      seconds,
    )
    .option('--duration <time>', 'seconds of load a repetition (default: up to 5s, what fits)', seconds)
    .option('--against <client>', 'run this client beside the others, and fail where they are worse than it')
    .option(
      '--baseline <path>',
      'an earlier gate.json, or a folder of a gate or an audit: fail where it got worse',
    )
    .option(
      '--allow <list>',
      'what it may get worse by beyond the floor, spelled as --tolerance (default: rate=2%, figures 0)',
      tolerance,
    )
    .option(
      '--baseline-optional',
      'a baseline that is not there, or cannot be compared with, leaves the verdict to the rest (else: undetermined)',
      false,
    )
    .option('--other-host', 'compare with a baseline of another machine all the same', false)
    .option('--other-version', 'compare with a baseline of another version of Tare all the same', false)
    .option(
      '--load <file>',
      'judge a stored report of tare load instead; repeatable: runs of the same load',
      (file: string, before: string[] = []) => [...before, file],
    )
    .option(
      '--slo <list>',
      'goals of --load: METRIC_STATISTIC=200ms and success=99%, e.g. ttft_p99=200ms (default: success=99%)',
      goals,
    )
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
    .option('--workers <n>', "worker processes of Tare's own client: auto or a number", workers, 'auto')
    .option('--no-pin', 'leave target and client on all cores')
    .option(
      '--fault <fault>',
      "a control: Tare's own client gets this fault, e.g. late-send:8ms, and must fail",
    )
    .option('--out <dir>', 'folder for gate.json and every repetition (default: none is kept)')
    .option('--junit <file>', 'write JUnit XML')
    .option('--dry-run', 'check the command and show what it would run, and send nothing', false)
    .option('--json', 'print gate.json on stdout', false)
    .action(async (flags: GateFlags, command: Command) => {
      refuseIdleFlags(flags, (name) => command.getOptionValueSource(name) === 'cli');
      if (flags.load !== undefined) {
        const { runGateLoadCommand } = await import('./gate-load.ts');
        await runGateLoadCommand(flags);
        return;
      }
      const { runGateCommand } = await import('./gate-run.ts');
      await runGateCommand(flags);
    });
}
