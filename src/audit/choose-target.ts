/** From `--target` to the target of a plan: what was asked for, whether it is there, and whether load may go to it. */
import { findSim, PROGRAM, VARIABLE } from '../../simulators/llm-d-inference-sim/find.ts';
import { simLatency } from '../../simulators/llm-d-inference-sim/latency.ts';
import { servedModel } from '../load/served-model.ts';
import { NOT_INJECTED, parseLatencySpec } from '../measure/latency-spec.ts';
import { addressesOf, type Resolve } from '../system/loopback.ts';
import { UserError } from '../system/user-error.ts';
import type { TargetInfo } from './document.ts';
import { REFERENCE_MODEL } from './target-reference.ts';

export const TARGET_FORMS = 'reference, llm-d-inference-sim or http://HOST:PORT';

export interface TargetChoice {
  /** As given with --target. */
  readonly target: string;
  readonly model: string | null;
  readonly allowRemote: boolean;
}

/** Base URL of `text`: without a trailing slash or `/v1`, since clients add their own path. Throws a UserError. */
export function baseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UserError(`--target "${text}" is not known: it is ${TARGET_FORMS}.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UserError(`--target "${text}" is neither http nor https: it is ${TARGET_FORMS}.`);
  if (url.username !== '' || url.password !== '')
    throw new UserError(
      '--target has a user name or password in it: it would be kept in audit.json and in every client’s command line.\nGive the URL without them.',
    );
  if (url.search !== '' || url.hash !== '')
    throw new UserError(
      `--target "${text}" has a query or fragment: clients add their own path, so give the base alone.`,
    );
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  return url;
}

const plain = (url: URL): string => url.href.replace(/\/+$/, '');

/** Whether the URL is beyond loopback; throws where it is and nobody allowed that, or where its name has no address. */
export async function checkReach(url: URL, allowRemote: boolean, resolve?: Resolve): Promise<boolean> {
  let found: Awaited<ReturnType<typeof addressesOf>>;
  try {
    found = await addressesOf(url.hostname, resolve);
  } catch (error) {
    throw new UserError(
      `the target's host ${url.hostname} has no address (${(error as Error).message}): check the name in --target.`,
    );
  }
  if (!found.loopback && !allowRemote)
    throw new UserError(
      `${url.hostname} is beyond this machine's loopback (${found.addresses.join(', ')}): an audit sends it load, up to its limit.\n` +
        'If that server is yours to load, say so with --allow-remote.',
    );
  return !found.loopback;
}

async function simInfo(model: string | null): Promise<TargetInfo> {
  const found = await findSim();
  if ('fault' in found)
    throw new UserError(
      `${found.fault}. Tare does not install it: build it from github.com/llm-d/llm-d-inference-sim (docs/other-targets.md),\nthen put it on the PATH or name it with ${VARIABLE}=/path/to/${PROGRAM}.`,
    );
  return {
    kind: PROGRAM,
    url: null,
    remote: false,
    version: found.version,
    path: found.path,
    model: model ?? SIM_MODEL,
  };
}

/** Looks at what was asked for. Throws a UserError where it cannot be used. */
export async function chooseTarget(choice: TargetChoice, resolve?: Resolve): Promise<TargetInfo> {
  const { target, model, allowRemote } = choice;
  if (target === 'reference')
    return {
      kind: 'reference',
      url: null,
      remote: false,
      version: null,
      path: null,
      model: model ?? REFERENCE_MODEL,
    };
  if (target === PROGRAM) return simInfo(model);
  const url = baseUrl(target);
  const remote = await checkReach(url, allowRemote, resolve);
  return {
    kind: 'external',
    url: plain(url),
    remote,
    version: null,
    path: null,
    model: model ?? (await servedModel(plain(url), null)),
  };
}

const SIM_MODEL = 'tare-simulated';
const DEFAULT_LATENCY = { reference: 'ttft=50ms,itl=10ms', [PROGRAM]: 'zero' } as const;

/** The latency model of a plan: as asked for, or the target's default; throws a UserError where the target cannot give it. */
export function latencyFor(target: TargetInfo, asked: string | null): string {
  if (target.kind === 'external') {
    if (asked === null) return NOT_INJECTED;
    throw new UserError(
      `--latency is for a target that Tare starts; ${target.url} runs already and gives the delays that it gives. Leave --latency out.`,
    );
  }
  const latency = asked ?? DEFAULT_LATENCY[target.kind];
  try {
    if (target.kind === PROGRAM) simLatency(latency);
    else parseLatencySpec(latency);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
  return latency;
}
