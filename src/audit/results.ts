/**
 * The results folder. A trial is written under a temporary name and renamed when it is whole, so that a crash loses at most the
 * trial under way; audit.json is replaced in one step.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asFileError } from '../system/disk.ts';
import { makeFolder } from '../system/make-folder.ts';
import { UserError } from '../system/user-error.ts';
import { writeWhole } from '../system/write-whole.ts';
import { AUDIT_SCHEMA, type AuditDocument, type Trial } from './document.ts';
import { FLOOR_IDS } from './floor.ts';

const TEMPORARY = '.tmp-';

/** A failed write in words; with trials already in the folder, also how to go on. Other errors pass through. */
export function writeError(error: unknown, folder: string, going: 'beginning' | 'under way'): unknown {
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return new UserError(
      `${folder} cannot be a folder, a file is in the way: choose another with --out DIR.`,
    );
  const explained = asFileError(error, folder);
  if (going === 'beginning' || explained === error || !(explained instanceof UserError)) return explained;
  return new UserError(
    `${explained.message} Finished trials are kept: go on with --resume ${folder}.`,
    explained.code,
  );
}

export class ResultsFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** A new folder. One that exists must be empty, or the user is told what to do. */
  static async create(path: string): Promise<ResultsFolder> {
    try {
      await makeFolder(path);
      const inside = await readdir(path);
      if (inside.includes('audit.json'))
        throw new UserError(
          `${path} already holds an audit. Go on with it by --resume ${path}, or choose another folder with --out DIR.`,
        );
      if (inside.length > 0)
        throw new UserError(
          `${path} is not empty and not a results folder of Tare's: choose an empty or new one with --out DIR.`,
        );
      await mkdir(join(path, 'trials'));
    } catch (error) {
      throw writeError(error, path, 'beginning');
    }
    return new ResultsFolder(path);
  }

  /** A folder with an audit in it; what a crash left half-written is removed. */
  static async open(path: string): Promise<ResultsFolder> {
    if (!existsSync(join(path, 'audit.json')))
      throw new UserError(
        `${path} is not a results folder of Tare's: it has no audit.json. Give the folder of an earlier audit.`,
      );
    const folder = new ResultsFolder(path);
    const trials = join(path, 'trials');
    if (existsSync(trials))
      for (const name of await readdir(trials))
        if (name.startsWith(TEMPORARY)) await rm(join(trials, name), { recursive: true, force: true });
    return folder;
  }

  /** Reads audit.json; says so where it is not one, or a later version's. */
  async read(): Promise<AuditDocument> {
    const file = join(this.path, 'audit.json');
    let document: AuditDocument;
    try {
      document = JSON.parse(await readFile(file, 'utf8')) as AuditDocument;
    } catch (error) {
      throw new UserError(
        `${file} cannot be read (${(error as Error).message}): it is damaged or not an audit.`,
      );
    }
    if (document.schema !== AUDIT_SCHEMA)
      throw new UserError(
        `${file} has the schema "${String(document.schema)}", this Tare knows ${AUDIT_SCHEMA}: use the version that wrote it.`,
      );
    return document;
  }

  async write(document: AuditDocument): Promise<void> {
    try {
      await writeWhole(join(this.path, 'audit.json'), `${JSON.stringify(document, null, 2)}\n`);
    } catch (error) {
      throw writeError(error, this.path, 'under way');
    }
  }

  /** Where a trial is written until it is whole. */
  temporary(id: string): string {
    return join(this.path, 'trials', TEMPORARY + id);
  }

  /** Where it is kept. */
  final(id: string): string {
    return join(this.path, 'trials', id);
  }

  /** Makes a trial's temporary folder, empty. */
  async begin(id: string): Promise<string> {
    const path = this.temporary(id);
    try {
      await rm(path, { recursive: true, force: true });
      await mkdir(join(path, 'client'), { recursive: true });
    } catch (error) {
      throw writeError(error, this.path, 'under way');
    }
    return path;
  }

  /** Writes trial.json and gives the folder its name. */
  async keep(trial: Trial): Promise<void> {
    const from = this.temporary(trial.id);
    const to = this.final(trial.id);
    try {
      await writeFile(join(from, 'trial.json'), `${JSON.stringify(trial, null, 2)}\n`);
      await rm(to, { recursive: true, force: true });
      await rename(from, to);
    } catch (error) {
      throw writeError(error, this.path, 'under way');
    }
  }

  /** Gives a run's folder its name, or removes it: for runs that are no trials of an audit. */
  async settle(id: string, keep: boolean): Promise<void> {
    try {
      await rm(this.final(id), { recursive: true, force: true });
      if (keep) await rename(this.temporary(id), this.final(id));
      else await rm(this.temporary(id), { recursive: true, force: true });
    } catch (error) {
      throw writeError(error, this.path, 'under way');
    }
  }

  /** Trials of the plan that are whole. One whose trial.json cannot be read counts as not done. */
  async finished(): Promise<Trial[]> {
    const folder = join(this.path, 'trials');
    if (!existsSync(folder)) return [];
    const trials: Trial[] = [];
    for (const name of await readdir(folder)) {
      if (name.startsWith(TEMPORARY) || (FLOOR_IDS as readonly string[]).includes(name)) continue;
      try {
        trials.push(JSON.parse(await readFile(join(folder, name, 'trial.json'), 'utf8')) as Trial);
      } catch {}
    }
    return trials.sort((a, b) => a.order - b.order);
  }
}
