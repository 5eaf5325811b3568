/** Finds llm-d-inference-sim: the program that TARE_INFERENCE_SIM names, else the first on PATH. Tare does not install it. */
import { execa } from 'execa';
import { resolveProgram } from '../../src/system/resolve-program.ts';
import { versionOf } from './build-info.ts';

export const PROGRAM = 'llm-d-inference-sim';
export const VARIABLE = 'TARE_INFERENCE_SIM';

export interface FoundSim {
  readonly path: string;
  readonly version: string | null;
}

/** Flags that the launch needs, with the release that brought the last of them. */
const NEEDED = [
  'max-num-seqs int',
  'max-waiting-queue-length int',
  'time-to-first-token duration',
  'inter-token-latency duration',
  'latency-calculator string',
  'force-dummy-tokenizer',
  'max-model-len int',
];
const SINCE = '0.9';

/** What is wrong with a program that prints this help; null where it has all that is needed. */
export function helpFault(help: string): string | null {
  if (!help.includes('max-num-seqs')) return 'its help is not that of llm-d-inference-sim';
  const lacks = NEEDED.filter((flag) => !help.includes(`--${flag}`));
  return lacks.length === 0
    ? null
    : `it is too old: its help lacks --${lacks[0]!.split(' ')[0]} as of release ${SINCE}`;
}

/** The program, or why there is none. `env` is handed in by tests. */
export async function findSim(env: NodeJS.ProcessEnv = process.env): Promise<FoundSim | { fault: string }> {
  const named = env[VARIABLE];
  const resolved = resolveProgram(named || PROGRAM, process.cwd(), env.PATH);
  if ('failure' in resolved)
    return {
      fault: named
        ? `${VARIABLE} names ${named}, which cannot be run (${resolved.failure})`
        : `${PROGRAM} is not on the PATH`,
    };
  // It prints its help to stderr and ends with 0 or 2, by version.
  const { all, failed, timedOut, exitCode } = await execa(resolved.path, ['--help'], {
    all: true,
    reject: false,
    timeout: 15_000,
    stdin: 'ignore',
  });
  if (timedOut) return { fault: `${resolved.path} --help did not end` };
  if (failed && exitCode === undefined) return { fault: `${resolved.path} could not be started` };
  const fault = helpFault(all ?? '');
  if (fault !== null) return { fault: `${resolved.path} cannot be used: ${fault}` };
  return { path: resolved.path, version: await versionOf(resolved.path) };
}
