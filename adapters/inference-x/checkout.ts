/** The user's checkout of InferenceX: where its serving benchmark is, and which version of it. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { execa } from 'execa';

/** Names the checkout, its bench_serving folder, or the script itself. Without it, the current folder is looked at. */
export const VARIABLE = 'TARE_INFERENCE_X';

const SCRIPT = 'benchmark_serving.py';
const FOLDER = join('utils', 'bench_serving');

/** What the facts were read in: the commit, and what decides whether a checkout measures the same. */
export const READ = {
  commit: '843c625',
  date: '2026-08-21',
  digests: {
    'benchmark_serving.py': '9bb3e5096ddc74398f8a33ec2dc7c787afa6ae7bf8f5dd2c8b2e387a280a7785',
    'backend_request_func.py': '4ebf482eb32685e59ed69bd39c51e9f1fd2134f5e9b8fe7ad10550d40ecca16c',
  },
} as const;

export interface Checkout {
  readonly script: string;
  /** The commit's short name and date; where git tells none, the script's digest. */
  readonly version: string;
  /** Files that measure and that differ from those the facts were read in. */
  readonly differs: readonly string[];
}

/** The script in a place that the user named; null where it is not. */
function scriptIn(place: string): string | null {
  const candidates =
    basename(place) === SCRIPT ? [place] : [join(place, FOLDER, SCRIPT), join(place, SCRIPT)];
  return candidates.find((file) => existsSync(file)) ?? null;
}

async function commitOf(folder: string): Promise<string | null> {
  const asked = await execa('git', ['-C', folder, 'log', '-1', '--format=%h %cs', '--abbrev=7'], {
    reject: false,
    timeout: 10_000,
    env: { GIT_OPTIONAL_LOCKS: '0' },
  });
  return asked.failed || asked.stdout.trim() === '' ? null : asked.stdout.trim();
}

async function digestOf(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null);
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex');
}

/** Looks at the place that the variable names, else at `cwd`: the checkout, or why there is none. */
export async function findCheckout(
  env: Readonly<Record<string, string | undefined>> = process.env,
  cwd: string = process.cwd(),
): Promise<Checkout | string> {
  const named = env[VARIABLE];
  const script = scriptIn(resolve(cwd, named || '.'));
  if (script === null) {
    return named
      ? `$${VARIABLE} is ${named}, and there is no ${join(FOLDER, SCRIPT)} in it`
      : `$${VARIABLE} names no checkout of InferenceX, and the current folder is none`;
  }
  const folder = dirname(script);
  const digests = await Promise.all(
    Object.entries(READ.digests).map(async ([name, read]) => {
      const digest = await digestOf(join(folder, name));
      return { name, digest, same: digest === read };
    }),
  );
  const own = digests[0]!.digest?.slice(0, 12);
  return {
    script,
    version: (await commitOf(folder)) ?? `${SCRIPT} ${own}`,
    differs: digests.filter(({ same }) => !same).map(({ name }) => name),
  };
}
