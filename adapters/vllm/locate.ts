/**
 * Where vLLM's two benchmark clients are: in the user's own vLLM if there is one, else in the client-only set-up. Importing vllm takes
 * many seconds, so its version is read from the package's metadata instead.
 */
import { existsSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { asset } from '../../src/system/package-root.ts';
import type { Found, Missing } from '../contract.ts';
import { findEnvironment, venvPython } from '../kit/venv.ts';
import { which } from '../kit/which.ts';
import { environment, VLLM_VERSION, WHEEL_FOLDER } from './setup.ts';

export type VllmKind = 'python' | 'rust';

/** Older releases lack flags that a trial needs (--request-id-prefix, --ready-check-timeout-sec). */
const OLDEST = [0, 11] as const;

export interface OwnVllm {
  readonly command: string;
  readonly version: string;
  /** The Rust client inside the package; null where the release has none. */
  readonly rust: string | null;
}

const QUESTION =
  'import importlib.metadata as m, json; d = m.distribution("vllm"); ' +
  'print(json.dumps([d.version, str(d.locate_file("vllm/vllm-rs"))]))';

/** The interpreters that may own a console script: its shebang's, then the one beside it. */
async function interpretersOf(script: string): Promise<string[]> {
  const file = await open(script, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0).finally(() => file.close());
  const line = buffer.toString('utf8', 0, bytesRead).split('\n')[0] ?? '';
  const shebang = line.startsWith('#!') ? line.slice(2).trim().split(/\s+/) : [];
  const named = shebang[0]?.endsWith('/env') ? shebang[1] : shebang[0];
  const beside = join(dirname(await realpath(script)), 'python');
  return [...(named && /python[\d.]*$/.test(named) ? [named] : []), ...(existsSync(beside) ? [beside] : [])];
}

/** The user's own vLLM on PATH: its facts, why it cannot be used, or null where there is none. */
export async function ownVllm(path?: string): Promise<OwnVllm | string | null> {
  const command = await which('vllm', path);
  if (command === null) return null;
  for (const python of await interpretersOf(command).catch(() => [])) {
    const answer = await execa(python, ['-I', '-c', QUESTION], { reject: false, timeout: 20_000 });
    if (answer.failed) continue;
    const [version, rust] = JSON.parse(answer.stdout) as [string, string];
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
      return `${command} is vllm ${version}, older than ${OLDEST.join('.')}, and lacks flags that are needed`;
    }
    return { command, version, rust: existsSync(rust) ? rust : null };
  }
  return `${command} is on PATH, but no Python of its own tells its version`;
}

const notesOn = (version: string): string[] =>
  version === VLLM_VERSION
    ? []
    : [`its definitions were read in vllm ${VLLM_VERSION}; this is ${version} and may differ`];

function foundOwn(own: OwnVllm, kind: VllmKind): Found | null {
  const program = kind === 'python' ? own.command : own.rust;
  if (program === null) return null;
  return {
    state: 'found',
    version: own.version,
    path: program,
    origin: "the user's own vllm",
    notes: notesOn(own.version),
    handle: { program },
  };
}

/** Finds the Python or the Rust client. */
export async function locate(kind: VllmKind, path?: string): Promise<Found | Missing> {
  const own = await ownVllm(path);
  const direct = own !== null && typeof own !== 'string' ? foundOwn(own, kind) : null;
  if (direct) return direct;
  const passedOver =
    typeof own === 'string'
      ? [own]
      : own !== null
        ? [`${own.command} (vllm ${own.version}) holds no vllm-rs`]
        : [];
  const client = await findEnvironment(environment);
  if (typeof client === 'string') {
    return {
      state: 'missing',
      reason: [...passedOver, own === null ? `no vllm on PATH, and ${client}` : client].join('; '),
      remedy: 'tare setup vllm',
    };
  }
  const wheel = join(client.folder, WHEEL_FOLDER);
  const launcher = asset('adapters/vllm/client_only.py');
  const binary = join(wheel, 'vllm', 'vllm-rs');
  if (kind === 'rust' && !existsSync(binary)) {
    return {
      state: 'missing',
      reason: `the wheel of vllm ${client.marker.version} for this machine holds no vllm-rs`,
      remedy: 'none: use the Python client (--client vllm)',
    };
  }
  return {
    state: 'found',
    version: client.marker.version,
    path: kind === 'rust' ? binary : join(wheel, 'vllm', 'benchmarks', 'serve.py'),
    origin: 'client-only set-up by tare setup (the wheel’s own benchmark files, without torch)',
    notes: [...passedOver, ...notesOn(client.marker.version)],
    handle: kind === 'rust' ? { program: binary } : { program: venvPython(client.folder), launcher, wheel },
  };
}
