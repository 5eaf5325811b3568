/** `tare load`: our client alone, against any OpenAI-compatible server. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { runLoad } from '../load/coordinator.ts';
import { type FaultSpec, parseFault } from '../load/faults/catalogue.ts';
import { LOAD_DEFAULTS, type LoadOptions, parseBaseUrl, planLoad } from '../load/options.ts';
import type { LoadReport } from '../load/report.ts';
import { servedModel } from '../load/served-model.ts';
import { parseTrace } from '../measure/schedule.ts';
import { type Arrivals, parseArrivals } from '../measure/workload.ts';
import { readHost } from '../system/host.ts';
import { EXIT, UserError } from '../system/user-error.ts';
import { cpuList, jsonObject, microseconds } from './load-flags.ts';
import { loadSummary } from './load-summary.ts';
import { arrivals, positive, positiveInteger, seconds, seed, workers } from './options.ts';

interface Flags {
  readonly url: string;
  readonly endpoint: 'chat' | 'completions';
  readonly model?: string;
  readonly stream: boolean;
  readonly rate?: number;
  readonly duration?: number;
  readonly requests?: number;
  readonly arrivals: string;
  readonly tokens: number;
  readonly promptTokens: number;
  readonly extraBody?: Record<string, unknown>;
  readonly seed: number;
  readonly workers: number | null;
  readonly cpus?: number[];
  readonly pacing: 'auto' | 'spin' | 'block';
  readonly timeout: number;
  readonly deadline?: number;
  readonly maxInFlight?: number;
  readonly connections?: number;
  readonly warmup: number;
  readonly burnPerToken: number;
  readonly rehearsal: number;
  readonly fault?: FaultSpec;
  readonly records?: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly apiKeyEnv: string;
  readonly apiKeyFile?: string;
}

const DEFAULT_DURATION_S = 10;

/** From the file, else from the environment variable; null without either. */
function apiKey(flags: Flags): string | null {
  if (flags.apiKeyFile === undefined) return process.env[flags.apiKeyEnv] || null;
  try {
    return readFileSync(flags.apiKeyFile, 'utf8').trim();
  } catch (error) {
    throw new UserError(`the API key could not be read: ${(error as Error).message}`);
  }
}

function readTrace(process: Arrivals): number[] | undefined {
  if (process.kind !== 'trace') return undefined;
  try {
    return parseTrace(readFileSync(process.file, 'utf8'));
  } catch (error) {
    throw new UserError(`the trace ${process.file} could not be used: ${(error as Error).message}`);
  }
}

/** How many requests: as given, or rate × duration. */
function requestCount(flags: Flags, trace: readonly number[] | undefined): number {
  if (flags.requests !== undefined && flags.duration !== undefined)
    throw new UserError('give --requests or --duration, not both: the rate makes one of the other');
  if (flags.requests !== undefined) return flags.requests;
  if (trace !== undefined && flags.duration === undefined) return trace.length;
  if (trace !== undefined) {
    const scale =
      flags.rate === undefined ? 1 : (trace.length - 1) / (trace.at(-1)! - trace[0]!) / flags.rate;
    return Math.max(1, trace.filter((at) => at * scale <= flags.duration!).length);
  }
  return Math.max(1, Math.round(flags.rate! * (flags.duration ?? DEFAULT_DURATION_S)));
}

async function optionsOf(flags: Flags): Promise<LoadOptions> {
  parseBaseUrl(flags.url);
  const process = parseArrivals(flags.arrivals);
  const trace = readTrace(process);
  if (flags.rate === undefined && trace === undefined)
    throw new UserError('no rate was given; say how many requests/s, e.g. --rate 50');
  const key = apiKey(flags);
  return {
    ...LOAD_DEFAULTS,
    url: flags.url,
    endpoint: flags.endpoint,
    model: flags.model ?? (await servedModel(flags.url, key)),
    stream: flags.stream,
    arrivals: process,
    ...(trace === undefined ? {} : { trace }),
    rateRps: flags.rate ?? null,
    requests: requestCount(flags, trace),
    promptTokens: flags.promptTokens,
    outputTokens: flags.tokens,
    extraBody: flags.extraBody ?? {},
    seed: flags.seed,
    workers: flags.workers,
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
  };
}

