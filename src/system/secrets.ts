/** Keeps what a client took from the user's own environment out of all that Tare shows and keeps. */
import { copyFile, open, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { explainFileError } from './disk.ts';

/** A shorter value is no secret: masking "on" or "8000" wherever it stands would corrupt figures. */
export const SHORTEST_SECRET = 6;

const MASK = '***';
const CHUNK = 1 << 20;
/** What may follow where a message was cut off. */
const CUT_AT = new Set([')', '"', "'", '…', undefined]);

/** A value as it may stand in output: as it is, within a JSON string, percent-encoded, in base64. */
export function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

/** Every file in or at a path, and every folder after what is in it. Links are not followed. */
async function* inside(path: string): AsyncGenerator<{ path: string; file: boolean }> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const one = join(path, entry.name);
    if (entry.isDirectory()) yield* inside(one);
    yield { path: one, file: entry.isFile() };
  }
}

/** Length of the longest beginning of `secret` that a text ends with; 0 where it would be too short to tell. */
function endsWithBeginning(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST_SECRET; length--)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

export class Secrets {
  /** Longest first, so that a secret within another does not leave the rest of it. */
  private known: string[] = [];
  /** What could not be masked in files, in words. */
  readonly unmasked: string[] = [];

  constructor(values: readonly string[] = []) {
    this.add(values);
  }

  add(values: readonly string[]): void {
    const long = values.filter((value) => value.length >= SHORTEST_SECRET).flatMap(spellings);
    this.known = [...new Set([...this.known, ...long])].toSorted((a, b) => b.length - a.length);
  }

  /** A text without them, nor the beginning of one that was cut off. */
  text(text: string): string {
    let shown = text;
    for (const secret of this.known) shown = shown.replaceAll(secret, MASK);
    for (const secret of this.known)
      for (let at = shown.length; at >= SHORTEST_SECRET; at--) {
        if (!CUT_AT.has(shown[at])) continue;
        const length = endsWithBeginning(shown.slice(Math.max(0, at - secret.length), at), secret);
        if (length > 0) shown = `${shown.slice(0, at - length)}${MASK}${shown.slice(at)}`;
      }
    return shown;
  }

  /** The same for every text in plain data; its keys stay. */
  data<T>(value: T): T {
    if (this.known.length === 0) return value;
    if (typeof value === 'string') return this.text(value) as T;
    if (Array.isArray(value)) return value.map((one) => this.data(one)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.data(one)])) as T;
  }

  /**
   * Replaces them in files, and in files within folders, by as many asterisks, byte by byte, so that a binary format stays what it is;
   * in file names too. What is not there is passed over.
   */
  async files(paths: readonly string[]): Promise<void> {
    if (this.known.length === 0) return;
    const attempt = async (path: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          this.unmasked.push(
            this.text(`a secret may still stand in a file of it: ${explainFileError(error, path, 'mask')}`),
          );
      }
    };
    for (const root of paths)
      await attempt(root, async () => {
        if (!(await stat(root)).isDirectory()) return this.file(root);
        for await (const { path, file } of inside(root)) {
          if (file) await attempt(path, () => this.file(path));
          const name = this.text(basename(path));
          if (name !== basename(path)) await attempt(path, () => rename(path, join(dirname(path), name)));
        }
      });
  }

  private async file(path: string): Promise<void> {
    const secrets = this.known.map((secret) => Buffer.from(secret));
    const overlap = Math.max(...secrets.map((secret) => secret.length)) - 1;
    let own = (await stat(path)).nlink === 1;
    const buffer = Buffer.alloc(CHUNK + overlap);
    let handle = await open(path, 'r');
    try {
      for (let from = 0; ; from += CHUNK) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
        if (bytesRead === 0) return;
        const part = buffer.subarray(0, bytesRead);
        if (!mask(part, secrets)) continue;
        // Another name of the file may be the user's: the masked one is a copy.
        if (!own) {
          await copyFile(path, `${path}.masked`);
          await rename(`${path}.masked`, path);
          own = true;
        }
        await handle.close();
        handle = await open(path, 'r+');
        await handle.write(part, 0, bytesRead, from);
      }
    } finally {
      await handle.close();
    }
  }
}

/** Overwrites every occurrence; whether there was one. */
function mask(part: Buffer, secrets: readonly Buffer[]): boolean {
  let found = false;
  for (const secret of secrets)
    for (let at = part.indexOf(secret); at !== -1; at = part.indexOf(secret, at + secret.length)) {
      part.fill('*', at, at + secret.length);
      found = true;
    }
  return found;
}
