/** Where SGLang's two benchmark clients are: in the user's own SGLang if there is one, else in the client-only set-up. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asset } from '../../src/system/package-root.ts';
import type { Found, Missing } from '../contract.ts';
import { findOwn } from '../kit/own-python.ts';
import { findEnvironment, venvPython } from '../kit/venv.ts';
import { versionNotes } from '../kit/version-note.ts';
import { wheelFolder } from '../kit/wheel.ts';
import { environment, SGLANG_VERSION } from './setup.ts';

export type SglangKind = 'python' | 'rust';

/** What `python -m` runs for each in an SGLang of the user's. */
const MODULES = { python: 'sglang.bench_serving', rust: 'sglang.benchmark.rust_client' } as const;

const EXTENSIONS = 'sglang/srt/rust_extensions';

/** A release has the Rust client where it has its extension. */
const hasRust = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('_bench'));

const notesOn = (version: string): string[] => versionNotes('sglang', SGLANG_VERSION, version);

/** The user's own SGLang on PATH, or why it was passed over; null where there is none. */
async function locateOwn(kind: SglangKind, path?: string): Promise<Found | string | null> {
  const own = await findOwn('sglang', path, EXTENSIONS);
  if (own === null || typeof own === 'string') return own;
  if (kind === 'rust' && !hasRust(own.file!)) {
    return `${own.command} (sglang ${own.version}) holds no Rust client`;
  }
  return {
    state: 'found',
    version: own.version,
    path: own.command,
    origin: "the user's own sglang",
    notes: notesOn(own.version),
    handle: { program: own.python, module: MODULES[kind] },
  };
}

/** Finds the Python or the Rust client. */
export async function locate(kind: SglangKind, path?: string): Promise<Found | Missing> {
  const own = await locateOwn(kind, path);
  if (own !== null && typeof own !== 'string') return own;
  const client = await findEnvironment(environment);
  if (typeof client === 'string') {
    return {
      state: 'missing',
      reason: own === null ? `no sglang on PATH, and ${client}` : `${own}; ${client}`,
      remedy: 'tare setup sglang',
    };
  }
  const wheel = wheelFolder(client.folder);
  if (kind === 'rust' && !hasRust(join(wheel, EXTENSIONS))) {
    return {
      state: 'missing',
      reason: `the wheel of sglang ${client.marker.version} for this machine holds no Rust client`,
      remedy: 'none: use the Python client (--client sglang)',
    };
  }
  const file = kind === 'python' ? 'serving.py' : 'rust_client.py';
  return {
    state: 'found',
    version: client.marker.version,
    path: join(wheel, 'sglang', 'benchmark', file),
    origin: 'client-only set-up by tare setup (the wheel’s own benchmark files, without torch)',
    notes: [...(own === null ? [] : [own]), ...notesOn(client.marker.version)],
    handle: {
      program: venvPython(client.folder),
      launcher: asset('adapters/sglang/client_only.py'),
      wheel,
      kind,
    },
  };
}
