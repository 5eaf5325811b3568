/** The probes that there are: one file each, in a folder for each group. Adding one needs no other file. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NamedProbe, Probe } from '../src/measure/probe/probe.ts';

const HERE = import.meta.dirname;
const IS_PROBE = /^[a-z0-9-]+\.(ts|js)$/;

/** Groups in the order in which they are shown. */
export const GROUPS = ['chunks', 'counts', 'stream', 'http', 'errors', 'delays', 'load'] as const;
export type Group = (typeof GROUPS)[number];

export interface ProbePlace {
  readonly id: string;
  readonly group: Group;
  readonly file: string;
}

/** Where every probe is, without reading any. */
export function probePlaces(): ProbePlace[] {
  return GROUPS.flatMap((group) => {
    const folder = join(HERE, group);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => IS_PROBE.test(name))
      .sort()
      .map((name) => ({ id: name.replace(/\.\w+$/, ''), group, file: join(folder, name) }));
  });
}

async function read({ id, group, file }: ProbePlace): Promise<NamedProbe> {
  const { default: probe } = (await import(pathToFileURL(file).href)) as { default: Probe };
  return { ...probe, id, group };
}

/** Every probe, by group and name; or those with the given ids, in that order. Throws an Error on an id that there is not. */
export async function loadProbes(ids?: readonly string[]): Promise<NamedProbe[]> {
  const places = probePlaces();
  if (ids === undefined) return Promise.all(places.map(read));
  return Promise.all(
    ids.map((id) => {
      const place = places.find((one) => one.id === id);
      if (place === undefined) throw new Error(`there is no probe "${id}"`);
      return read(place);
    }),
  );
}
