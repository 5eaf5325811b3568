/** What every connection of one probe target shares: whose turn it is, the clock, the ledger. */

import plain from '../../probes/chunks/plain.ts';
import { LAST_MS, TOKENS } from '../../probes/kit/profile.ts';
import { whole } from '../../probes/kit/stream.ts';
import type { Answer, Asked } from '../../src/measure/probe/answer.ts';
import { PROBE_LEDGER_SCHEMA, type ProbeLedger, type ProbeLedgerRow } from '../../src/truth/probe-ledger.ts';
import { payloadId } from '../../src/truth/snapshot.ts';
import type { ApiError } from '../reference/api-error.ts';
import { Counters } from '../reference/counters.ts';
import { type Alarm, Pacer } from '../reference/pacer.ts';
import { answerJson } from '../reference/payload.ts';
import type { Kind, ModelSpec } from '../reference/plan.ts';
import { requestIdOf } from '../reference/request-id.ts';
import { Playing, type Wire } from './playing.ts';
import { asksForStream, parseBody, readWanted, type Wanted } from './read-request.ts';
import type { Message } from './request-parser.ts';
import { type Script, type Slot, Slots } from './slots.ts';

export interface EngineOptions {
  readonly scripts: readonly Script[];
  readonly plainFirst: number;
  readonly model: ModelSpec;
  readonly pacing: 'spin' | 'block';
  readonly maxBodyBytes: number;
  readonly tag: string;
  /** ns of CLOCK_MONOTONIC. */
  readonly now: () => number;
  readonly alarm: Alarm;
}

/** Where a request stands among those on its connection. */
export interface Standing {
  readonly connection: number;
  readonly onConnection: number;
}

export type Begun =
  | { readonly ok: true; readonly playing: Playing }
  | { readonly ok: false; readonly error: ApiError };

/** Headers by name in lower case; those that came several times are joined, as HTTP has it. */
function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const value = rawHeaders[i + 1]!;
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** M as one JSON document, when its last token is due. */
function wholeM(asked: Asked): Answer {
  const { kind, includeUsage, promptTokens, tokens, id, created } = asked;
  const plan = { kind, includeUsage, promptTokens, stream: false, askedTokens: tokens };
  const json = answerJson({ ...plan, outputTokens: TOKENS, finish: 'length' }, asked.model, { id, created });
  return whole('200 OK', json, LAST_MS);
}

export class ProbeEngine {
  readonly options: EngineOptions;
  readonly now: () => number;
  readonly pacer: Pacer;
  readonly counters = new Counters();
  readonly created = Math.floor(Date.now() / 1000);
  readonly #slots: Slots;
  readonly #rows: ProbeLedgerRow[] = [];
  /** The target is ending: what is under way stays unfinished. */
  ended = false;

  constructor(options: EngineOptions) {
    this.options = options;
    this.now = options.now;
    this.pacer = new Pacer(options.alarm, options.now);
    this.#slots = new Slots(options.scripts, options.plainFirst);
  }

  /** Completion requests so far. */
  get requests(): number {
    return this.#rows.length;
  }

  /** Takes a completion request up: from now on its answer plays, and calls back when it is over. */
  begin(kind: Kind, message: Message, standing: Standing, wire: Wire, onOver: () => void): Begun {
    // Before the body is parsed: that takes time, which is the target's own.
    const readNs = this.now();
    const body = parseBody(message.body);
    if (!body.ok) return body;
    const slot = this.#slots.peek(asksForStream(body.json));
    const read = readWanted(kind, body.json, this.options.model, slot.script?.tokens ?? TOKENS);
    if (!read.ok) return read;
    this.#slots.take(slot);
    const row = this.#open(message, read.wanted, slot, standing, readNs);
    this.counters.arrived();
    const playing = new Playing(row, this.#answer(message, read.wanted, slot, row), wire, this.now, () => {
      this.#close(row);
      onOver();
    });
    this.pacer.schedule(playing.dueNs, playing);
    return { ok: true, playing };
  }

  #open(message: Message, wanted: Wanted, slot: Slot, standing: Standing, readNs: number): ProbeLedgerRow {
    const ordinal = this.#rows.length;
    const row: ProbeLedgerRow = {
      probe: slot.script?.id ?? null,
      place: slot.place,
      warm_up: slot.warmUp,
      ordinal,
      connection: standing.connection,
      on_connection: standing.onConnection,
      request_id: requestIdOf(message.rawHeaders),
      response_id: payloadId(wanted.kind, this.options.tag, ordinal),
      kind: wanted.kind,
      streamed: wanted.streamed,
      asked_tokens: wanted.tokens,
      include_usage: wanted.includeUsage,
      ignore_eos: wanted.ignoreEos,
      prompt_tokens: wanted.promptTokens,
      arrival_ns: message.arrivalNs,
      read_ns: readNs,
      writes: [],
      end_ns: null,
      outcome: 'unfinished',
      client_closed_ns: null,
    };
    this.#rows.push(row);
    return row;
  }

  #answer(message: Message, wanted: Wanted, slot: Slot, row: ProbeLedgerRow): Answer {
    const asked: Asked = {
      ...wanted,
      model: this.options.model.name,
      id: row.response_id,
      created: Math.floor(Date.now() / 1000),
      httpVersion: message.httpVersion,
      headers: headersOf(message.rawHeaders),
      place: slot.place,
      onConnection: row.on_connection,
    };
    if (!wanted.streamed) return wholeM(asked);
    return (slot.script ?? plain).answer(asked);
  }

  #close(row: ProbeLedgerRow): void {
    this.counters.inFlight--;
    if (row.outcome === 'clientClosed') this.counters.clientClosed++;
    else this.counters.complete++;
  }

  /** What happened so far. */
  ledger(): ProbeLedger {
    const { tag, model, scripts, plainFirst, pacing } = this.options;
    return {
      schema: PROBE_LEDGER_SCHEMA,
      tag,
      model: model.name,
      probes: scripts.map(({ id }) => id),
      plain_first: plainFirst,
      pacing,
      requests: this.#rows,
      unserved: this.counters.unserved.list(),
    };
  }
}
