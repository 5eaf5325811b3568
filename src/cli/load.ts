/** `tare load`: our client alone, against any OpenAI-compatible server. */
import { type Command, Option } from 'commander';
import type { Collected } from '../../reports/load/collect.ts';
import { runLoad } from '../load/coordinator.ts';
import { type FaultSpec, parseFault } from '../load/faults/catalogue.ts';
import { LOAD_DEFAULTS, type LoadOptions, parseBaseUrl, planLoad } from '../load/options.ts';
import type { LoadReport } from '../load/report.ts';
import { nowNs } from '../system/clock.ts';
import { readHost } from '../system/host.ts';
import { EXIT } from '../system/user-error.ts';
import { type ArrivalFlags, addArrivalFlags, arrivalOptions, lengthFlagsGiven } from './load-arrivals.ts';
import { shownCommand } from './load-command.ts';
import { addExcludeFlags, type ExcludeFlags } from './load-exclude.ts';
import { cpuList, jsonObject, microseconds } from './load-flags.ts';
import { apiKey, DEFAULT_KEY_ENV, type KeyFlags } from './load-key.ts';
import { machineFor, modelOf } from './load-machine.ts';
import {
  addOutputFlags,
  claimOutputs,
  needsRecords,
  type OutputFlags,
  outputPaths,
  writeRecordFiles,
  writeReportFiles,
} from './load-outputs.ts';
import { addRequestFlags, type RequestFlags, requestOptions } from './load-requests.ts';
import { loadSummary } from './load-summary.ts';
import { addSweepFlags, checkSweepFlags, type SweepFlags, sweep, sweepsInPlaceOf } from './load-sweep.ts';
import { positiveInteger, seconds, seed, workerCount, workers } from './options.ts';

interface Flags extends ArrivalFlags, RequestFlags, OutputFlags, KeyFlags, SweepFlags, ExcludeFlags {
  readonly url: string;
  readonly endpoint: 'chat' | 'completions';
  readonly model?: string;
  readonly stream: boolean;
  readonly tokens: number;
  readonly promptTokens: number;
  readonly extraBody?: Record<string, unknown>;
  readonly seed: number;
  readonly workers: number | 'auto';
  readonly cpus?: number[];
  readonly pacing: 'auto' | 'spin' | 'block';
  readonly timeout: number;
  readonly deadline?: number;
  readonly connections?: number;
  readonly warmup: number;
  readonly burnPerToken: number;
  readonly rehearsal: number;
  readonly fault?: FaultSpec;
  readonly records?: string;
  readonly json?: boolean;
  readonly retryAfter?: boolean;
}

async function optionsOf(flags: Flags, command: Command, key: string | null): Promise<LoadOptions> {
  parseBaseUrl(flags.url);
  const given = (flag: string): boolean => command.getOptionValueSource(flag) === 'cli';
  const sending = await arrivalOptions(flags, lengthFlagsGiven(given));
  return {
    ...LOAD_DEFAULTS,
    url: flags.url,
    endpoint: flags.endpoint,
    model: flags.model ?? (await modelOf(flags.url, key)),
    modelAsked: flags.model !== undefined,
    stream: flags.stream,
    promptTokens: flags.promptTokens,
    outputTokens: flags.tokens,
    extraBody: flags.extraBody ?? {},
    seed: flags.seed,
    workers: workerCount(flags.workers),
    cpus: flags.cpus ?? null,
    pacing: flags.pacing,
    timeoutS: flags.timeout,
    maxInFlight: flags.maxInFlight ?? null,
    connections: flags.connections ?? null,
    burnPerTokenUs: flags.burnPerToken,
    warmup: flags.warmup,
    rehearsalS: flags.rehearsal,
    fault: flags.fault ?? null,
    recordsFile: flags.records ?? null,
    apiKey: key,
    deadlineS: flags.deadline ?? null,
    retryAfter: flags.retryAfter ?? false,
    exclude: flags.exclude ?? null,
    ...sending,
    ...requestOptions(flags, given),
  };
}

