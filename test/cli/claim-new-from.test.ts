import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readClaim } from '../../src/claims/file/read.ts';
import { runClaimNew } from '../../src/cli/claim-new.ts';
import { sampleDocument } from '../reports/sample.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tare-claim-new-'));
  const document = sampleDocument({ clients: ['asyncio', 'tare-multi'], rates: [50, 100] });
  await writeFile(join(folder, 'audit.json'), JSON.stringify(document));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fresh = (name: string) => join(folder, name);

describe('tare claim new --from', () => {
  it('writes a claim that reads back, with the rates that were asked', async () => {
    const file = fresh('one.yaml');
    await runClaimNew(file, {
      from: folder,
      client: 'asyncio',
      rate: [100],
      percentiles: false,
      claimant: 'me',
    });
    const read = readClaim(await readFile(file, 'utf8'));
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    expect(read.claim).toMatchObject({ claimant: 'me', measurement: { client: { name: 'asyncio' } } });
    expect(read.claim.rows.map(({ rateRps }) => rateRps!.value)).toEqual([100, 100, 100]);
    expect(read.claim.rows[0]!.figures.map(({ id }) => id)).toContain('run-0.e2e_mean');
  });

  it('reads back as a sweep, all digits kept', async () => {
    const file = fresh('sweep.yaml');
    await runClaimNew(file, { from: folder, client: 'asyncio', percentiles: false });
    const read = readClaim(await readFile(file, 'utf8'));
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    expect(read.claim.rows.length).toBe(6);
    const figure = read.claim.rows[0]!.figures.find(({ metric }) => metric === 'e2e')!;
    expect(figure.quantity.half).toBeCloseTo(0.005, 12);
  });

  it('asks for a client where the audit has several, and for an audit where its flags stand alone', async () => {
    await expect(runClaimNew(undefined, { from: folder, percentiles: false })).rejects.toThrow('--client');
    await expect(runClaimNew(undefined, { client: 'asyncio', percentiles: false })).rejects.toThrow('--from');
    await expect(runClaimNew(undefined, { from: join(folder, 'none'), percentiles: false })).rejects.toThrow(
      'not a Tare results folder',
    );
  });

  it('leaves a file that exists as it is', async () => {
    const file = fresh('there.yaml');
    await writeFile(file, 'mine');
    await expect(runClaimNew(file, { from: folder, client: 'asyncio', percentiles: false })).rejects.toThrow(
      'was left as it is',
    );
    expect(await readFile(file, 'utf8')).toBe('mine');
  });
});
