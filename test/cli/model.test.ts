import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportFiles } from '../../reports/write.ts';
import { parseModelDocument } from '../../src/audit/model/document-schema.ts';
import { registerCorrect } from '../../src/cli/correct.ts';
import { registerModel } from '../../src/cli/model.ts';
import { simulatedAudit } from '../audit/model/simulated.ts';

const audit = simulatedAudit({
  loop: { tokenMs: () => 0.0625, baseMs: 0.4 },
  rates: [100, 200, 400, 600, 800, 900, 1500],
  durationS: 15,
});

let dir: string;
const out: string[] = [];
const err: string[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tare-model-'));
  await writeFile(join(dir, 'audit.json'), JSON.stringify(audit));
});
afterAll(() => rm(dir, { recursive: true, force: true }));
beforeEach(() => {
  out.length = 0;
  err.length = 0;
  process.exitCode = undefined;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

async function run(...argv: string[]): Promise<void> {
  const program = new Command('tare').exitOverride();
  registerModel(program);
  registerCorrect(program);
  await program.parseAsync(['node', 'tare', ...argv]);
}

describe('tare model', () => {
  it('tells in prose on stderr: model, parameters, rates, residuals, growth with its duration', async () => {
    await run('model', dir);
    const text = err.join('');
    expect(out).toEqual([]);
    expect(text).toMatch(/asyncio: M\/G\/1, held-out error \d/);
    expect(text).toMatch(/service rate μ of a loop, requests\/s +│ (9[789]\d|1,0[012]\d) \[/);
    expect(text).toContain('The curve and CPU time agree');
    expect(text).toMatch(/│ TTFT +│ 900 +│/);
    expect(text).toMatch(/At 1,500\/s it is beyond .* in each second of answers.* without its duration/);
    expect(process.exitCode).toBe(0);
  });

  it('--json is one document of its schema, the same again, and --out the same text', async () => {
    const file = join(dir, 'model.json');
    await run('model', dir, '--json', '--out', file);
    const first = out.join('');
    expect(parseModelDocument(JSON.parse(first)).clients[0]!.chosen).toBe('mg1');
    expect(await readFile(file, 'utf8')).toBe(first);
    out.length = 0;
    await run('model', dir, '--json');
    expect(out.join('')).toBe(first);
  });

  it('--hold-out leaves rates out of the fit and predicts them', async () => {
    await run('model', dir, '--hold-out', '200,800', '--json');
    const document = parseModelDocument(JSON.parse(out.join('')));
    const out_of = document.clients[0]!.models[0]!.residuals.filter((one) => one.held_out);
    expect([...new Set(out_of.map((one) => one.asked_rps))]).toEqual([200, 800]);
    expect(document.held_out_rps).toEqual([200, 800]);
    expect(err.join('')).toContain('Left out of the fit and predicted by it: 200/s and 800/s.');
  });

  it('names a client, a rate or a folder that it does not have', async () => {
    await expect(run('model', dir, '--client', 'nobody')).rejects.toThrow(
      /has no client nobody; it has asyncio/,
    );
    await expect(run('model', dir, '--hold-out', '300')).rejects.toThrow(
      /was not run at that rate; it has 100, 200/,
    );
    await expect(run('model', join(dir, 'none'))).rejects.toThrow(/not a Tare results folder/);
  });

  it('refuses to hold out a rate that no fit has', async () => {
    await expect(run('model', dir, '--hold-out', '200,1500')).rejects.toThrow(
      /--hold-out 1500: no client has a steady rate .* Hold out of 100, 200, 400, 600, 800 and 900/,
    );
    expect(out).toEqual([]);
  });

  it('ends with 4 where nothing can be said, and says why', async () => {
    const other = await mkdtemp(join(tmpdir(), 'tare-model-'));
    const constant = audit.trials.map((trial) => ({
      ...trial,
      workload: { ...trial.workload, arrivals: { kind: 'constant' } },
    }));
    await writeFile(join(other, 'audit.json'), JSON.stringify({ ...audit, trials: constant }));
    await run('model', other);
    expect(process.exitCode).toBe(4);
    expect(err.join('')).toMatch(/asyncio: no model\. Its arrivals are constant/);
    await rm(other, { recursive: true });
  });
});

describe('tare correct', () => {
  const correct = (...argv: string[]) => run('correct', '--client', 'asyncio', '--from', dir, ...argv);

  it('gives intervals, in prose and as JSON', async () => {
    await correct('--rate', '500', '--figure', 'e2e_mean=12ms', '--figure', 'ttft_p99=35ms', '--json');
    const document = JSON.parse(out.join(''));
    expect(document).toMatchObject({ schema: 'tare-correct/1', rate_rps: 500 });
    expect(document.figures[0].low_ms).toBeGreaterThan(9.5);
    expect(document.figures[0].high_ms).toBeLessThan(10.5);
    expect(err.join('')).toMatch(/E2E mean, reported 12\.0 ms: the server’s own was .* ms/);
    expect(process.exitCode).toBe(0);
  });

  it('ends with 4 where it refuses', async () => {
    await correct('--rate', '1500', '--figure', 'e2e_mean=12ms');
    expect(err.join('')).toMatch(/E2E mean, reported 12\.0 ms: refused\. .*beyond the rates/);
    expect(process.exitCode).toBe(4);
  });

  it('refuses two values of one figure, and takes the same one twice as once', async () => {
    await expect(
      correct('--rate', '500', '--figure', 'ttft_p99=35ms', '--figure', 'ttft_p99.0=36ms'),
    ).rejects.toThrow(/ttft_p99\.0 is given twice, with 35 and 36 ms/);
    await correct('--rate', '500', '--figure', 'ttft_p99=35ms,ttft_p99=0.035s', '--json');
    expect(JSON.parse(out.join('')).figures).toHaveLength(1);
  });

  it('says what a figure looks like', async () => {
    await expect(correct('--rate', '500', '--figure', 'ttft=1ms')).rejects.toThrow(/ttft_p99=35ms/);
  });
});

describe('the reports of that folder', () => {
  it('hold chart and section of the model, and are the same bytes from the same document', async () => {
    const files = await reportFiles(audit);
    const page = String(files.find(({ path }) => path === 'report.html')!.content);
    expect(page).toContain('id="models"');
    expect(files.map(({ path }) => path)).toContain('charts/bias-ttft-mean.svg');
    const again = await reportFiles(structuredClone(audit));
    for (const [i, file] of files.entries()) expect(again[i]!.content).toEqual(file.content);
  });
});
