import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { findPython } from '../../adapters/kit/python.ts';
import { asset } from '../../src/system/package-root.ts';

const scratch = () => mkdtemp(join(tmpdir(), 'tare-wheel-'));
const python = await findPython({ from: [3, 9], to: [3, 99] }).catch(() => null);

/** Writes a wheel with the given files, and digests in its RECORD of what they ought to hold. */
const MAKE = `
import base64, hashlib, json, sys, zipfile
path, files, recorded = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
digest = lambda text: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()
with zipfile.ZipFile(path, 'w') as wheel:
    for name, text in files.items():
        info = zipfile.ZipInfo(name)
        info.external_attr = (0o100755 if name.endswith('.so') else 0o100644) << 16
        wheel.writestr(info, text)
    lines = ''.join(f'{name},sha256={digest(text)},{len(text)}\\n' for name, text in {**files, **recorded}.items())
    wheel.writestr('p-1.dist-info/RECORD', lines)
`;

describe.skipIf(python === null)('unpack_wheel.py (needs a Python)', () => {
  const files = {
    'p/__init__.py': 'import torch',
    'p/bench/a.py': 'a = 1',
    'p/rust/_bench.cpython-311.so': 'elf',
    'p/data.bin': 'big',
    'p-1.dist-info/METADATA': 'Name: p',
  };
  async function unpack(recorded: object, patterns: readonly string[], more: object = {}) {
    const folder = await scratch();
    const wheel = join(folder, 'p-1-py3-none-any.whl');
    await execa(python!.executable, [
      '-c',
      MAKE,
      wheel,
      JSON.stringify({ ...files, ...more }),
      JSON.stringify(recorded),
    ]);
    const target = join(folder, 'out');
    const script = asset('adapters/kit/unpack_wheel.py');
    const run = await execa(python!.executable, [script, wheel, target, ...patterns], { reject: false });
    return { run, target };
  }

  it('takes what the patterns name, and METADATA, and keeps a file executable', async () => {
    const { run, target } = await unpack({}, ['p/bench/*.py', 'p/rust/_bench*.so']);
    expect(run.stdout).toBe('3 files');
    expect(await readdir(join(target, 'p'))).toEqual(['bench', 'rust']);
    expect(await readFile(join(target, 'p/bench/a.py'), 'utf8')).toBe('a = 1');
    expect((await stat(join(target, 'p/rust/_bench.cpython-311.so'))).mode & 0o777).toBe(0o755);
  });

  it('ends at a file that is not what RECORD says, and at one that would leave the folder', async () => {
    const forged = await unpack({ 'p/bench/a.py': 'a = 2' }, ['p/bench/*']);
    expect(forged.run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('does not match') });
    const outside = await unpack({}, ['*'], { '../evil.py': 'x' });
    expect(outside.run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('leave the folder') });
  });
});
