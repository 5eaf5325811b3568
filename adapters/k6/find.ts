/** Looks for the user's own k6. k6 is AGPL: Tare launches it where it is there, and neither ships, fetches nor builds it. */
import { isAbsolute, resolve } from 'node:path';
import { execa } from 'execa';
import type { Found, Missing } from '../contract.ts';
import { which } from '../kit/which.ts';
import { k6Facts } from './facts.ts';

const REMEDY = 'install k6 yourself and put it on PATH, or set K6_BIN to its file';

/** First version with handleSummary, arrival-rate executors and console output to a file together. */
const OLDEST = [0, 43] as const;

const missing = (reason: string): Missing => ({ state: 'missing', reason, remedy: REMEDY });

/** The version in what `k6 version` prints: "k6 v2.2.0 (commit/…)", "k6.exe v1.0.0 (…)". */
export function k6Version(printed: string): string | null {
  return /^k6(?:\.exe)? v(\d+\.\d+\.\d+\S*)/m.exec(printed)?.[1] ?? null;
}

function notes(version: string): string[] {
  return version === k6Facts.version
    ? []
    : [`this is k6 ${version}; what Tare knows of k6 was read in ${k6Facts.version}`];
}

/** $K6_BIN, else `k6` on PATH; it is asked for its version. */
export async function findK6(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Found | Missing> {
  const named = env.K6_BIN;
  const path = named ? (isAbsolute(named) ? named : resolve(named)) : await which('k6', env.PATH);
  if (path === null) return missing('there is no k6 on PATH, and K6_BIN is not set');
  const asked = await execa(path, ['version'], { reject: false, timeout: 15_000, stdin: 'ignore' });
  const label = named ? `K6_BIN (${path})` : path;
  if (asked.failed) return missing(`${label} does not answer "version": ${asked.shortMessage}`);
  const version = k6Version(asked.stdout);
  if (version === null) return missing(`${label} answers "${asked.stdout.slice(0, 60)}", which is not k6`);
  const [major, minor] = version.split('.').map(Number) as [number, number];
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return missing(`${label} is k6 ${version}; ${OLDEST.join('.')} or newer is needed`);
  }
  return { state: 'found', version, path, origin: "the user's own", notes: notes(version), handle: { path } };
}
