/** perf_analyzer's wheel is built for glibc 2.38 and newer; elsewhere pip quietly takes 0.1.0, which is an empty placeholder. */
import { readHost } from '../../src/system/host.ts';

export const NEEDED_GLIBC = '2.38';

/** Whether a glibc version ("2.36") is at least another; null (musl, unknown) is not. */
export function atLeast(version: string | null, needed: string = NEEDED_GLIBC): boolean {
  if (version === null) return false;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

/** This machine's glibc; null where it is another C library. */
export const hostGlibc = async (): Promise<string | null> => (await readHost()).glibc;

/** "glibc here is 2.36 and perf-analyzer 2.60.0 needs 2.38" */
export const glibcReason = (glibc: string | null): string =>
  `perf-analyzer 2.60.0 needs glibc ${NEEDED_GLIBC} and here it is ${glibc ?? 'not glibc'}`;

export const ELSEWHERE =
  'run it in a Debian 13 root or container by TARE_GENAI_PERF_PREFIX (docs/clients-genai-perf.md), or use its successor: tare setup aiperf';
