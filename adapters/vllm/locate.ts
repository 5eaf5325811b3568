/**
 * Where vLLM's two benchmark clients are: in the user's own vLLM if there is one, else in the client-only set-up.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asset } from '../../src/system/package-root.ts';
import type { Found, Missing } from '../contract.ts';
import { findOwn } from '../kit/own-python.ts';
import { findEnvironment, venvPython } from '../kit/venv.ts';
import { versionNotes } from '../kit/version-note.ts';
import { wheelFolder } from '../kit/wheel.ts';
import { environment, VLLM_VERSION } from './setup.ts';

export type VllmKind = 'python' | 'rust';

/** Older releases lack flags that a trial needs (--request-id-prefix, --ready-check-timeout-sec). */
const OLDEST = [0, 11] as const;

export interface OwnVllm {
  readonly command: string;
  readonly version: string;
  /** The Rust client inside the package; null where the release has none. */
  readonly rust: string | null;
}

/** The user's own vLLM on PATH: its facts, why it cannot be used, or null where there is none. */
export async function ownVllm(path?: string): Promise<OwnVllm | string | null> {
  const own = await findOwn('vllm', path, 'vllm/vllm-rs');
  if (own === null || typeof own === 'string') return own;
  const { command, version } = own;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return `${command} is vllm ${version}, older than ${OLDEST.join('.')}, and lacks flags that are needed`;
  }
  return { command, version, rust: own.file !== null && existsSync(own.file) ? own.file : null };
}

const notesOn = (version: string): string[] => versionNotes('vllm', VLLM_VERSION, version);

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
  const wheel = wheelFolder(client.folder);
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
