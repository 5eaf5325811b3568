/** Other ways to run a client: every one that an adapter says it can changes the command or its files as stated, and nothing else. */
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Adapter, Found, LaunchRequest, Variant } from '../../adapters/contract.ts';
import { VARIANTS } from '../../adapters/contract.ts';
import { allAdapters, findAdapter } from '../../adapters/registry.ts';
import { workloadOf } from './workload.ts';

const found: Found = {
  state: 'found',
  version: '1',
  path: '/opt/x',
  origin: 'a test',
  notes: [],
  handle: {
    node: 'node',
    main: 'main.js',
    python: 'python3',
    script: 'benchmark.py',
    program: '/opt/x',
    path: '/opt/x',
    module: 'x',
  },
};

/** The command and every file of its folder, as one text, without the folder's name. */
async function launchOf(adapter: Adapter, variants: readonly Variant[]): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'tare-variants-'));
  const tls = variants.some((variant) => variant === 'tls' || variant === 'http2');
  const request: LaunchRequest = {
    workload: workloadOf({
      arrivals: { kind: adapter.facts.arrivals.includes('constant') ? 'constant' : 'poisson' },
      durationS: 1,
      requests: 20,
    }),
    url: tls ? 'https://127.0.0.1:8150' : 'http://127.0.0.1:8150',
    model: 'm',
    dir,
    found,
    workers: null,
    cpus: null,
    ...(variants.length === 0 ? {} : { variants }),
    ...(tls ? { caFile: '/ca/ca.pem' } : {}),
  };
  const { argv, env } = await adapter.prepare(request);
  const files = (readdirSync(dir, { recursive: true }) as string[])
    .filter((name) => statSync(join(dir, name)).isFile() && !name.startsWith('tokenizer'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(dir, name), 'utf8');
      return `${name}: ${name.endsWith('.jsonl') ? decoded(text) : text}`;
    });
  return [...argv, JSON.stringify(env), ...files].join('\n').replaceAll(dir, 'DIR');
}

/** vegeta's targets hold their bodies in base64. */
const decoded = (text: string): string =>
  text.replace(
    /"body":"([A-Za-z0-9+/=]+)"/g,
    (_, body: string) => `"body":${Buffer.from(body, 'base64').toString()}`,
  );

/** What shows each variant in a launch; of `tls` and `http2` beside the URL. */
const SHOWN: Readonly<Record<string, Partial<Record<Variant, string>>>> = {
  tare: { 'plain-json': '--no-stream' },
  'tare-burn': { 'plain-json': '--no-stream' },
  asyncio: { 'plain-json': '--no-stream' },
  k6: { 'plain-json': '\\"stream\\":false' },
  aiperf: { 'server-tokens': '--use-server-token-count' },
  guidellm: { 'plain-json': 'stream=false' },
  'inference-perf': { 'plain-json': '"streaming": false' },
  sglang: { 'plain-json': '--disable-stream' },
  'sglang-rs': {},
  vegeta: { 'plain-json': '"stream":false' },
  oha: {
    'plain-json': '"stream":false',
    tls: '--cacert\n/ca/ca.pem',
    http2: '--http2\n--cacert\n/ca/ca.pem',
  },
  autocannon: { 'plain-json': '"stream":false' },
};

describe('variants', () => {
  for (const adapter of allAdapters.filter(({ facts }) => facts.variants !== undefined))
    for (const { variant, can, how, where } of adapter.facts.variants!)
      it(`${adapter.name}: ${variant}`, async () => {
        expect(VARIANTS).toContain(variant);
        expect(how.length).toBeGreaterThan(3);
        expect(where.length).toBeGreaterThan(3);
        if (!can) return;
        const [usual, other] = [await launchOf(adapter, []), await launchOf(adapter, [variant])];
        expect(other).not.toBe(usual);
        const shown = SHOWN[adapter.name]?.[variant];
        if (shown !== undefined) {
          expect(other).toContain(shown);
          expect(usual).not.toContain(shown);
        }
        if (variant === 'tls' || variant === 'http2') expect(other).toContain('https://127.0.0.1:8150');
      });

  it('aiperf streams unless it is to ask for whole answers', async () => {
    const aiperf = findAdapter('aiperf');
    expect(await launchOf(aiperf, [])).toContain('--streaming');
    expect(await launchOf(aiperf, ['plain-json'])).not.toContain('--streaming');
  });

  it('whole answers are asked for in every body, not only in the first', async () => {
    const text = await launchOf(findAdapter('vegeta'), ['plain-json']);
    expect(text.match(/"stream":false/g)).toHaveLength(20);
    expect(text).not.toContain('"stream":true');
  });
});
