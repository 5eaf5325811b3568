import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bracketShort } from '../../reports/envelope/words.ts';
import type { EnvelopeClient, EnvelopeDocument, EnvelopeTrial } from '../../src/audit/envelope/document.ts';
import { parseEnvelopeDocument } from '../../src/audit/envelope/document-schema.ts';
import { envelopeExitCode, eventLine } from '../../src/cli/envelope-run.ts';
import { type BracketState, bracketOf } from '../../src/measure/envelope/bracket.ts';
import { nextStep } from '../../src/measure/envelope/search.ts';
import { entry } from '../../src/system/package-root.ts';

const client = (state: BracketState | null): EnvelopeClient =>
  ({
    trials: 4,
    state: state === null ? 'notMeasured' : 'searched',
    bracket: state === null ? null : { state },
  }) as unknown as EnvelopeClient;
const document = (states: readonly (BracketState | null)[], state = 'finished'): EnvelopeDocument =>
  ({ state, clients: states.map(client) }) as unknown as EnvelopeDocument;

describe('the exit code', () => {
  it.each([
    ['every client has an envelope', document(['bracket', 'atLeast']), 0],
    ['one holds at no rate', document(['bracket', 'none']), 3],
    ['one gave no figures', document(['bracket', null]), 3],
    ['one could not be told', document(['bracket', 'undetermined']), 4],
    ['it was cut short', document(['bracket'], 'interrupted'), 4],
    ['nothing could be measured', document([null]), 5],
  ])('%s', (_, given, code) => expect(envelopeExitCode(given)).toBe(code));
});

describe('progress', () => {
  const trial = {
    client: 'x',
    rate_rps: 400,
    purpose: 'ramp',
    verdict: 'fails',
    reason: 'why\nmore',
    elapsed_s: 7.6,
  };
  it('is a line a trial, with what is left', () => {
    const event = { kind: 'trialEnd', trial: trial as EnvelopeTrial, leftS: 130 } as const;
    expect(eventLine(event, 14, () => 5)).toBe(
      'x 5/14: 400/s (ramp) fails: why (8 s; at most 2 min 10 s left)',
    );
  });
  it('says that a client is done, and why where it is odd', () => {
    expect(eventLine({ kind: 'clientEnd', client: 'x', left: 2, reason: '' }, 14, () => 5)).toBe(
      'x is done, 2 to go',
    );
  });
});

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'tare-envelope-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** Runs the built command. */
function tare(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [entry('src/cli/main.js'), 'envelope', ...args]);
    const said = { out: '', err: '' };
    child.stdout.on('data', (data) => (said.out += data));
    child.stderr.on('data', (data) => (said.err += data));
    child.on('close', (code) => resolve({ code, ...said }));
  });
}

describe('the command', () => {
  it.each([
    [['--tolerance', 'ttft=1ms'], '"ttft" is no figure that can have a tolerance'],
    [['--from', '100', '--to', '50', '--client', 'tare'], '--to 50 is below --from 100'],
    [['--ratio', '1'], 'must be above 1.01'],
    [['--budget', 'many'], 'must be a number above 0'],
    [['--resume', '/nowhere'], 'no results folder of tare envelope'],
    [['--client', 'nobody'], 'nobody'],
    [['--client', 'tare', '--budget-time', '1s'], 'the floor and one trial of each client take about'],
  ])('%j is refused: usage', async (args, words) => {
    const { code, err, out } = await tare(...args);
    expect(err).toContain(words);
    expect(code).toBe(2);
    expect(out).toBe('');
  });

  it('searches with real processes, keeps every trial, and goes on with a greater budget', async () => {
    const out = join(base, 'out');
    // So generous that no busy machine fails it: what is tried here is the wiring.
    const flags = ['--tolerance', 'rate=90%', '--from', '20', '--to', '40', '--duration', '0.3s', '--no-pin'];
    const first = await tare('--client', 'tare', ...flags, '--budget', '1 trial', '--out', out, '--json');
    const begun = parseEnvelopeDocument(JSON.parse(first.out));
    expect(begun.trials.map(({ id }) => id)).toEqual(['tare-20rps-t1']);
    expect(begun.clients[0]!.bracket).toEqual(bracketOf(begun.search, begun.trials, 'budget', 0.1));
    expect(first.code).toBe(envelopeExitCode(begun));

    const second = await tare('--resume', out, '--budget', '3', '--json');
    const grown = parseEnvelopeDocument(JSON.parse(second.out));
    // Where the machine stalls a trial may say something else: whatever they said, the search goes on from that, and tells it.
    expect(grown.trials).toHaveLength(3);
    expect(grown.trials[0]).toEqual(begun.trials[0]);
    for (let n = 1; n < 3; n++)
      expect(nextStep(grown.search, grown.trials.slice(0, n), 3 - n)).toMatchObject({
        rate_rps: grown.trials[n]!.rate_rps,
        purpose: grown.trials[n]!.purpose,
      });
    const [{ bracket } = { bracket: null }] = grown.clients;
    const after = nextStep(grown.search, grown.trials, 0);
    expect(bracket).toEqual(
      bracketOf(grown.search, grown.trials, after.kind === 'done' ? after.why : 'budget', 0.1),
    );
    expect((await readdir(join(out, 'trials'))).sort()).toEqual(grown.trials.map(({ id }) => id).sort());
    expect(JSON.parse(await readFile(join(out, 'envelope.json'), 'utf8'))).toEqual(grown);
    expect(JSON.parse(await readFile(join(out, 'audit.json'), 'utf8')).trials).toHaveLength(3);
    expect(await readFile(join(out, 'envelope.html'), 'utf8')).toContain(bracketShort(bracket));
  }, 180_000);
});
