/** Looks for a client file's program, and asks it for its version. */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { execa } from 'execa';
import type { Found, Missing } from '../contract.ts';
import { which } from '../kit/which.ts';
import { environmentOf } from './environment.ts';
import type { Home } from './home.ts';
import { isUnfinished } from './install.ts';
import type { ClientSpec } from './schema.ts';
import { fill } from './template.ts';

/** The first candidate that is there: a path (relative ones count from the client file), or a name on PATH. */
async function programOf(spec: ClientSpec, home: Home): Promise<{ path: string; ours: boolean } | null> {
  for (const candidate of spec.program) {
    const name = fill(candidate, home);
    const path = name.includes('/')
      ? isAbsolute(name)
        ? name
        : resolve(home.here, name)
      : await which(name);
    if (path !== null && existsSync(path)) return { path, ours: path.startsWith(`${home.cache}/`) };
  }
  return null;
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
  if (program === null) {
    const looked = spec.program.map((candidate) => fill(candidate, home));
    return missing(`there is no ${looked.join(', nor ')}`);
  }
  if (program.ours && isUnfinished(home)) return missing(`an unfinished set-up is in ${home.cache}`);
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
