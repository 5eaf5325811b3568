/** Whole audits of fake clients against the real target: failures are outcomes, nothing is lost, nothing is left. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Adapter, Found, Parsed } from '../../adapters/contract.ts';
import { factsOf, TARE } from '../../adapters/tare/facts.ts';
import { type AuditInput, runAudit } from '../../src/audit/audit.ts';
import type { AuditDocument, AuditPlan, Floor } from '../../src/audit/document.ts';
import { ResultsFolder } from '../../src/audit/results.ts';
import { absent, METRICS, STATISTICS } from '../../src/measure/metrics.ts';
import { summarize } from '../../src/measure/quantile.ts';
import { readHost } from '../../src/system/host.ts';
import { liveCount } from '../../src/system/live-groups.ts';
import { packageRoot } from '../../src/system/package-root.ts';
import { processGroupLauncher } from '../../src/system/process-group.ts';
import { REFERENCE_TARGET } from '../reports/sample.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'tare-audit-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const found: Found = { state: 'found', version: '1', path: '', origin: 'a test', notes: [], handle: {} };
const none = absent('the fake does not measure it');

async function parse(dir: string): Promise<Parsed> {
  let result: { completed: number; failed: number; ttft_ms: number[]; e2e_ms: number[] };
  try {
    result = JSON.parse(await readFile(join(dir, 'result.json'), 'utf8'));
  } catch (error) {
    return { state: 'unparsable', reason: `no result: ${(error as Error).message}` };
  }
  const { completed, failed } = result;
  return {
    state: 'parsed',
    report: {
      metrics: {
        ttft: summarize(result.ttft_ms, 'none'),
        e2e: summarize(result.e2e_ms, 'none'),
        itl: none,
        tpot: none,
        ntpot: none,
      },
      achievedRps: null,
      durationS: null,
      completed,
      failed,
      outputTokens: null,
      dropped: null,
      records: null,
      notes: [],
    },
  };
}

const fake = (name: string): Adapter => ({
  name,
  title: name,
  facts: { ...factsOf(TARE), startupS: 0.1, teardownS: 0 },
  find: async () => found,
  prepare: async ({ url, model, dir, workload }) => ({
    argv: [
      process.execPath,
      join(packageRoot, 'test/clients', `${name}.mjs`),
      ...['--url', url, '--model', model, '--requests', String(workload.requests)],
      ...['--result', join(dir, 'result.json')],
    ],
    cwd: dir,
  }),
  parse: (request) => parse(request.dir),
});

async function input(names: readonly string[], change: Partial<AuditInput> = {}): Promise<AuditInput> {
  const plan: AuditPlan = {
    target: REFERENCE_TARGET,
    clients: names,
    rates_rps: [50],
    repetitions: 1,
    duration_s: 0.2,
    arrivals: 'constant',
    arrivals_otherwise: {},
    latency: 'zero',
    prompt_tokens: 1,
    output_tokens: 4,
    seed: 1,
    workers: null,
    target_cpus: null,
    client_cpus: null,
    pinning_note: 'not pinned in a test',
    estimated_s: 1,
  };
  const adapters = new Map(names.map((name) => [name, fake(name)]));
  return {
    version: 'test',
    startedAt: '2026-01-01T00:00:00.000Z',
    plan,
    host: await readHost(),
    clients: [...adapters.values()].map(({ name, title, facts }) => ({ name, title, facts, found })),
    adapters,
    floorAdapter: fake('honest'),
    folder: await ResultsFolder.create(join(base, 'out')),
    launcher: processGroupLauncher,
    signal: new AbortController().signal,
    done: [],
    floor: null,
    warnings: [],
    onEvent() {},
    ...change,
  };
}

const saved = async (): Promise<AuditDocument> =>
  JSON.parse(await readFile(join(base, 'out', 'audit.json'), 'utf8')) as AuditDocument;
const kinds = (document: AuditDocument) =>
  Object.fromEntries(document.trials.map((trial) => [trial.client, trial.outcome.kind]));

describe('an audit of clients that fail', () => {
  it('keeps every ending apart, and the good client’s figures', async () => {
    const document = await runAudit(await input(['honest', 'no-result', 'half-json', 'segfaults', 'fails']));
    expect(kinds(document)).toMatchObject({
      'no-result': 'unparsable',
      'half-json': 'unparsable',
      segfaults: 'clientFailed',
    });
    const honest = document.trials.find((trial) => trial.client === 'honest')!;
    expect(honest.truth?.outcomes).toEqual({ complete: 10 });
    expect(honest.bias.length).toBe(20);
    // The floor's trial is kept beside the others, and is none of them.
    expect(document.trials.map((trial) => trial.id)).not.toContain('floor');
    // A busy machine may have no plausible floor; then the audit says so.
    expect(document.floor === null).toBe(document.warnings.some(({ code }) => code === 'no-floor'));
    expect((document.floor ?? document).machine).toMatchObject({ elapsed_ms: expect.any(Number) });
    expect(await readdir(join(base, 'out/trials'))).toContain('floor');
    expect(document.state).toBe('finished');
    expect(await saved()).toEqual(JSON.parse(JSON.stringify(document)));
    expect((await readdir(join(base, 'out/trials'))).filter((name) => name.startsWith('.tmp'))).toEqual([]);
    expect(liveCount()).toBe(0);
  }, 60_000);

  it('ends a client that never ends, at its deadline, and says so', async () => {
    const document = await runAudit(await input(['hangs'], { deadlineS: 2, floor: noFloor }));
    expect(document.trials[0]!.outcome).toMatchObject({ kind: 'timedOut' });
    expect(document.trials[0]!.truth?.requests).toBe(10);
    expect(liveCount()).toBe(0);
  }, 60_000);
});

/** A floor that is there already, so that none is measured. */
const noFloor: Floor = {
  how: 'given',
  rate_rps: 1,
  requests: 1,
  floor_ms: Object.fromEntries(
    METRICS.map((metric) => [metric, Object.fromEntries(STATISTICS.map((name) => [name, 1]))]),
  ) as Floor['floor_ms'],
  clock_resolution_ns: 1,
};

describe('an audit that is cut short', () => {
  it('keeps what is finished, is interrupted, and goes on with the rest', async () => {
    const controller = new AbortController();
    const first = await input(['honest', 'hangs'], { signal: controller.signal, floor: noFloor });
    // Ctrl-C as soon as the one that never ends is running, wherever the order put it.
    const cut = await runAudit({
      ...first,
      launcher: {
        launch(spec) {
          const running = processGroupLauncher.launch(spec);
          if (spec.argv.some((word) => word.endsWith('hangs.mjs'))) controller.abort();
          return running;
        },
      },
    });
    expect(cut.state).toBe('interrupted');
    expect(cut.trials.map((trial) => trial.client)).not.toContain('hangs');
    expect(liveCount()).toBe(0);

    const folder = await ResultsFolder.open(join(base, 'out'));
    const started: string[] = [];
    expect((await folder.finished()).map((trial) => trial.id)).not.toContain('hangs-50rps-r1');
    const again = await runAudit({
      ...first,
      folder,
      done: await folder.finished(),
      signal: new AbortController().signal,
      deadlineS: 2,
      onEvent: (event) => event.kind === 'trialStart' && started.push(event.trial.client),
    });
    expect(again.state).toBe('finished');
    expect(again.trials).toHaveLength(2);
    expect(started).toEqual(
      cut.trials.length === 1 ? ['hangs'] : expect.arrayContaining(['hangs', 'honest']),
    );
  }, 60_000);
});
