/** What `tare probe` says of a client that has one fault, or none: a client of nothing of Tare's, over real processes and sockets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { loadProbes } from '../../probes/catalogue.ts';
import { probeAlone } from '../../src/audit/probe/alone.ts';
import type { ProbeDocument } from '../../src/audit/probe/document.ts';
import type { Scripted } from '../../src/audit/probe/judge-rows.ts';
import type { ProbeContext } from '../../src/audit/probe/launch.ts';
import { probeClient } from '../../src/audit/probe/session.ts';
import { chooseClients } from '../../src/cli/client-choice.ts';
import { entry } from '../../src/system/package-root.ts';
import { processGroupLauncher } from '../../src/system/process-group.ts';
import { EXIT } from '../../src/system/user-error.ts';
import { probeClientFile } from './probe-client-file.ts';

/** A run waits for its streams for 2 s; the rest is for machines that are busy. */
const TIMEOUT_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'tare-probe-faults-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const probes = new Map((await loadProbes()).map((probe) => [probe.id, probe as Scripted]));
const probeOf = (id: string): Scripted => {
  const probe = probes.get(id);
  if (probe === undefined) throw new Error(`no probe ${id}`);
  return probe;
};

/** A stall of the machine in one of four requests can hide a figure behind its slack: a run is made anew once, as `tare probe` does before it says a fault. */
const AGAIN = { timeout: TIMEOUT_MS, retry: 1 };
let runs = 0;

const context: ProbeContext = {
  launcher: processGroupLauncher,
  path: folder,
  model: 'm',
  targetCpus: null,
  clientCpus: null,
  seed: 1,
  signal: new AbortController().signal,
};

async function client(name: string, faults = '') {
  const adapter = chooseClients([probeClientFile(folder, name, faults)]).byName(name);
  const found = await adapter.find();
  if (!('path' in found)) throw new Error('node was not found');
  return { adapter, found };
}

/** One run of a probe. A few requests are as good as ten where each is judged on its own. */
async function cellOf(fault: string, id: string) {
  const name = `${fault}-${id}`.slice(0, 36) + runs++;
  const { adapter, found } = await client(name, fault);
  const probe = probeOf(id);
  const short = probe.scope === 'request' ? { ...probe, requests: 4, rateRps: 20 } : probe;
  return (await probeAlone(adapter, found, short, probeOf, name, context)).cell;
}

/** A fault, the probe that is to name it, the kind, and the figure that shows it with what it is off by: ms, tokens, or a share. */
interface Case {
  readonly fault: string;
  readonly probe: string;
  readonly kind: string;
  readonly off: readonly [figure: string, by: number];
  readonly verdict?: 'other definition';
}

const one = (fault: string, probe: string, kind: string, figure: string, by: number): Case => ({
  fault,
  probe,
  kind,
  off: [figure, by],
});

const FAULTY: readonly Case[] = [
  // When a token is.
  one('first-chunk-as-token', 'role-first', 'first-chunk-as-token', 'ttft p50', -195),
  one('headers-as-token', 'header-flush', 'headers-as-token', 'ttft p50', -195),
  one('headers-as-token', 'comment', 'headers-as-token', 'ttft p50', -195),
  { ...one('answer-only', 'reasoning-first', 'answer-only', 'tokens', -30), verdict: 'other definition' },
  one('whole-body', 'body-by-length', 'whole-body', 'ttft p50', 980),
  one('whole-body', 'plain', 'whole-body', 'ttft p50', 980),
  // What a gap, an end, a count is.
  one('ttft-in-itl', 'plain', 'ttft-in-itl', 'itl mean', 3.6),
  one('empty-as-token', 'empty-between', 'empty-as-token', 'tokens', 49),
  one('end-at-usage', 'ends-apart', 'end-at-usage', 'e2e p50', 200),
  one('end-at-response', 'end-late', 'end-at-response', 'e2e p50', 300),
  one('usage-chunk-as-token', 'usage-late', 'usage-chunk-as-token', 'tokens', 1),
  one('recounted-with-start-token', 'recount', 'recounted-with-start-token', 'tokens', 50),
  one('requested-as-tokens', 'more-than-asked', 'requested-as-tokens', 'tokens', -10),
  one('usage-summed', 'usage-twice', 'usage-summed', 'tokens', 50),
  one('tpot-without-minus-one', 'ten-tokens', 'tpot-by-n', 'tpot p50', -2),
  one('chunks-as-tokens', 'two-per-event', 'chunks-as-tokens', 'tokens', -24),
  // What a success is.
  one('error-as-success', 'error-in-stream', 'error-as-success', 'success', 0.5),
  one('failed-as-zero', 'refused-half', 'failed-as-zero', 'ttft p50', -100),
  one('failures-uncounted', 'refused-half', 'failures-uncounted', 'failures', -0.5),
  one('one-token-dropped', 'one-token-mixed', 'requests-lost', 'success', -0.5),
  // How a stream is read.
  one('split-utf8', 'split-utf8', 'events-lost', 'tokens', -50),
  one('segments-as-events', 'chunks-across-events', 'tokens-lost', 'tokens', -49),
  one('lf-lf-only', 'crlf', 'events-lost', 'tokens', -50),
  one('needs-space', 'no-space', 'events-lost', 'tokens', -50),
  one('done-needs-space', 'no-space', 'sound-request-fails', 'success', -1),
  one('reads-past-done', 'after-done', 'reads-past-done', 'e2e p50', 200),
];

