/** Which version a Go program is, from the build information that the linker left in it: it has no --version. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const MODULE = 'github.com/llm-d/llm-d-inference-sim';

/** The module line `mod\t<path>\t<version>`, and the commit where the program was built in a checkout. */
export function versionIn(program: Buffer): string | null {
  const at = program.indexOf(`mod\t${MODULE}\t`);
  if (at < 0) return null;
  // The information is one run of text; 64 KiB hold it whole.
  const text = program.subarray(at, at + 65_536).toString('latin1');
  const version = /^mod\t[^\t\n]+\t([^\t\n]+)/.exec(text)![1]!;
  const revision = /\nbuild\tvcs\.revision=([0-9a-f]{7,40})/.exec(text)?.[1];
  if (version !== '(devel)') return version;
  return revision === undefined ? 'a development build' : `a development build of ${revision.slice(0, 12)}`;
}

/** The version of the program at `path`; where it says none (as its own Makefile builds it), what tells the file apart. */
export async function versionOf(path: string): Promise<string | null> {
  const program = await readFile(path).catch(() => null);
  if (program === null) return null;
  const digest = createHash('sha256').update(program).digest('hex');
  return versionIn(program) ?? `of no stated version (sha256 ${digest.slice(0, 16)})`;
}
