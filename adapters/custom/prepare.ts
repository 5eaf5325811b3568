/** Fills a client file's templates in for a trial: files, command, environment, and the commands for after the load. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { Workload } from '../../src/measure/workload.ts';
import type { ClientCommand, LaunchRequest } from '../contract.ts';
import { chatBody } from '../kit/chat-body.ts';
import { prompts } from '../kit/prompts.ts';
import { roughE2eMs, usersFor } from '../kit/rough-e2e.ts';
import { AFTER_FILE, type AfterCommand } from './after.ts';
import { environmentOf } from './environment.ts';
import type { Home } from './home.ts';
import type { ClientSpec } from './schema.ts';
import { fill, placeholdersIn, type Values } from './template.ts';

/** Distinct prompts that a trial sends, in files with one line a request. */
const PROMPTS = 1000;

/** Does any template of a launch use this placeholder? */
const uses = (spec: ClientSpec, name: string): boolean =>
  [
    ...spec.command,
    ...Object.values(spec.arrivals).flat(),
    ...Object.values(spec.env).map((value) => value ?? ''),
  ]
    .concat(Object.values(spec.files).map((file) => (typeof file === 'string' ? file : file.each_request)))
    .some((template) => placeholdersIn(template).includes(name));

/** Why a workload cannot be asked of the client beyond its arrivals, or null. */
export function refusesRate(spec: ClientSpec, workload: Workload): string | null {
  if (Number.isInteger(workload.rateRps) || !uses(spec, 'rate_int')) return null;
  return `${spec.name} takes whole rates only, not ${workload.rateRps} requests/s`;
}

const streams = ({ variants }: LaunchRequest): boolean => variants?.includes('plain-json') !== true;

/** Placeholder values of a trial. */
export function valuesOf(spec: ClientSpec, home: Home, request: LaunchRequest): Values {
  const { workload, url, model, dir, found, workers, cpus } = request;
  const { hostname, port } = new URL(url);
  const e2eMs = roughE2eMs(workload.latency, workload.promptTokens, workload.outputTokens);
  const [prompt] = prompts(workload.seed, 1, workload.promptTokens) as [string];
  const from = spec.result?.from;
  const { arrivals, requests, rateRps } = workload;
  // The rounding of requests to a whole number must not change the rate.
  const seconds = Math.round((requests / rateRps) * 1e6) / 1e6;
  return {
    program: found.handle.program!,
    here: home.here,
    cache: home.cache,
    url,
    host: hostname,
    port,
    model,
    rate: workload.rateRps,
    rate_int: Math.round(workload.rateRps),
    interval_ms: 1000 / workload.rateRps,
    interval_us: 1e6 / workload.rateRps,
    requests: workload.requests,
    duration: seconds,
    duration_s: seconds,
    duration_ms: Math.round(seconds * 1000),
    duration_int: Math.ceil(seconds),
    concurrency: usersFor(workload.rateRps, e2eMs),
    workers: workers ?? 1,
    cores: cpus?.length ?? availableParallelism(),
    seed: workload.seed,
    output_tokens: workload.outputTokens,
    prompt_tokens: workload.promptTokens,
    prompt,
    body: chatBody(model, prompt, workload.outputTokens, false, streams(request)),
    dir,
    ...(request.caFile === undefined ? {} : { ca_file: request.caFile }),
    ...(from === undefined || from === 'stdout' || from === 'stderr' ? {} : { result: join(dir, from) }),
    ...(arrivals.kind === 'gamma' ? { cv2: arrivals.cv2, burstiness: 1 / arrivals.cv2 } : {}),
    ...(arrivals.kind === 'trace' ? { trace: resolve(arrivals.file) } : {}),
  };
}

/** One line a request, each with its own prompt and id. */
function lines(template: string, values: Values, name: string, request: LaunchRequest): string {
  const { workload, model } = request;
  const texts = prompts(workload.seed, workload.requests, workload.promptTokens, PROMPTS);
  return Array.from({ length: workload.requests }, (_, index) => {
    const prompt = texts[index % texts.length]!;
    const body = chatBody(model, prompt, workload.outputTokens, false, streams(request));
    return `${fill(template, { ...values, index, request_id: `${name}-${workload.seed}-${index}`, prompt, body })}\n`;
  }).join('');
}

export async function prepare(spec: ClientSpec, home: Home, request: LaunchRequest): Promise<ClientCommand> {
  const refused = refusesRate(spec, request.workload);
  if (refused !== null) throw new Error(refused);
  const values = valuesOf(spec, home, request);
  for (const [name, file] of Object.entries(spec.files)) {
    const text =
      typeof file === 'string' ? fill(file, values) : lines(file.each_request, values, spec.name, request);
    await writeFile(join(request.dir, name), text);
  }
  const spelled = spec.arrivals[request.workload.arrivals.kind] ?? [];
  const argv = spec.command.flatMap((word) =>
    word === '{arrivals}' ? spelled.map((one) => fill(one, values)) : [fill(word, values)],
  );
  const added = (request.variants ?? []).flatMap((variant) => spec.variants[variant]?.args ?? []);
  argv.push(...added.map((word) => fill(word, values)));
  const after: AfterCommand[] = spec.after.map(({ command, stdout }) => ({
    argv: command.map((word) => fill(word, values)),
    ...(stdout === undefined ? {} : { stdout }),
  }));
  if (after.length > 0) await writeFile(join(request.dir, AFTER_FILE), JSON.stringify(after, null, 2));
  const { env, secrets } = environmentOf(spec, values);
  return { argv, env, cwd: request.dir, secrets, ...(after.length === 0 ? {} : { after }) };
}