async function load(flags: Flags, command: Command): Promise<void> {
  const key = apiKey(flags);
  const host = await readHost();
  checkSweepFlags(command, flags);
  const options = await optionsOf(sweepsInPlaceOf(flags), command, key);
  const cores = {
    allowed: host.allowed_cpus,
    total: host.cores,
    taskset: host.taskset !== null,
    machine: machineFor(host),
  };
  if (flags.sweep !== undefined) return sweep(flags, options, cores);
  const plan = planLoad(options, cores);
  const paths = outputPaths(flags);
  await claimOutputs(flags, paths, options.arrivals.kind === 'trace' ? options.arrivals.file : undefined);
  for (const warning of plan.warnings)
    process.stderr.write(`Warning, ${warning.code}: ${warning.evidence}; ${warning.remedy}\n`);
  const abort = new AbortController();
  const onSignal = (): void => abort.abort();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  let collected: Collected | null = null;
  // A full disk must not cost the run: what it found is printed first.
  let failure: unknown = null;
  try {
    const report = await runLoad(options, plan, {
      signal: abort.signal,
      launchedNs: nowNs() - performance.now() * 1e6,
      ...(needsRecords(paths)
        ? {
            onRecords: (...args) => {
              try {
                collected = writeRecordFiles(paths, ...args);
              } catch (error) {
                failure = error;
              }
            },
          }
        : {}),
      ...progress(),
    });
    deliver(flags, report);
    await writeReportFiles(paths, report, collected, host, shownCommand(process.argv.slice(2), key));
    if (failure !== null) throw failure;
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/** A line on the terminal that moves; nothing elsewhere. */
function progress(): Pick<Parameters<typeof runLoad>[2] & object, 'onProgress'> {
  if (!process.stderr.isTTY) return {};
  return {
    onProgress: (p) => {
      process.stderr.write(
        `\r${p.elapsedS.toFixed(1)} s: ${p.sent}${p.scheduled === null ? '' : ` of ${p.scheduled}`} sent, ${p.ended} ended, ${p.inFlight} under way \u001b[K`,
      );
    },
  };
}

function deliver(flags: Flags, report: LoadReport): void {
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  if (flags.json) process.stdout.write(json);
  process.stderr.write(loadSummary(report));
  if (report.state !== 'complete') process.exitCode = EXIT.harnessInvalid;
  else if (report.counts.complete === 0) process.exitCode = EXIT.outOfTolerance;
}

/** Registers `tare load`. */
export function registerLoad(program: Command): void {
  const d = LOAD_DEFAULTS;
  const command = program
    .command('load')
    .description('our client alone, against any OpenAI-compatible server')
    .requiredOption('--url <url>', "the server's base URL, e.g. http://127.0.0.1:8000");
  addArrivalFlags(command);
  command
    .addOption(
      new Option('--endpoint <kind>', 'API to use').choices(['chat', 'completions']).default(d.endpoint),
    )
    .option('--model <name>', "model to ask for (default: the first of the server's /v1/models)")
    .option('--no-stream', 'ask for answers in one piece: no TTFT, ITL or TPOT then')
    .option(
      '--tokens <n>',
      'output tokens asked of each request (max_tokens)',
      positiveInteger,
      d.outputTokens,
    )
    .option('--prompt-tokens <n>', 'words of each prompt', positiveInteger, d.promptTokens)
    .option('--extra-body <json>', 'fields added to each body, e.g. {"ignore_eos":true}', jsonObject)
    .option('--seed <n>', 'of arrivals and prompts', seed, d.seed)
    .option(
      '--workers <n>',
      'worker processes; auto: as few as keep each at most half busy, by the profile',
      workers,
      'auto',
    )
    .option('--cpus <list>', 'cores for the workers, e.g. 1 or 2-5 (needs taskset)', cpuList)
    .addOption(
      new Option('--pacing <how>', 'spin needs a core for each worker')
        .choices(['auto', 'spin', 'block'])
        .default(d.pacing),
    )
    .option('--timeout <time>', 'limit of each request', seconds, d.timeoutS)
    .option('--deadline <time>', 'limit of the whole run (default: its length, --timeout and 5 s)', seconds)
    .option(
      '--connections <n>',
      'connections opened before the start (default: from the rate)',
      positiveInteger,
    )
    .option('--warmup <n>', 'requests sent to the server beforehand, not counted', seed, d.warmup)
    .option(
      '--burn-per-token <time>',
      'CPU time to waste on each token, e.g. 60us: a control',
      microseconds,
      0,
    )
    .option('--fault <name[:dose]>', 'a known fault, for controls: see docs/selftest.md', parseFault)
    .option(
      '--rehearsal <time>',
      "longest time to warm a worker's own code before the start",
      seconds,
      d.rehearsalS,
    )
    .option('--records <file>', 'write a JSON line for each request')
    .option('--json', 'print the report as JSON on stdout')
    .option(
      '--retry-after',
      'send a refused request (429, 503) again when its Retry-After says: the wait is in its latency',
    )
    .option('--api-key-env <name>', 'environment variable that holds the API key', DEFAULT_KEY_ENV)
    .option('--api-key-file <file>', 'file that holds the API key');
  addOutputFlags(command);
  addRequestFlags(command);
  addExcludeFlags(command);
  addSweepFlags(command);
  command.action(load);
}
