/** Tasks, prefixes and goals with real workers and connections: what a server got, and what the report makes of it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runLoad } from '../../../src/load/coordinator.ts';
import { LOAD_DEFAULTS, type LoadOptions, planLoad } from '../../../src/load/options.ts';
import type { LoadReport } from '../../../src/load/report.ts';
import type { AskedFields } from '../../../src/load/requests/asked-fields.ts';
import type { RequestRecord } from '../../../src/load/spool.ts';
import { parseLength } from '../../../src/measure/load/length-text.ts';
import type { TaskSpec } from '../../../src/measure/load/request-shape.ts';
import { createShapes } from '../../../src/measure/load/shapes.ts';
import { parseSlos } from '../../../src/measure/load/slo.ts';
import { DONE, type OddServer, oddServer, token } from '../odd-server.ts';

let dir: string;
let server: OddServer;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tare-requests-'));
});
afterEach(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const tasks: readonly TaskSpec[] = [
  { name: 'short', share: 0.6, prompt: parseLength('uniform:1-40'), output: parseLength('uniform:1-3') },
  {
    name: 'long',
    share: 0.4,
    prompt: parseLength('lognormal:300:1:50-900'),
    output: parseLength('uniform:5-12'),
  },
];

interface Body {
  readonly messages: readonly { readonly content: string }[];
  readonly max_tokens: number;
}
type Full = RequestRecord & AskedFields;

/** A server that gives as many tokens as were asked, and refuses every seventh request. */
const obliging = () =>
  oddServer((i) => (response, request) => {
    void request;
    if (i % 7 === 6) {
      response.writeHead(503).end('busy');
      return;
    }
    const body = JSON.parse(server.seen.find((s) => s.id === `tare-${i}`)!.body) as Body;
    const n = body.max_tokens;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let k = 0; k < n; k++) response.write(token('a', k === n - 1 ? 'length' : null));
    const prompt = body.messages[0]!.content.split(' ').length;
    response.write(
      `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: prompt, completion_tokens: n } })}\n\n`,
    );
    response.end(DONE);
  });

async function load(change: Partial<LoadOptions>): Promise<{ report: LoadReport; records: Full[] }> {
  const recordsFile = join(dir, 'records.jsonl');
  const options: LoadOptions = {
    ...LOAD_DEFAULTS,
    url: server.url,
    arrivals: { kind: 'constant' },
    rateRps: 400,
    requests: 60,
    workers: 1,
    pacing: 'block',
    timeoutS: 20,
    rehearsalS: 0.1,
    recordsFile,
    tasks,
    ...change,
  };
  const report = await runLoad(options, planLoad(options, { allowed: [0], total: 1, taskset: false }));
  const records = readFileSync(recordsFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Full);
  return { report, records: records.sort((a, b) => a.index - b.index) };
}

const bodies = (): Map<string, Body> => new Map(server.seen.map((s) => [s.id, JSON.parse(s.body) as Body]));

