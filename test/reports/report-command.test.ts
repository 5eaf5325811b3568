import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerReport } from '../../src/cli/report.ts';
import { sampleDocument } from './sample.ts';

let dir: string;
const out: string[] = [];
const err: string[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tare-report-'));
  await writeFile(
    join(dir, 'audit.json'),
    JSON.stringify(sampleDocument({ clients: ['asyncio'], rates: [100, 1600] })),
  );
  out.length = 0;
  err.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dir, { recursive: true, force: true });
});

async function run(...argv: string[]): Promise<void> {
  const program = new Command('tare').exitOverride();
  registerReport(program);
  await program.parseAsync(['node', 'tare', 'report', ...argv]);
}

describe('tare report', () => {
  it('prints one JSON document on stdout and nothing else there', async () => {
    await run(dir, '--json');
    const report = JSON.parse(out.join(''));
    expect(report.files).toContain('report.html');
    expect(report.verdicts).toMatchObject([
      { client: 'asyncio', verdict: 'bounded', holds_rps: 100, fails_rps: 1600 },
    ]);
    expect(err).toEqual([]);
  });

  it('tells a person in prose, on stderr only', async () => {
    await run(dir, '--plain');
    expect(out).toEqual([]);
    expect(err.join('')).toMatch(/asyncio: within .* up to 100\/s/);
    // Trials are none here: all that is there beside audit.json was written.
    const written = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    expect(written.length).toBeGreaterThan(20);
    expect(err.join('')).toContain(`report.html and ${written.length - 2} other files written.`);
  });
});
