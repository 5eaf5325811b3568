/** From `--target` to the target of a plan: what was asked for, whether it is there, and whether load may go to it. */
import { servedModel } from '../load/served-model.ts';
import { NOT_INJECTED, parseLatencySpec } from '../measure/latency-spec.ts';
import { addressesOf, type Resolve } from '../system/loopback.ts';
import { UserError } from '../system/user-error.ts';
import type { TargetInfo } from './document.ts';
import { REFERENCE_MODEL } from './target-reference.ts';

export const TARGET_FORMS = 'reference or http://HOST:PORT';

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

const DEFAULT_LATENCY = 'ttft=50ms,itl=10ms';

/** The latency model of a plan: as asked for, or the target's default; throws a UserError where the target cannot give it. */
export function latencyFor(target: TargetInfo, asked: string | null): string {
  if (target.kind === 'external') {
    if (asked === null) return NOT_INJECTED;
    throw new UserError(
      `--latency is for a target that Tare starts; ${target.url} runs already and gives the delays that it gives. Leave --latency out.`,
    );
  }
  const latency = asked ?? DEFAULT_LATENCY;
  try {
    parseLatencySpec(latency);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
  return latency;
}
