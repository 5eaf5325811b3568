/** Reads what locustfile.py left: the figures that locust prints (summary.json), and a line a request of every process. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { absent, type Summary } from '../../src/measure/metrics.ts';
import type { ClientRecord, Parsed, ParseRequest } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';
import { failedExit } from '../kit/failure.ts';
import { figure, inMs, summarize } from '../kit/figures.ts';
import { type LooseJson, parseLooseJson, readLooseJson } from '../kit/loose-json.ts';

/** The request itself in locust's table; its time is that to the response head. */
const REQUEST = '/v1/chat/completions';

const entry = z.object({
  name: z.string(),
  requests: z.number(),
  failures: z.number(),
  requests_per_s: figure,
  mean_ms: figure,
  p50_ms: figure,
  p90_ms: figure,
  p99_ms: figure,
});
type Entry = z.infer<typeof entry>;

const summarySchema = z.object({
  entries: z.array(entry),
  errors: z.array(z.object({ error: z.string(), count: z.number() })),
});

const recordSchema = z.object({
  request_id: z.string(),
  response_id: z.string().nullable(),
  ok: z.boolean(),
  start_ns: z.number(),
  ttft_ns: figure,
  e2e_ns: figure,
  itl_ns: z.array(z.number()),
  output_tokens: figure,
});

/** One line of a records file; null for one that is cut off or of another shape. */
export function parseRecord(line: string): ClientRecord | null {
  const json = parseLooseJson(line);
  const checked = json.ok ? recordSchema.safeParse(json.value) : null;
  if (!checked?.success) return null;
  const record = checked.data;
  return {
    requestId: record.request_id,
    responseId: record.response_id,
    startNs: record.start_ns,
    ok: record.ok,
    ttftMs: inMs(record.ttft_ns, 'ns'),
    e2eMs: inMs(record.e2e_ns, 'ns'),
    itlMs: record.ok ? record.itl_ns.map((gap) => gap / 1e6) : null,
    outputTokens: record.output_tokens,
  };
}

const NO_GAPS = 'the locustfile gives locust one TPOT a request, not every gap (docs/clients-locust.md)';

function row(entries: readonly Entry[], name: string): Summary {
  const found = entries.find((one) => one.name === name);
  if (!found) return absent(`locust has no entry ${name}: no request was completed`);
  const { requests: n, mean_ms: mean, p50_ms: p50, p90_ms: p90, p99_ms: p99 } = found;
  return summarize({ n, mean, p50, p90, p99 }, 'ms', 'locust printed no such figure');
}

/** From the summary and the lines of every process to Tare's report. */
export function parseSummary(json: LooseJson, lines: readonly string[]): Parsed {
  if (!json.ok) return { state: 'unparsable', reason: `its summary.json cannot be read: ${json.reason}` };
  const checked = summarySchema.safeParse(json.value);
  if (!checked.success)
    return {
      state: 'unparsable',
      reason: `its summary.json is not as expected: ${complaint(checked.error)}`,
    };
  const { entries, errors } = checked.data;
  const requests = entries.find((one) => one.name === REQUEST);
  if (!requests) return { state: 'failed', reason: 'it counts no request' };
  const worst = errors.toSorted((a, b) => b.count - a.count)[0];
  if (requests.failures === requests.requests)
    return {
      state: 'failed',
      reason: `every one of its ${requests.requests} requests failed: ${worst?.error ?? 'no reason given'}`,
    };
  const records = lines.map(parseRecord).filter((record) => record !== null);
  const notes: string[] = [];
  if (requests.failures > 0)
    notes.push(`${requests.failures} requests failed; most often: ${worst?.error ?? 'no reason given'}`);
  if (records.length !== requests.requests)
    notes.push(`locust counts ${requests.requests} requests, its locustfile kept ${records.length}`);
  return {
    state: 'parsed',
    report: {
      metrics: {
        ttft: row(entries, 'TTFT'),
        itl: absent(NO_GAPS),
        tpot: row(entries, 'TPOT'),
        ntpot: absent('this client has no such figure'),
        e2e: row(entries, 'E2E'),
      },
      achievedRps: requests.requests_per_s,
      durationS: null,
      completed: requests.requests - requests.failures,
      failed: requests.failures,
      outputTokens: records.reduce((sum, record) => sum + (record.ok ? (record.outputTokens ?? 0) : 0), 0),
      dropped: null,
      records,
      notes,
    },
  };
}

async function readLines(dir: string): Promise<string[]> {
  const names = (await readdir(dir)).filter((name) => /^records-\d+\.jsonl$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
}

export async function parse(request: ParseRequest): Promise<Parsed> {
  const json = await readLooseJson(join(request.dir, 'summary.json'));
  if (!json.ok && request.exitCode !== 0) return failedExit(request);
  return parseSummary(json, await readLines(request.dir).catch(() => []));
}
