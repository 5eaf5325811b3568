/** `tare profile` over real processes and sockets: one run behind the front, and what the command says when it is not to run. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import type { Found } from '../../adapters/contract.ts';
import { createTareAdapter } from '../../adapters/tare/adapter.ts';
import { TARE } from '../../adapters/tare/facts.ts';
import { planLayers } from '../../src/audit/profile/layers.ts';
import { runPoint } from '../../src/audit/profile/run.ts';
import { ResultsFolder } from '../../src/audit/results.ts';
import { overBudget, profileExitCode } from '../../src/cli/profile-run.ts';
import { cellOf } from '../../src/measure/profile/design.ts';
import { readHost } from '../../src/system/host.ts';
import { entry } from '../../src/system/package-root.ts';
import { processGroupLauncher } from '../../src/system/process-group.ts';
import { EXIT } from '../../src/system/user-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'tare-profile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a run of a profile', () => {
  it('is measured behind the front, with the certificate trusted and what was negotiated written down', async () => {
    const adapter = createTareAdapter({ ...TARE, pacing: 'block', rehearsal: '50ms' });
    const found = (await adapter.find()) as Found;
    const [layer] = planLayers(adapter.facts, ['tls']);
    const results = await ResultsFolder.create(join(folder, 'run'));
    const point = await runPoint(
      { adapter, found },
      {
        layer: layer!,
        cell: cellOf(4, 50),
        repetition: 1,
        order: 0,
        purpose: 'usual',
        rate: { rps: 40, limited: null },
        durationS: 2,
      },
      {
        launcher: processGroupLauncher,
        folder: results,
        host: await readHost(),
        cpus: { targetCpus: null, clientCpus: null, note: 'not pinned' },
        seed: 1,
        workers: 1,
        keepRuns: true,
        signal: new AbortController().signal,
      },
      () => null,
    );
    expect(point.why).toBeNull();
    const cost = point.cost!;
    expect(cost.busiest_us).toBeGreaterThan(10);
    expect(cost.group_us).toBeGreaterThanOrEqual(cost.busiest_us);
    expect(cost.delivered_tokens).toBe(4);
    // 50 words and what is around them.
    expect(cost.written.body_bytes).toBeGreaterThan(250);
    expect(cost.written.streamed_share).toBe(1);
    expect(cost.written.front!.requests).toEqual({ '1.1': expect.any(Number) });
    expect(Object.keys(cost.written.front!.connections)).toEqual(['TLSv1.3 http/1.1']);
    const kept = results.final(point.id);
    expect(existsSync(join(kept, 'ledger.arrow'))).toBe(true);
    expect(readFileSync(join(kept, 'front', 'ca.pem'), 'utf8')).toContain('BEGIN CERTIFICATE');
  }, 120_000);
});

describe('tare profile', () => {
  const tare = (...args: string[]) =>
    execa(process.execPath, [entry('src/cli/main.js'), ...args], { reject: false, cwd: folder });

  it('knows its layers and its clients', async () => {
    const layer = await tare('profile', '--layers', 'json,smoke');
    expect([layer.exitCode, layer.stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining('"smoke" is no layer'),
    ]);
    const client = await tare('profile', '--client', 'nobody');
    expect([client.exitCode, client.stderr]).toEqual([EXIT.usage, expect.stringContaining('nobody')]);
  });

  it('has no front but before a plain server of this machine', async () => {
    const front = await tare('front', '--upstream', 'http://192.0.2.1:80', '--dir', folder);
    expect([front.exitCode, front.stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining('no http URL of a loopback'),
    ]);
  });

  it('ends with 0, 4 or 5', () => {
    const layer = (state: string) => ({ layers: [{ state }] }) as unknown as { layers: [] };
    expect(profileExitCode([layer('measured'), layer('cannot')], true)).toBe(EXIT.fine);
    expect(profileExitCode([layer('measured')], false)).toBe(EXIT.undetermined);
    expect(profileExitCode([layer('measured'), layer('failed')], true)).toBe(EXIT.undetermined);
    expect(profileExitCode([layer('measured'), layer('interrupted')], true)).toBe(EXIT.undetermined);
    expect(profileExitCode([layer('failed')], true)).toBe(EXIT.harnessInvalid);
  });

  it('says before it starts where the budget cannot be kept, and what the least takes', () => {
    const adapter = createTareAdapter(TARE);
    const said = overBudget(adapter, { saturation: true, budgetTime: 60 });
    expect(said).toMatch(
      /--budget-time 60s cannot be kept: the smallest design of \d layers takes about \d+ min/,
    );
    expect(overBudget(adapter, { saturation: true, budgetTime: 3600 })).toBeNull();
    expect(overBudget(adapter, { layers: ['sse-token'], saturation: false, budgetTime: 10 })).toContain(
      'of 1 layer takes',
    );
  });
});
