/** Looks for a client file's program, and asks it for its version. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { execa } from 'execa';
import type { Found, Missing } from '../contract.ts';
import { which } from '../kit/which.ts';
import { environmentOf } from './environment.ts';
import type { Home } from './home.ts';
import { isUnfinished } from './install.ts';
import type { ClientSpec } from './schema.ts';
import { fill } from './template.ts';

type Program = { readonly path: string; readonly ours: boolean } | { readonly reason: string };

/** Why a path cannot be run, or null. */
async function unfit(path: string): Promise<string | null> {
  try {
    if (!(await stat(path)).isFile()) return `${path} is no file`;
    await access(path, constants.X_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
      ? `${path} may not be executed`
      : `there is no ${path}`;
  }
}

/** The first candidate that can be run: a path (relative ones count from the client file), or a name on PATH. */
async function programOf(spec: ClientSpec, home: Home): Promise<Program> {
  const reasons: string[] = [];
  for (const candidate of spec.program) {
    const name = fill(candidate, home);
    const path = !name.includes('/') ? await which(name) : isAbsolute(name) ? name : resolve(home.here, name);
    const reason = path === null ? `there is no ${name}` : await unfit(path);
    if (path !== null && reason === null) return { path, ours: path.startsWith(`${home.cache}/`) };
    reasons.push(reason!);
  }
  const absent = 'there is no ';
  const words = reasons.every((reason) => reason.startsWith(absent))
    ? `${absent}${reasons.map((reason) => reason.slice(absent.length)).join(', nor ')}`
    : reasons.join('; ');
  return { reason: words };
}

type Version = { readonly version: string } | { readonly reason: string };

async function versionOf(spec: ClientSpec, home: Home, program: string): Promise<Version> {
  if (spec.version === undefined) return { version: 'unknown' };
  const [file, ...args] = spec.version.command.map((word) => fill(word, { ...home, program }));
  const asked = await execa(file!, args, { reject: false, all: true, timeout: 15_000, stdin: 'ignore' });
  const said = asked.all ?? '';
  const match = new RegExp(spec.version.pattern, 'm').exec(said);
  const version = match?.groups?.version ?? match?.[1] ?? match?.[0];
  if (version === undefined) {
    const answer =
      said.trim() === '' ? (asked.shortMessage ?? 'nothing') : said.trim().split('\n')[0]!.slice(0, 100);
    return { reason: `${program} does not answer as ${spec.name} does (version.pattern): ${answer}` };
  }
  return { version: version === '' ? 'unknown' : version };
}

export async function find(spec: ClientSpec, home: Home): Promise<Found | Missing> {
  const remedy =
    spec.install !== undefined
      ? `tare setup ${spec.name}`
      : (spec.remedy ?? `put ${spec.program[0]} on PATH, or its path into \`program\``);
  const missing = (reason: string, mend = remedy): Missing => ({ state: 'missing', reason, remedy: mend });
  const program = await programOf(spec, home);
  const unfinished = `an unfinished set-up is in ${home.cache}`;
  if ('reason' in program) return missing(isUnfinished(home) ? unfinished : program.reason);
  if (program.ours && isUnfinished(home)) return missing(unfinished);
  const environment = environmentOf(spec, null);
  if (environment.unset.length > 0)
    return missing(
      `${environment.unset.join(', ')} ${environment.unset.length === 1 ? 'is' : 'are'} not set, and its \`env\` needs ${environment.unset.length === 1 ? 'it' : 'them'}`,
      `export ${environment.unset[0]}=…`,
    );
  const asked = await versionOf(spec, home, program.path);
  if ('reason' in asked) return missing(asked.reason);
  const known = spec.facts.version;
  const differs = known !== undefined && asked.version !== known;
  return {
    state: 'found',
    version: asked.version,
    path: program.path,
    origin: program.ours
      ? 'by tare setup'
      : home.file === null
        ? "the user's own"
        : `the user's own, described by ${home.file}`,
    notes: differs ? [`this is ${spec.name} ${asked.version}; what is known of it was read in ${known}`] : [],
    handle: {
      program: program.path,
      ...(home.file === null ? {} : { client_file: home.file, client_file_sha256: home.sha256 }),
    },
  };
}
