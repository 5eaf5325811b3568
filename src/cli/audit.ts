/** `tare audit`: runs clients × rates × repetitions against the reference target or another, and reports. */
import type { Command } from 'commander';
import type { AuditFlags } from './audit-run.ts';
import { arrivalsOrAuto, collect, positiveInteger, rateList, seconds, seed, workers } from './options.ts';

/** Registers `tare audit`. */
export function registerAudit(program: Command): void {
  program
    .command('audit')
    .description('runs clients × rates × repetitions against the reference target, and reports their bias')
    .option(
      '--client <name>',
      'a client of `tare doctor`, or a client file (./x.yaml); repeatable (default: every one installed)',
      collect,
    )
    .option('--rate <list>', 'requests/s, e.g. 50,100,200', rateList)
    .option('--duration <time>', 'seconds of load a trial, e.g. 10s', seconds)
    .option('--repeat <n>', 'repetitions of every client and rate', positiveInteger)
    .option(
      '--arrivals <process>',
      'constant, poisson, gamma:<cv2> or trace:<file>; auto: constant, and Poisson for a client that has no other',
      arrivalsOrAuto,
      'auto',
    )
    .option(
      '--target <what>',
      'reference, llm-d-inference-sim, or http://HOST:PORT of a server that runs already',
      'reference',
    )
    .option('--model <name>', "model to ask for (default: the target's own, by its /v1/models)")
    .option('--allow-remote', 'allow a --target beyond loopback: it is sent load, so let it be yours', false)
    .option(
      '--latency <model>',
      'what the target injects: zero, ttft=50ms,itl=10ms, … (default: ttft=50ms,itl=10ms; zero for llm-d-inference-sim)',
    )
    .option('--tokens <n>', 'output tokens a request', positiveInteger, 16)
    .option('--prompt-tokens <n>', 'words of the prompt', positiveInteger, 32)
    .option('--seed <n>', 'seed of arrivals, latency and order', seed, 1)
    .option('--workers <n>', "worker processes of Tare's own client: auto or a number", workers, 'auto')
    .option('--budget <time>', 'time that the default matrix must fit into (default 255s)', seconds)
    .option('--no-pin', 'leave target and client on all cores')
    .option(
      '--wire',
      "capture each trial's port with tcpdump as a second witness (needs root or its capability)",
      false,
    )
    .option('--wire-keep', "as --wire, and keep wire.pcap in each trial's folder", false)
    .option('--out <dir>', 'results folder (default results/audit-<date>)')
    .option('--resume <dir>', 'go on with an audit that was cut short')
    .option('--dry-run', 'show the commands and files of the first repetition, and send nothing', false)
    .option('--yes', 'run a plan that takes hours', false)
    .option('--json', 'print audit.json on stdout', false)
    .action(async (flags: AuditFlags) => {
      const { runAuditCommand } = await import('./audit-run.ts');
      await runAuditCommand(flags);
    });
}
