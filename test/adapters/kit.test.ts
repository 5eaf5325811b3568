import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastWords } from '../../adapters/kit/failure.ts';
import { summarize } from '../../adapters/kit/figures.ts';
import { fingerprint, readMarker, writeMarker } from '../../adapters/kit/marker.ts';
import { prompt, prompts } from '../../adapters/kit/prompts.ts';
import { findPython, type PythonAnswer, pythonCandidates } from '../../adapters/kit/python.ts';
import { writeTokenizer } from '../../adapters/kit/tokenizer.ts';
import { whichAll } from '../../adapters/kit/which.ts';
import { cacheRoot, clientFolder } from '../../src/system/cache-folder.ts';

const scratch = () => mkdtemp(join(tmpdir(), 'tare-kit-'));

describe('cache folder', () => {
  it('goes by TARE_CACHE, then XDG_CACHE_HOME, then the home folder', () => {
    expect(cacheRoot({ TARE_CACHE: '/c', XDG_CACHE_HOME: '/x' })).toBe('/c');
    expect(clientFolder('k', { XDG_CACHE_HOME: '/x' })).toBe('/x/tare/k');
    expect(cacheRoot({ TARE_CACHE: '', XDG_CACHE_HOME: '' })).toMatch(/\/\.cache\/tare$/);
  });
});

describe('marker', () => {
  it('is read back as written, and a half-written or foreign one is none', async () => {
    const folder = await scratch();
    expect(await readMarker(folder)).toBeNull();
    const marker = {
      client: 'a',
      version: '1',
      python: '3.12.1',
      pins: fingerprint('x==1'),
      finished_at: 'now',
    };
    await writeMarker(folder, marker);
    expect(await readMarker(folder)).toEqual(marker);
    await writeFile(join(folder, 'tare-setup.json'), JSON.stringify(marker).slice(0, 30));
    expect(await readMarker(folder)).toBeNull();
    await writeFile(join(folder, 'tare-setup.json'), '{"client":"a"}');
    expect(await readMarker(folder)).toBeNull();
  });
});

describe('whichAll', () => {
  it('passes over folders, files that are not executable, and empty parts of PATH', async () => {
    const [one, two, three] = [await scratch(), await scratch(), await scratch()];
    await mkdir(join(one, 'prog'));
    await writeFile(join(two, 'prog'), 'x');
    await writeFile(join(three, 'prog'), 'x');
    await chmod(join(three, 'prog'), 0o755);
    expect(await whichAll('prog', `${one}::${two}:/nonexistent:${three}`)).toEqual([join(three, 'prog')]);
  });
});

describe('findPython', () => {
  const range = { from: [3, 10], to: [3, 12] } as const;
  const answers: Record<string, PythonAnswer> = {
    shim: { ok: false, reason: 'pyenv: python3.12: command not found' },
    old: { ok: true, executable: '/o', version: '3.9.2', venv: true },
    new: { ok: true, executable: '/n', version: '3.13.0', venv: true },
    bare: { ok: true, executable: '/b', version: '3.11.2', venv: false },
    good: { ok: true, executable: '/g/python3.10', version: '3.10.13', venv: true },
  };
  const ask = async (command: string) => answers[command]!;

  it('takes the first that runs, is in range and has venv, by its own path', async () => {
    const found = await findPython(range, ['shim', 'old', 'new', 'bare', 'good'], ask);
    expect(found).toEqual({ executable: '/g/python3.10', version: '3.10.13' });
  });

  it('names every candidate with its fault and what to do', async () => {
    const error: Error = await findPython(range, ['shim', 'old', 'new', 'bare'], ask).catch((e) => e);
    expect(error.name).toBe('UserError');
    expect(error.message).toContain('no Python 3.10 to 3.12');
    expect(error.message).toContain('shim: pyenv: python3.12: command not found');
    expect(error.message).toContain('old: is 3.9.2; new: is 3.13.0');
    expect(error.message).toContain('bare: 3.11.2 without venv (Debian: apt install python3-venv)');
    expect(error.message).toContain('$TARE_PYTHON');
  });

  it('says so when there is none at all', async () => {
    await expect(findPython(range, [])).rejects.toThrow('there is none on PATH');
  });

  it('asks real programs: one that is missing, one that fails, one that talks nonsense', async () => {
    const folder = await scratch();
    const script = async (name: string, text: string) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(folder, name), 0o755);
      return join(folder, name);
    };
    const fails = await script('fails', 'echo "no such version" >&2; exit 127');
    const babbles = await script('babbles', 'echo hello');
    const error: Error = await findPython(range, [join(folder, 'none'), fails, babbles]).catch((e) => e);
    expect(error.message).toMatch(/none: .*ENOENT/);
    expect(error.message).toContain('fails: no such version');
    expect(error.message).toContain('babbles: it answered "hello"');
  });

  it('looks at nothing but TARE_PYTHON when that is set', async () => {
    expect(await pythonCandidates({ TARE_PYTHON: '/my/python', PATH: '/usr/bin' })).toEqual(['/my/python']);
  });
});