/** Cannot be written: says so before the run, not after it. */
function claimFile(path: string | undefined): void {
  if (path === undefined) return;
  try {
    writeFileSync(path, '');
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

async function load(flags: Flags): Promise<void> {
  const options = await optionsOf(flags);
  const host = await readHost();
  const plan = planLoad(options, {
    allowed: host.allowed_cpus,
    total: host.cores,
    taskset: host.taskset !== null,
  });
  claimFile(flags.records);
  claimFile(flags.out);
  const abort = new AbortController();
  const onSignal = (): void => abort.abort();
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const report = await runLoad(options, plan, { signal: abort.signal, ...progress() });
    deliver(flags, report);
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
        `\r${p.elapsedS.toFixed(1)} s: ${p.sent} of ${p.scheduled} sent, ${p.ended} ended, ${p.inFlight} under way \u001b[K`,
      );
    },
  };
}

function deliver(flags: Flags, report: LoadReport): void {
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  if (flags.out !== undefined) writeFileSync(flags.out, json);
  if (flags.json) process.stdout.write(json);
  process.stderr.write(loadSummary(report));
  if (report.state !== 'complete') process.exitCode = EXIT.harnessInvalid;
  else if (report.counts.complete === 0) process.exitCode = EXIT.outOfTolerance;
}

/** Registers `tare load`. */
export function registerLoad(program: Command): void {
  const d = LOAD_DEFAULTS;
  program
    .command('load')
    .description('our client alone, against any OpenAI-compatible server')
    .requiredOption('--url <url>', "the server's base URL, e.g. http://127.0.0.1:8000")
    .addOption(
      new Option('--endpoint <kind>', 'API to use').choices(['chat', 'completions']).default(d.endpoint),
    )
    .option('--model <name>', "model to ask for (default: the first of the server's /v1/models)")
    .option('--no-stream', 'ask for answers in one piece: no TTFT, ITL or TPOT then')
    .option('--rate <rps>', 'requests per second', positive)
    .option('--duration <time>', 'how long to send, e.g. 10s (default: 10s)', seconds)
    .option('--requests <n>', 'how many to send, in place of --duration', positiveInteger)
    .option('--arrivals <process>', 'constant, poisson, gamma:<cv2> or trace:<file>', arrivals, 'poisson')
    .option(
      '--tokens <n>',
      'output tokens asked of each request (max_tokens)',
      positiveInteger,
      d.outputTokens,
    )
    .option('--prompt-tokens <n>', 'words of each prompt', positiveInteger, d.promptTokens)
    .option('--extra-body <json>', 'fields added to each body, e.g. {"ignore_eos":true}', jsonObject)
    .option('--seed <n>', 'of arrivals and prompts', seed, d.seed)
    .option('--workers <n>', 'worker processes; auto: one for each core that is free for it', workers, null)
    .option('--cpus <list>', 'cores for the workers, e.g. 1 or 2-5 (needs taskset)', cpuList)
    .addOption(
      new Option('--pacing <how>', 'spin needs a core for each worker')
        .choices(['auto', 'spin', 'block'])
        .default(d.pacing),
    )
    .option('--timeout <time>', 'limit of each request', seconds, d.timeoutS)
    .option('--deadline <time>', 'limit of the whole run (default: its length, --timeout and 5 s)', seconds)
    .option('--max-in-flight <n>', 'requests under way at once; the wait for it counts', positiveInteger)
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
    .option('--out <file>', 'write the report as JSON')
    .option('--json', 'print the report as JSON on stdout')
    .option('--api-key-env <name>', 'environment variable that holds the API key', 'OPENAI_API_KEY')
    .option('--api-key-file <file>', 'file that holds the API key')
    .action(load);
}
