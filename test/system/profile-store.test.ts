import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CostProfile } from '../../src/measure/cost.ts';
import { hostKey, readProfile, writeProfile } from '../../src/system/profile-store.ts';

const TARE_CACHE = mkdtempSync(join(tmpdir(), 'tare-profiles-'));
afterAll(() => rmSync(TARE_CACHE, { recursive: true, force: true }));
const env = { TARE_CACHE };
const host = hostKey({ cpu_model: 'Model', cores: 2, node: '20.20.2' });
const profile = (change: Partial<CostProfile> = {}): CostProfile => ({
  schema: 'tare-cost/1',
  client: 'x',
  client_version: '1',
  host,
  measured_at: '2026-01-01T00:00:00Z',
  loops: 1,
  startup_s: 1,
  teardown_s: 1,
  layers: [],
  ...change,
});

describe('profiles in the cache', () => {
  it('are read as they were written, by client', () => {
    const file = writeProfile(profile(), env);
    expect(file).toBe(join(TARE_CACHE, 'profiles', 'x.json'));
    expect(readProfile('x', host, env)).toEqual({ profile: profile() });
    expect(readProfile('y', host, env)).toMatchObject({
      profile: null,
      why: expect.stringContaining('no profile'),
    });
  });

  it('of another machine, core count, Node or version are none', () => {
    writeProfile(profile(), env);
    for (const other of [
      { cpu_model: 'Other', cores: 2, node: '20.20.2' },
      { cpu_model: 'Model', cores: 4, node: '20.20.2' },
      { cpu_model: 'Model', cores: 2, node: '22.0.0' },
    ])
      expect(readProfile('x', hostKey(other), env)).toMatchObject({
        profile: null,
        why: expect.stringContaining('another machine'),
      });
    writeProfile(profile({ schema: 'tare-cost/0' as never }), env);
    expect(readProfile('x', host, env)).toMatchObject({
      profile: null,
      why: expect.stringContaining('version'),
    });
  });

  it('that are damaged are none; a name of a folder above cannot be had', () => {
    writeFileSync(join(TARE_CACHE, 'profiles', 'x.json'), '{"schema":');
    expect(readProfile('x', host, env).profile).toBeNull();
    expect(writeProfile(profile({ client: '../../evil' }), env)).toBe(
      join(TARE_CACHE, 'profiles', '.._.._evil.json'),
    );
  });
});