describe('summarize', () => {
  it('converts units and tells absent figures from zeros', () => {
    expect(summarize({ n: 3, mean: 0.05, p50: 0, p90: 0.1, p99: 0.2 }, 's', 'x')).toEqual({
      n: 3,
      mean_ms: 50,
      p50_ms: 0,
      p90_ms: 100,
      p99_ms: 200,
    });
    expect(summarize({ mean: 5e6, p99: Number.NaN }, 'ns', 'it prints no percentiles')).toEqual({
      n: null,
      mean_ms: 5,
      p50_ms: null,
      p90_ms: null,
      p99_ms: null,
      absent: 'it prints no percentiles',
    });
    expect(summarize(undefined, 'ms', 'none').absent).toBe('none');
  });
});

describe('prompts and tokenizer', () => {
  it('a prompt is exactly as long as asked, the same for a seed, another for another index', () => {
    for (const tokens of [1, 4, 32, 5000]) expect(prompt(1, 0, tokens).split(' ')).toHaveLength(tokens);
    expect(prompt(7, 3, 20)).toBe(prompt(7, 3, 20));
    expect(prompt(7, 3, 20)).not.toBe(prompt(7, 4, 20));
    expect(prompt(7, 3, 20)).not.toBe(prompt(8, 3, 20));
    expect(prompts(1, 0, 4)).toHaveLength(1);
    expect(prompts(1, 50_000, 4)).toHaveLength(1000);
  });

  it('knows every word of the prompts and of the answers, each by its own number', async () => {
    const folder = await writeTokenizer(join(await scratch(), 'tok'), ['extra', 'tok']);
    const { model, pre_tokenizer, post_processor } = JSON.parse(
      await readFile(join(folder, 'tokenizer.json'), 'utf8'),
    );
    expect(pre_tokenizer.type).toBe('WhitespaceSplit');
    expect(post_processor).toBeNull();
    for (const word of [...prompt(1, 0, 500).split(' '), 'tok', 'extra'])
      expect(model.vocab).toHaveProperty(word);
    const ids = Object.values(model.vocab);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')).model_type).toBe('llama');
  });
});

describe('lastWords', () => {
  it('is the last line that says something, without the frame around it', async () => {
    const file = join(await scratch(), 'out.txt');
    await writeFile(file, 'first\r\n╭── Error ──╮\n│ no such model │\n╰──────────╯\n\n');
    expect(await lastWords(file)).toBe('no such model');
    await writeFile(file, '──\n \n');
    expect(await lastWords(file)).toBeNull();
    expect(await lastWords('/nonexistent')).toBeNull();
    await writeFile(file, 'x'.repeat(5000));
    expect(await lastWords(file)).toHaveLength(300);
  });
});
