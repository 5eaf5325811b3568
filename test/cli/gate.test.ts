import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { parseGateDocument } from '../../src/audit/gate/document-schema.ts';
import { registerGate } from '../../src/cli/gate.ts';
import { gateOutputs } from '../../src/cli/gate-outputs.ts';
import { entry, packageRoot } from '../../src/system/package-root.ts';
import { sampleRun, steady } from '../reports/load-sample.ts';

const tare = (args: readonly string[], env: Record<string, string> = {}) =>
  execa(process.execPath, [entry('src/cli/main.js'), 'gate', ...args], {
    reject: false,
    env: { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...env },
  });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-gate-test-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the command', () => {
  it.each([
    [[], 'a gate needs to know whom to judge'],
    [['--client', 'tare'], 'a gate needs a rate'],
    [['--client', 'nobody', '--rate', '20'], 'no client "nobody"'],
    [
      ['--client', 'tare', '--rate', '20', '--budget', '5s'],
      'is not enough: the floor and 3 repetitions of 2 s',
    ],
    [['--client', 'tare', '--rate', '20', '--tolerance', 'ttft=1ms'], '"ttft" is no figure'],
    [['--client', 'tare', '--rate', '20', '--against', 'tare'], 'is a client that is judged, too'],
    [['--client', 'tare', '--rate', '20', '--allow', 'rate=1%'], 'give --baseline or --against with it'],
    [['--client', 'tare', '--rate', '20', '--baseline', '/nowhere'], '--baseline /nowhere is not there'],
    [['--client', 'asyncio', '--rate', '20', '--fault', 'burn'], "--fault is for Tare's own client"],
    [['--client', 'tare', '--rate', '20', '--fault', 'no'], 'no fault "no"'],
    [['--load', '/nowhere.json'], '/nowhere.json'],
    [['--load', 'x', '--client', 'tare'], '--client is for clients that are run'],
    [['--load', 'x', '--slo', 'ttft=1ms'], 'no figure of a load run'],
    [['--load', 'x', '--seed', '1'], '--seed is for clients that are run'],
    [['--load', 'x', '--no-pin'], '--no-pin is for clients that are run'],
    [['--load', 'x', '--other-host'], '--other-host is for clients that are run'],
    [['--client', 'tare', '--rate', '20', '--slo', 'ttft_p50=1ms'], 'give --load FILE with it'],
    [['--client', 'tare', '--rate', '20', '--baseline-optional'], 'give --baseline PATH with it'],
    [['--client', 'tare', '--rate', '20', '--junit', '/proc/nope/x.xml'], 'Choose another file with --junit'],
    [['--client', 'tare', '--rate', '20', '--junit', '/tmp'], 'it is a folder'],
  ])('%j is refused: usage', async (args, words) => {
    const { exitCode, stderr, stdout } = await tare(args);
    expect(stderr).toContain(words);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it('a client that is not here is named with its remedy, and nothing runs', async () => {
    const file = join(dir, 'mine.yaml');
    const example = readFileSync(join(packageRoot, 'docs/examples/bench.yaml'), 'utf8');
    writeFileSync(file, example.replace('program: node', 'program: no-such-program\nremedy: fetch it'));
    const { exitCode, stderr } = await tare(['--client', file, '--rate', '20']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('bench cannot run here');
    expect(stderr).toContain('To mend it: fetch it');
  });

  it('runs real repetitions, and leaves JSON, JUnit, a folder and a summary', async () => {
    // So generous that no busy machine fails it: what is tried here is the wiring.
    const out = join(dir, 'out');
    const summary = join(dir, 'summary.md');
    writeFileSync(summary, 'before\n');
    const { exitCode, stdout, stderr } = await tare(
      [
        ...['--client', 'tare', '--rate', '20', '--tolerance', 'rate=90%', '--duration', '0.3s', '--no-pin'],
        ...['--out', out, '--junit', join(dir, 'gate.xml'), '--json', '--budget', '90s'],
      ],
      { GITHUB_STEP_SUMMARY: summary, GITHUB_ACTIONS: 'true' },
    );
    const document = parseGateDocument(JSON.parse(stdout));
    // Where the machine stalls a repetition may be left out: whatever came of it, all outputs agree.
    expect(exitCode).toBe(document.exit_code);
    expect(document.trials.length).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(join(out, 'gate.json'), 'utf8'))).toEqual(document);
    expect(readdirSync(join(out, 'trials')).sort()).toEqual(document.trials.map(({ id }) => id).sort());
    expect(existsSync(join(out, 'audit.json'))).toBe(true);
    expect(readFileSync(join(dir, 'gate.xml'), 'utf8')).toContain('<testsuite name="tare at 20/s"');
    expect(readFileSync(summary, 'utf8')).toMatch(/^before\n### gate /);
    expect(stderr).toContain('gate ');
  }, 240_000);

  it('judges a stored load run', async () => {
    const file = join(dir, 'run.json');
    const { report } = sampleRun(steady(500));
    writeFileSync(file, JSON.stringify({ ...report, warnings: [], trusted: true }));
    const good = await tare(['--load', file, '--slo', 'ttft_p99=200ms', '--json']);
    expect([good.exitCode, JSON.parse(good.stdout).verdict]).toEqual([0, 'pass']);
    const bad = await tare(['--load', file, '--slo', 'ttft_p99=2ms', '--junit', join(dir, 'x.xml')]);
    expect([bad.exitCode, bad.stdout]).toEqual([3, '']);
    expect(readFileSync(join(dir, 'x.xml'), 'utf8')).toContain('<failure');
    const same = await tare(['--load', file, '--junit', file]);
    expect(same.exitCode).toBe(2);
  });
});

