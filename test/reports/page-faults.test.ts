/** What a reader of the page was misled by, or could break it with: each was so once. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { boundedTexts } from '../../reports/bounded.ts';
import { biasChart } from '../../reports/charts/bias.ts';
import { slim } from '../../reports/charts/slim.ts';
import { threadsChart } from '../../reports/charts/threads.ts';
import { ttftChart } from '../../reports/charts/ttft.ts';
import { reportPage } from '../../reports/page/page.ts';
import { trialGroups } from '../../reports/page/trial-groups.ts';
import { provenanceLines, provenanceOf } from '../../reports/provenance.ts';
import { readDocument } from '../../reports/read-document.ts';
import { summaryTable } from '../../reports/table.ts';
import type { AuditDocument } from '../../src/audit/document.ts';
import { readCommit } from '../../src/system/commit.ts';
import { hostileCopy } from './hostile.ts';
import { sampleDocument } from './sample.ts';
import { manyClients } from './sample-many.ts';

const small = sampleDocument({ clients: ['asyncio', 'k6'], rates: [50, 400], repetitions: 2 });
const flat = (text: string) => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** Figures of tare at 100/s as an audit had them: printed less expected is 1.27 ms, the p99 of the delays 2.82. */
const pairs = (client: string): AuditDocument => ({
  ...small,
  findings: small.findings.map((f) =>
    f.client === client && f.metric === 'ttft' && f.statistic === 'p99'
      ? {
          ...f,
          ...{ bias_by: 'pairs' as const, joined_share: 1, reported_ms: 54.079, expected_ms: 52.807 },
          ...{ queueing_bias_ms: 1.272, bias_ms: 2.82, low_ms: 2.6, high_ms: 3.04 },
        }
      : f,
  ),
});

describe('a bias of single requests', () => {
  const document = pairs('asyncio');

  it('is marked in the table, whose legend says that it is no difference of columns', () => {
    const text = summaryTable(document, { plain: true });
    expect(text).toContain('+2.82* [2.60, 3.04]');
    expect(flat(text)).toMatch(
      /bias\*: the statistic of the delays of single requests.* do not subtract to it/,
    );
    expect(flat(text)).toMatch(/bias without \*, .*printed minus what it would print/);
    const none = flat(summaryTable(small, { plain: true }));
    expect(none).not.toContain('*');
    expect(none).toContain('bias: what the client printed minus');
  });

  it('is marked on the page, whose meaning says the same', () => {
    const text = flat(reportPage(document, []));
    expect(text).toContain('+2.82*');
    expect(text).toMatch(
      /p50 or p99 of each request’s own delay.* not the difference of two printed figures/,
    );
  });

  it('is not what the TTFT chart’s line shows, and the chart says so', () => {
    expect(ttftChart(document)!.explanation).toMatch(
      /difference of these two quantiles.* not the quantile of the delays/,
    );
  });
});

describe('texts of any length', () => {
  it('a picture of very many parts is made small', () => {
    const texts = '<text>a</text>'.repeat(200_000);
    expect(slim(`<svg><g>${texts}</g></svg>`)).toBe(`<svg>${texts}</svg>`);
  });

  it('are cut before they reach a report, and stay different', () => {
    const long = 'v'.repeat(5_000_000);
    const cut = boundedTexts({ a: [long, `${long}w`], [long]: 1, kept: small });
    expect(JSON.stringify(cut).length).toBeLessThan(JSON.stringify(small).length + 10_000);
    expect(cut.a[0]).not.toBe(cut.a[1]);
    expect(cut.a[0]).toMatch(/^v{1000}… \(5,000,000 characters, SHA-256 [\da-f]{12}…\)$/);
    expect(cut.kept).toBe(small);
  });

  it('are short in the provenance of charts', () => {
    const lines = provenanceLines(provenanceOf(hostileCopy(small)));
    for (const { text } of lines) expect(text.length).toBeLessThan(1_500);
  });

  it.each([
    ['hostile texts', () => hostileCopy(sampleDocument()), 1.4e6],
    // Without charts, which take 0.8 MB more.
    [
      '12 clients, 8 rates, 5 repetitions',
      () => manyClients(12, { rates: [50, 100, 200, 400, 600, 800, 1200, 1600], repetitions: 5 }),
      1.5e6,
    ],
  ] as const)(
    '%s: tables of the page are of bounded size',
    (_, document, most) => {
      expect(reportPage(document(), []).length).toBeLessThan(most);
    },
    60_000,
  );
});

describe('commands of trials', () => {
  const trial = (id: string, rateRps: number, seed: number, command: string[]) => ({
    ...small.trials[0]!,
    id,
    workload: { ...small.trials[0]!.workload, rateRps, seed },
    command,
  });
  const own = (id: string, port: number, seed: number, rate = 50) =>
    trial(id, rate, seed, [
      'b',
      `http://127.0.0.1:${port}`,
      '--seed',
      `${seed}`,
      `/r/${id}/x`,
      '--rate',
      `${rate}`,
    ]);

  it('that differ by id, port and seed are one group, and nothing else is', () => {
    const groups = trialGroups([own('a-r1', 4001, 7), own('a-r2', 4002, 8), own('b-r1', 4003, 9, 60)]);
    expect(groups.map((group) => group.map((one) => one.own))).toEqual([
      [
        { id: 'a-r1', port: '4001', seed: '7' },
        { id: 'a-r2', port: '4002', seed: '8' },
      ],
      [{ id: 'b-r1', port: '4003', seed: '9' }],
    ]);
    const other = { ...own('a-r2', 4002, 8), command: [...own('a-r2', 4002, 8).command, '--more'] };
    expect(trialGroups([own('a-r1', 4001, 7), other])).toHaveLength(2);
  });

  it('a number that is by chance the seed of one is not the seed of another', () => {
    const chance = trial('t1', 50, 3, ['b', '--n', '3', '--seed', '3']);
    expect(trialGroups([chance, trial('t2', 50, 4, ['b', '--n', '3', '--seed', '4'])])).toHaveLength(2);
  });
});

