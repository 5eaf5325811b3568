import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchEnvironment } from '../../src/system/environment.ts';
import { Procfs } from '../../src/system/procfs.ts';
import { carriesMarker, MARKER_VARIABLE, markerValue, nextMarker } from '../../src/system/trial-marker.ts';

describe('the mark', () => {
  it('is another for every launch, and none is the beginning of another that counts as it', () => {
    const marks = Array.from({ length: 12 }, nextMarker);
    expect(new Set(marks).size).toBe(12);
    expect(carriesMarker(marks[10]!, marks[0]!)).toBe(false);
  });

  it('is kept beside that of a harness above', () => {
    const value = markerValue('inner.1', markerValue('outer.7', undefined));
    expect(carriesMarker(value, 'outer.7')).toBe(true);
    expect(carriesMarker(value, 'inner.1')).toBe(true);
    expect(carriesMarker(value, 'inner')).toBe(false);
    expect(carriesMarker(null, 'inner.1')).toBe(false);
  });

  it.each([
    ['first', `${MARKER_VARIABLE}=a.1\0HOME=/\0`],
    ['last, unterminated', `HOME=/\0${MARKER_VARIABLE}=a.1`],
    ['behind a name that ends alike', `NOT_${MARKER_VARIABLE}=b.2\0${MARKER_VARIABLE}=a.1\0`],
  ])('is found in an environment: %s', (_, environ) => {
    const root = mkdtempSync(join(tmpdir(), 'tare-environ-'));
    mkdirSync(join(root, '5'));
    writeFileSync(join(root, '5/environ'), environ);
    expect(new Procfs(root).environmentOf(5, MARKER_VARIABLE)).toBe('a.1');
    rmSync(root, { recursive: true });
  });
});

describe('the environment of a launched program', () => {
  it('is ours with the changes; the mark cannot be removed by them', () => {
    const environment = launchEnvironment({ B: null, C: 'new', [MARKER_VARIABLE]: null }, 'm.1', {
      A: '1',
      B: '2',
      [MARKER_VARIABLE]: 'outer.1',
      D: undefined,
    });
    expect(environment).toMatchObject({ A: '1', C: 'new', [MARKER_VARIABLE]: 'outer.1:m.1' });
    expect(environment).not.toHaveProperty('B');
    expect(environment).not.toHaveProperty('D');
  });

  it.each([
    [undefined, '127.0.0.1,localhost,::1'],
    ['', '127.0.0.1,localhost,::1'],
    ['corp.example,localhost', 'corp.example,localhost,127.0.0.1,::1'],
    ['*', '*'],
  ])('keeps a proxy from coming before loopback: no_proxy %j becomes %j', (before, after) => {
    expect(launchEnvironment({}, 'm.1', { no_proxy: before }).no_proxy).toBe(after);
  });

  it('lets a client that asks for it have its own no_proxy', () => {
    expect(launchEnvironment({ no_proxy: 'x' }, 'm.1', {}).no_proxy).toBe('x');
  });
});