describe('outputs', () => {
  it('a summary file that cannot be written changes no verdict', async () => {
    const run = sampleRun(steady(400)).report;
    const { stdout } = await tare(['--load', await write(run), '--json']);
    const document = parseGateDocument(JSON.parse(stdout));
    const before = process.exitCode;
    await gateOutputs(document, { json: false }, { GITHUB_STEP_SUMMARY: join(dir, 'no/such/folder/x') });
    expect(process.exitCode).toBe(document.exit_code);
    process.exitCode = before;
  });
  const write = async (report: unknown) => {
    const file = join(dir, 'report.json');
    writeFileSync(file, JSON.stringify(report));
    return file;
  };
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly name?: string;
}
interface Workflow {
  readonly name: string;
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly 'runs-on': string; 'timeout-minutes': number; steps: Step[] }>
  >;
}

describe('the example for GitHub Actions', () => {
  const text = readFileSync(join(packageRoot, 'examples/ci/github-actions.yml'), 'utf8');
  const workflow = parse(text) as Workflow;
  const { steps } = workflow.jobs.gate!;

  it('is YAML without a warning, with the keys that a workflow has', () => {
    const document = parseDocument(text);
    expect([document.errors, document.warnings]).toEqual([[], []]);
    expect(Object.keys(workflow).sort()).toEqual(['env', 'jobs', 'name', 'on', 'permissions']);
    expect(Object.keys(workflow.jobs.gate!).sort()).toEqual(['runs-on', 'steps', 'timeout-minutes']);
    for (const step of steps) {
      const keys = Object.keys(step);
      expect(keys.filter((key) => !['id', 'name', 'if', 'uses', 'run', 'with', 'env'].includes(key))).toEqual(
        [],
      );
      expect(keys.includes('uses')).not.toBe(keys.includes('run'));
    }
  });

  it('has actions by their major version alone', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(3);
    for (const one of used) expect(one).toMatch(/^actions\/[\w-]+(\/[\w-]+)?@v\d+$/);
  });

  it('keeps a baseline of its own for each CPU model, and does not move it on', () => {
    const keys = steps.flatMap((step) => (typeof step.with?.key === 'string' ? [step.with.key] : []));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toContain('steps.machine.outputs.cpu');
    expect(keys[0]).not.toContain('run_id');
  });

  it('refers to steps that there are', () => {
    const ids = steps.flatMap(({ id }) => id ?? []);
    for (const [, id] of text.matchAll(/steps\.(\w+)\./g)) expect(ids).toContain(id);
  });

  const commands = steps
    .flatMap(({ run }) => run?.split('\n') ?? [])
    .filter((line) => line.includes('dist/src/cli/main.js'));

  it.each(commands)('%s is understood', async (line) => {
    const [node, main, command, ...args] = line.trim().split(/\s+/);
    expect([node, main, command]).toEqual(['node', 'dist/src/cli/main.js', 'gate']);
    const program = new Command().exitOverride();
    registerGate(program);
    let seen: Record<string, unknown> | null = null;
    const gate = program.commands[0]!;
    gate.exitOverride().configureOutput({ writeErr: () => {} });
    gate.action((flags) => {
      seen = flags;
    });
    await program.parseAsync(['gate', ...args], { from: 'user' });
    expect(seen).toMatchObject({ client: ['tare'], rate: [200] });
    // Up to where it would run: there is no baseline, as at the first run.
    const { exitCode, stderr } = await tare([...args, '--dry-run']);
    expect([exitCode, stderr.includes('Nothing was sent.')]).toEqual([0, true]);
  });
});