describe('an audit without a trial', () => {
  const empty = { ...small, state: 'interrupted' as const, trials: [], findings: [], rates: [] };
  it('does not speak of repetitions and rates that were only planned', () => {
    const text = flat(reportPage(empty, []));
    expect(text).not.toMatch(/95 % intervals over|clients? at \d/);
    expect(text).toContain('No trial ran, so nothing was measured');
    expect(text).toContain('planned at 50–400 requests/s');
  });

  it('one that ran in part says what ran', () => {
    const text = flat(reportPage({ ...small, trials: small.trials.slice(0, 3) }, []));
    expect(text).toContain('One repetition: intervals do not show');
    expect(text).toContain('2 repetitions (1 ran)');
  });
});

describe('a document that contradicts itself', () => {
  let dir = '';
  afterEach(() => rm(dir, { recursive: true, force: true }));
  const read = async (document: AuditDocument): Promise<string> => {
    dir = await mkdtemp(join(tmpdir(), 'tare-faults-'));
    await writeFile(join(dir, 'audit.json'), JSON.stringify(document));
    return readDocument(dir).then(
      () => 'read',
      (error: Error) => error.message,
    );
  };
  const external: AuditDocument['plan']['target'] = {
    ...small.plan.target,
    ...{ kind: 'external', url: 'http://gpu.example:8000' },
  };

  it('is refused where rows are of a client that it does not have', async () => {
    const clients = small.clients.slice(0, 1);
    expect(await read({ ...small, clients })).toMatch(
      /damaged: trials\.1\.client: "k6" is not among "clients"/,
    );
    const findings = small.findings.map((f, i) => (i === 3 ? { ...f, client: 'other' } : f));
    expect(await read({ ...small, findings })).toMatch(/damaged: findings\.3\.client: "other"/);
    expect(await read(small)).toBe('read');
  });

  it('is refused where a target without a ledger has a ledger’s figures', async () => {
    const plan = { ...small.plan, target: external };
    const trials = small.trials.map((trial) => ({ ...trial, truth: null }));
    expect(await read({ ...small, plan, trials })).toMatch(
      /damaged: findings\.0\.bias_ms: http:\/\/gpu\.example:8000 keeps no ledger/,
    );
    expect(await read({ ...small, plan })).toMatch(/damaged: trials\.0\.truth/);
  });
});

it('a chart’s CSV states nothing of a figure that is absent', () => {
  const findings = small.findings.map((f) =>
    f.client === 'k6' && f.metric === 'ttft'
      ? { ...f, reported_ms: null, bias_ms: null, low_ms: null, high_ms: null, interval: 'none' as const }
      : f,
  );
  const { columns, rows } = biasChart({ ...small, findings }, 'ttft', 'p50')!.data;
  const of = (name: string) => rows.filter((row) => row[0] === 'k6').map((row) => row[columns.indexOf(name)]);
  expect(of('bias_by')).toEqual([null, null]);
  expect(of('state')).toEqual([null, null]);
});

it('no line of the threads’ chart runs through a label', () => {
  const { view } = threadsChart(small)!;
  const layers = view.layer as unknown as {
    mark: { type: string; color?: string; filled?: boolean };
    data: { values: { label?: string; x: number; x2: number; y: number; y2: number }[] };
  }[];
  const paper = layers.findIndex(({ mark }) => mark.type === 'rect' && mark.color === '#ffffff');
  const figures = layers.findIndex(({ data }) =>
    data.values.some(({ label }) => / %/.test(label ?? '') && !/^\d+ %$/.test(label ?? '')),
  );
  expect(paper).toBeGreaterThan(-1);
  expect(paper).toBeLessThan(figures);
  for (const { x, y } of layers[figures]!.data.values)
    expect(
      layers[paper]!.data.values.some((box) => box.x < x && box.x2 > x + 20 && box.y < y && box.y2 > y),
    ).toBe(true);
});

describe('the commit of the build', () => {
  const tare_commit = `${'0123456789abcdef'.repeat(2)}01234567`;
  it('is in the provenance and in the commands that repeat the audit', () => {
    const document = { ...small, tare_commit: `${tare_commit}+changes` };
    expect(provenanceOf(document).harness).toContain('Tare 0.1.0 (commit 0123456789ab+changes), node');
    const text = flat(reportPage(document, []));
    expect(text).toContain(`git checkout ${tare_commit} npm ci`);
    expect(text).toContain('changes that were not committed');
    expect(reportPage(small, [])).not.toContain('git checkout');
  });

  it('is no command where it is something else', () => {
    expect(reportPage({ ...small, tare_commit: '$(x)' }, [])).not.toContain('git checkout');
  });

  it('is null where the build left none', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'tare-commit-'));
    expect(readCommit(join(dir, 'no'))).toBeNull();
    await writeFile(join(dir, 'x'), '{');
    expect(readCommit(join(dir, 'x'))).toBeNull();
    await writeFile(join(dir, 'x'), JSON.stringify({ commit: tare_commit }));
    expect(readCommit(join(dir, 'x'))).toBe(tare_commit);
    await rm(dir, { recursive: true });
  });
});
