/** perf_analyzer's record a request, profile_export.json: wall-clock stamps (ns) and payloads, by which the ledger is joined. */
import { z } from 'zod';
import type { ClientRecord } from '../contract.ts';
import { complaint } from '../kit/complaint.ts';

const request = z.object({
  timestamp: z.number(),
  response_timestamps: z.array(z.number()),
  response_outputs: z.array(z.object({ response: z.string() })),
});
const schema = z.object({ experiments: z.array(z.object({ requests: z.array(z.unknown()) })) });

interface Read {
  readonly id: string | null;
  readonly hasText: boolean;
}

/** The events of one response: an id, and whether there is text in any. Several events may share a response. */
function readResponse(response: string): Read {
  let id: string | null = null;
  let hasText = false;
  for (const event of response.split('\n\n')) {
    const data = /^data:\s*(\{.*)/m.exec(event)?.[1];
    if (data === undefined) continue;
    try {
      const payload = JSON.parse(data);
      if (typeof payload.id === 'string') id ??= payload.id;
      const choice = payload.choices?.[0];
      if (choice?.delta?.content || choice?.text) hasText = true;
    } catch {
      // an event in pieces: its text counts with the piece that begins it, which GenAI-Perf does too
      if (/"content":"[^"]/.test(data)) hasText = true;
    }
  }
  return { id, hasText };
}

/** A record by GenAI-Perf's own rules: responses without text do not count. Wall-clock ns exceed 2^53, so stamps are exact to 256 ns. */
function record(raw: z.infer<typeof request>): ClientRecord {
  const stamps: number[] = [];
  let responseId: string | null = null;
  raw.response_outputs.forEach(({ response }, i) => {
    const read = readResponse(response);
    responseId ??= read.id;
    const stamp = raw.response_timestamps[i];
    if (read.hasText && stamp !== undefined) stamps.push(stamp);
  });
  const ms = (later: number, earlier: number): number => (later - earlier) / 1e6;
  const first = stamps[0];
  return {
    requestId: null,
    responseId,
    startNs: raw.timestamp,
    ok: first !== undefined,
    ttftMs: first === undefined ? null : ms(first, raw.timestamp),
    e2eMs: first === undefined ? null : ms(stamps.at(-1)!, raw.timestamp),
    itlMs: first === undefined ? null : stamps.slice(1).map((stamp, i) => ms(stamp, stamps[i]!)),
    // Counted by its tokenizer when the export is read, and not exported a request.
    outputTokens: null,
  };
}

/** Reads the parsed file; a text says why it cannot be read. */
export function readRequests(json: unknown): ClientRecord[] | string {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return complaint(parsed.error);
  const records: ClientRecord[] = [];
  for (const raw of parsed.data.experiments.flatMap((experiment) => experiment.requests)) {
    const one = request.safeParse(raw);
    if (!one.success) return complaint(one.error);
    records.push(record(one.data));
  }
  return records;
}
