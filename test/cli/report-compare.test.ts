import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerReport } from '../../src/cli/report.ts';
import { runProgram } from '../../src/cli/run.ts';
import { again, shifted } from '../audit/compare-audits/pair.ts';
import { sampleDocument } from '../reports/sample.ts';

const base = sampleDocument({ clients: ['asyncio'], rates: [100] });
const other = again(
  shifted(base, { client: 'asyncio', rate: 100, metric: 'ttft', statistic: 'p99', by: 40 }),
);

let dir: string;
const out: string[] = [];
const err: string[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tare-compare-'));
  for (const [name, document] of [
    ['a', base],
    ['b', other],
    ['compare', base],
    ['old', { ...base, schema: 'tare-audit/0' }],
  ] as const) {
    await mkdir(join(dir, name));
    await writeFile(join(dir, name, 'audit.json'), JSON.stringify(document));
  }
  out.length = 0;
  err.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = 0;
  await rm(dir, { recursive: true, force: true });
});

/** The exit code. */
async function run(...argv: string[]): Promise<unknown> {
  process.exitCode = 0;
  const program = new Command('tare');
  registerReport(program);
  await runProgram(program, ['node', 'tare', 'report', ...argv]);
  const code = process.exitCode;
  process.exitCode = 0;
  return code;
}
const at = (name: string) => join(dir, name);

describe('tare report compare', () => {
  it('exits with 3 for worse, 0 for no worse; JSON alone on stdout', async () => {
    expect(await run('compare', at('a'), at('b'), '--json')).toBe(3);
    const document = JSON.parse(out.join(''));
    expect(document).toMatchObject({ schema: 'tare-compare/1', counts: { worse: 1 } });
    expect(err).toEqual([]);
    out.length = 0;
    expect(await run('compare', at('b'), at('a'), '--plain')).toBe(0);
    expect(out).toEqual([]);
    expect(err.join('')).toMatch(/^asyncio: better at 100\/s: TTFT p99 -40\.0 ms/);
  });

  it('narrows to clients and figures, and writes its files into a folder that it makes', async () => {
    expect(
      await run('compare', at('a'), at('b'), '--figures', 'ttft_p99,cpu', '--out', at('made/here')),
    ).toBe(3);
    expect((await readdir(at('made/here'))).sort()).toEqual([
      'charts',
      'compare.csv',
      'compare.html',
      'compare.json',
      'compare.md',
    ]);
    expect(await run('compare', at('a'), at('b'), '--figures', 'cpu', '--client', 'asyncio')).toBe(0);
  }, 60_000);

  it.each([
    [
      ['compare'],
      /takes two results folders, A and B; to report on a folder that is called "compare", use: tare report \.\/compare/,
    ],
    [['compare', 'a'], /only "a" was given/],
    [['compare', 'a', 'nowhere'], /not a Tare results folder/],
    [['compare', 'a', 'old'], /another version of Tare \(schema tare-audit\/0/],
    [['compare', 'a', 'b', '--figures', 'ttft'], /--figures ttft: known are rate, success, ttft_mean/],
    [['compare', 'a', 'b', '--figures', ''], /--figures names no figure; known are rate/],
    [['compare', 'a', 'b', '--client', 'x'], /--client x: neither audit has it/],
    [['compare', 'a', 'b', '--map', 'asyncio'], /it must be old=new/],
    [['compare', 'a', 'b', '--map', 'asyncio=x'], /B has no client x/],
    [
      ['compare', 'a', 'b', '--map', 'asyncio=asyncio', '--map', 'k6=asyncio'],
      /two clients are mapped to "asyncio"/,
    ],
  ])('%j is a usage error with the way out', async (argv, words) => {
    const real = argv.map((word) =>
      ['a', 'b', 'old', 'nowhere'].includes(word) && word !== 'a' ? at(word) : word,
    );
    // The second folder is read after the first, so that one has to be there.
    expect(await run(...(argv.length > 2 ? real.map((word) => (word === 'a' ? at('a') : word)) : real))).toBe(
      2,
    );
    expect(err.join('')).toMatch(words);
    expect(out).toEqual([]);
  });
});

describe('tare report', () => {
  it('still reports on one folder, also on one that is called "compare"', async () => {
    const before = process.cwd();
    process.chdir(dir);
    try {
      expect(await run('./compare', '--json')).toBe(0);
    } finally {
      process.chdir(before);
    }
    expect(JSON.parse(out.join(''))).toMatchObject({ schema: 'tare-report/1', dir: './compare' });
  }, 60_000);
});