/** Ends that leave no result. */
const CRASHES = [
  { fault: 'crash-on-comment', probe: 'comment', kind: 'crashes' },
  { fault: 'crash-on-503', probe: 'refused-half', kind: 'crashes' },
  { fault: 'hang', probe: 'done-missing', kind: 'hangs' },
];

describe('a client with one fault', () => {
  it.concurrent.each(FAULTY)(
    '$fault under $probe: $kind',
    AGAIN,
    async ({ fault, probe, kind, off: [figure, by], verdict = 'faulty' }) => {
      const cell = await cellOf(fault, probe);
      // Mean and median are off alike: which is off by more is chance.
      const metric = (name: string | undefined) => name?.split(' ')[0];
      expect([cell.verdict, cell.kind, metric(cell.size?.figure)], cell.words).toEqual([
        verdict,
        kind,
        metric(figure),
      ]);
      expect(Math.abs(cell.size!.value - by), `${figure} off by ${cell.size!.value}`).toBeLessThanOrEqual(
        Math.max(0.25 * Math.abs(by), figure.includes(' ') ? 2 : 0),
      );
      expect(cell.words).toMatch(/^[A-Z].*: .* where .* is right\.( It does not state this\.)?$/);
    },
  );

  it.concurrent.each(CRASHES)('$fault under $probe: it crashes', AGAIN, async ({ fault, probe, kind }) => {
    const cell = await cellOf(fault, probe);
    expect([cell.verdict, cell.kind], cell.words).toEqual(['crashed', kind]);
  });

  it.concurrent('zeros where nothing succeeded', AGAIN, async () => {
    const cell = await cellOf('zero-for-none', 'all-fail');
    expect([cell.verdict, cell.kind, cell.size], cell.words).toEqual(['faulty', 'zero-for-none', null]);
  });

  it.concurrent('a clock of 10 ms is accused of nothing', AGAIN, async () => {
    const cell = await cellOf('coarse-clock', 'plain');
    expect(cell.verdict, cell.words).toBe('right');
  });
});

/** Of every group that has probes of single requests and of runs. */
const SOUND = [
  ...['plain', 'role-first', 'reasoning-first', 'finish-alone'],
  ...['comment', 'crlf', 'split-utf8', 'done-missing'],
  ...['gzip', 'early-hints', 'trailers'],
  ...['error-in-stream', 'error-first', 'reset-in-stream', 'refused-half'],
  ...['end-late', 'first-at-once'],
];

it.concurrent(
  'a client without a fault is right',
  async () => {
    const { adapter, found } = await client('sound');
    const { cells } = await probeClient({
      adapter,
      found,
      probes: SOUND.map(probeOf),
      probeOf,
      context,
      loadRunner: null,
      onEvent: () => undefined,
    });
    expect(cells.map(({ probe, verdict, words }) => [probe, verdict, words])).toEqual(
      SOUND.map((id) => [id, 'right', expect.any(String)]),
    );
  },
  TIMEOUT_MS,
);

it.concurrent(
  '`tare probe --only` names the fault of a client file, and ends with the exit code of one',
  async () => {
    const args = ['--client', probeClientFile(folder, 'cli', 'first-chunk-as-token'), '--only', 'role-first'];
    const out = join(folder, 'out');
    const { exitCode, stdout } = await execa(
      process.execPath,
      [entry('src/cli/main.js'), 'probe', ...args, '--no-pin', '--out', out, '--json'],
      { reject: false },
    );
    const { cells } = JSON.parse(stdout) as ProbeDocument;
    expect(cells.map(({ verdict, kind }) => [verdict, kind])).toEqual([['faulty', 'first-chunk-as-token']]);
    expect(exitCode).toBe(EXIT.outOfTolerance);
  },
  TIMEOUT_MS,
);