describe('a load of tasks', () => {
  it('sends each request with its own prompt and max_tokens, the same whatever the number of workers', async () => {
    const runs: Map<string, Body>[] = [];
    for (const workers of [1, 3]) {
      server = await obliging();
      const { report, records } = await load({ workers, prefix: { tokens: 20, groups: 3 } });
      const shapeOf = createShapes({
        seed: 1,
        prefix: { tokens: 20, groups: 3 },
        lengths: { kind: 'tasks', tasks },
      });
      const sent = bodies();
      const beginnings = new Map<number, string>();
      for (let i = 0; i < 60; i++) {
        const shape = shapeOf(i);
        const body = sent.get(`tare-${i}`)!;
        const words = body.messages[0]!.content.split(' ');
        expect([words.length, body.max_tokens]).toEqual([shape.promptTokens, shape.outputTokens]);
        const beginning = words.slice(0, 20).join(' ');
        expect(beginnings.get(shape.prefix) ?? beginning).toBe(beginning);
        beginnings.set(shape.prefix, beginning);
        expect(words[20]).toBe(`r${String(i).padStart(9, '0')}`);
        expect(records[i]).toMatchObject({
          index: i,
          task: tasks[shape.task]!.name,
          asked_prompt_tokens: shape.promptTokens,
          asked_output_tokens: shape.outputTokens,
          prefix_group: shape.prefix,
        });
      }
      expect(new Set(beginnings.values()).size).toBe(3);
      expect(report.counts).toMatchObject({ complete: 52, other_length: 0 });
      expect(report.prompts.prefix_cache).toBe(
        'shared prefix of 20 tokens in 3 groups, then every prompt differs',
      );
      expect(report.prompts.by_usage_tokens_mean).toBe(report.prompts.asked_tokens_mean);
      runs.push(sent);
      if (workers === 1) await server.close();
    }
    expect(runs[1]).toEqual(new Map([...runs[1]!.keys()].map((id) => [id, runs[0]!.get(id)!])));
  });

  it('judges each request as its record says, and gives each task its own', async () => {
    server = await obliging();
    // Whatever the machine does, some are on either side of a goal that is the median.
    const { report: plain } = await load({});
    const median = plain.from_scheduled.e2e.over_successes.p50_ms!;
    await server.close();
    server = await obliging();
    const slos = parseSlos(`e2e=${median}ms,tpot=2ms,long:ttft=5ms`);
    const { report, records } = await load({ slos, workers: 2 });
    const isGood = (r: Full): boolean => {
      if (r.outcome !== 'complete') return false;
      const n = r.tokens_by_usage!;
      const e2e = r.last_token_ns! - r.scheduled_ns!;
      const tpot = n > 1 ? (r.last_token_ns! - r.first_token_ns!) / (n - 1) : 0;
      const ttft = r.first_token_ns! - r.scheduled_ns!;
      return e2e <= median * 1e6 && tpot <= 2e6 && (r.task !== 'long' || ttft <= 5e6);
    };
    const good = records.filter(isGood);
    const { goodput } = report;
    expect(goodput).toMatchObject({ scheduled: 60, good: good.length, not_complete: 8, from: 'scheduled' });
    expect(goodput!.requests_per_second).toBeCloseTo(good.length / goodput!.over_s!, 6);
    const ends = records.flatMap((r) => (r.end_ns === null ? [] : [r.end_ns]));
    const from = Math.min(...records.map((r) => r.scheduled_ns!));
    // 60 arrivals at 400/s take 150 ms.
    expect(goodput!.over_s).toBeCloseTo(Math.max(0.15, (Math.max(...ends) - from) / 1e9), 6);
    expect(goodput!.tokens_per_second).toBeCloseTo(
      good.reduce((n, r) => n + r.tokens_by_usage!, 0) / goodput!.over_s!,
      6,
    );
    for (const [i, { name }] of tasks.entries()) {
      const own = records.filter((r) => r.task === name);
      const done = own.filter((r) => r.outcome === 'complete');
      expect(goodput!.by_task![i]).toMatchObject({
        name,
        scheduled: own.length,
        good: own.filter(isGood).length,
      });
      const task = report.tasks![i]!;
      expect(task.counts).toMatchObject({ scheduled: own.length, complete: done.length, other_length: 0 });
      expect(task.tokens.by_usage).toBe(done.reduce((n, r) => n + r.tokens_by_usage!, 0));
      const e2e = done.map((r) => (r.last_token_ns! - r.scheduled_ns!) / 1e6);
      expect(task.from_scheduled.e2e.over_successes.mean_ms).toBeCloseTo(
        e2e.reduce((a, b) => a + b, 0) / e2e.length,
        3,
      );
      const exact = done.map((r) => (r.last_token_ns! - r.scheduled_ns!) / 1e6 / r.tokens_by_usage!);
      expect(task.ntpot.from_scheduled.exact_mean_ms).toBeCloseTo(
        exact.reduce((a, b) => a + b, 0) / exact.length,
        3,
      );
    }
  });
});
