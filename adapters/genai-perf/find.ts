/** Looks for a GenAI-Perf that can run: the Python program, and the perf_analyzer that it starts. */
import { execa } from 'execa';
import { UserError } from '../../src/system/user-error.ts';
import type { Found, Missing } from '../contract.ts';
import { which } from '../kit/which.ts';
import { genaiPerfFacts } from './facts.ts';
import { atLeast, ELSEWHERE, glibcReason, hostGlibc } from './glibc.ts';
import { commandThere, type Place, placeFrom, VARIABLES } from './prefix.ts';

/** What a program said: both streams, and whether it could be started. */
export interface Said {
  readonly failed: boolean;
  readonly text: string;
}

/** What the search needs from outside. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program that tare setup installed; null without one. */
  readonly installed: { readonly program: string; readonly version: string } | null;
  glibc(): Promise<string | null>;
  run(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Said>;
}

export async function run(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Said> {
  const [program, ...args] = argv;
  const result = await execa(program!, args, {
    reject: false,
    timeout: 60_000,
    stdin: 'ignore',
    env: { ...env },
  });
  const text = `${result.stdout ?? ''}\n${result.stderr ?? ''}`.trim();
  return { failed: result.failed, text: text === '' && result.failed ? (result.shortMessage ?? '') : text };
}

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 160);

/** Why perf_analyzer cannot be used, from what its `--version` said; null if it can. The wrapper drops exit codes: the words decide. */
export function analyzerFault(said: Said): 'placeholder' | 'glibc' | 'other' | null {
  if (/^Perf Analyzer Version /m.test(said.text)) return null;
  if (/GLIBC(XX)?_\d/.test(said.text)) return 'glibc';
  return /ENOENT|No such file|not found/i.test(said.text) ? 'placeholder' : 'other';
}

async function checkAnalyzer(
  place: Place,
  program: string,
  surroundings: Surroundings,
): Promise<Missing | null> {
  const folder = program.includes('/') ? program.slice(0, program.lastIndexOf('/') + 1) : '';
  const command = commandThere(place, `${folder}perf_analyzer`, ['--version'], {}, surroundings.env.PATH);
  const said = await surroundings.run(command.argv, command.env);
  const fault = analyzerFault(said);
  if (fault === null) return null;
  const remedy = ELSEWHERE;
  if (fault === 'other') {
    return { state: 'missing', reason: `perf_analyzer cannot be run: ${firstLine(said.text)}`, remedy };
  }
  const here = place.prefix.length === 0 ? `; ${glibcReason(await surroundings.glibc())}` : '';
  const what =
    fault === 'glibc'
      ? 'its perf_analyzer does not load with this C library'
      : 'perf_analyzer is not: pip takes the empty placeholder perf-analyzer 0.1.0 where no real one fits';
  return { state: 'missing', reason: `genai-perf is there, but ${what}${here}`, remedy };
}

/** The program to try and how it came here; null where there is none. */
async function candidate(place: Place, surroundings: Surroundings) {
  if (place.program !== null) return { program: place.program, origin: "the user's own" };
  if (place.prefix.length > 0) return { program: 'genai-perf', origin: "the user's own" };
  const onPath = await which('genai-perf', surroundings.env.PATH ?? '');
  if (onPath !== null) return { program: onPath, origin: "the user's own" };
  return surroundings.installed
    ? { program: surroundings.installed.program, origin: 'installed by tare setup' }
    : null;
}

async function nowhere(surroundings: Surroundings): Promise<Missing> {
  const glibc = await surroundings.glibc();
  const none = 'there is no genai-perf on PATH';
  return atLeast(glibc)
    ? { state: 'missing', reason: none, remedy: 'tare setup genai-perf' }
    : { state: 'missing', reason: `${none}, and ${glibcReason(glibc)}`, remedy: ELSEWHERE };
}

function notes(version: string): string[] {
  return version === genaiPerfFacts.version
    ? []
    : [
        `this is GenAI-Perf ${version}; what Tare knows of it was read in ${genaiPerfFacts.version} with perf_analyzer 2.60.0`,
      ];
}

export async function findGenaiPerf(surroundings: Surroundings): Promise<Found | Missing> {
  let place: Place;
  try {
    place = placeFrom(surroundings.env);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { state: 'missing', reason: error.message, remedy: `mend ${VARIABLES.prefix}` };
  }
  const tried = await candidate(place, surroundings);
  if (tried === null) return nowhere(surroundings);
  const { program, origin } = tried;
  const command = commandThere(place, program, ['--version'], {}, surroundings.env.PATH);
  const said = await surroundings.run(command.argv, command.env);
  const version = /^genai-perf (\d\S*)/m.exec(said.text)?.[1];
  if (said.failed || version === undefined) {
    const shown = command.argv.join(' ');
    return {
      state: 'missing',
      reason: `"${shown}" did not give a version: ${firstLine(said.text)}`,
      remedy: `set ${VARIABLES.program} to the program's path there, or mend ${VARIABLES.prefix}`,
    };
  }
  const fault = await checkAnalyzer(place, program, surroundings);
  if (fault !== null) return fault;
  return {
    state: 'found',
    version,
    path: [...place.prefix, program].join(' '),
    origin,
    notes: notes(version),
    handle: {
      program,
      prefix: JSON.stringify(place.prefix),
      ...(place.root === null ? {} : { root: place.root }),
    },
  };
}

/** The surroundings as they are. */
export const realSurroundings = (installed: Surroundings['installed']): Surroundings => ({
  env: process.env,
  installed,
  glibc: hostGlibc,
  run,
});
