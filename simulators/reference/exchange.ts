/** One completion request from arrival to end: reads its body, has its tokens leave when due, writes down what happened. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Draws } from '../../src/measure/latency.ts';
import { ID_KIND, OUTCOME_INDEX } from '../../src/truth/recorder.ts';
import { type ApiError, bodyTooLarge, errorBody } from './api-error.ts';
import type { Connection } from './connection.ts';
import type { Engine } from './engine.ts';
import { type Frames, JSON_HEADERS } from './frames.ts';
import type { Paced } from './pacer.ts';
import type { Piece } from './piece.ts';
import type { Kind } from './plan.ts';
import { currentSecond } from './plan-cache.ts';
import { requestIdOf } from './request-id.ts';
import { canGoFast, endWritten, PlainAnswer, writePiece } from './wire.ts';

const NEVER = Number.POSITIVE_INFINITY;

export class Exchange implements Paced {
  readonly #engine: Engine;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #kind: Kind;
  readonly #connection: Connection;
  readonly #ordinal: number;
  /** Where its columns are in the ledger. */
  readonly #row: number;
  readonly #arrivalNs: number;
  #body: Buffer | null = null;
  #frames: Frames | null = null;
  #draws: Draws | null = null;
  #plain: PlainAnswer | null = null;
  /** When what comes next is due. */
  #dueNs = 0;
  /** Tokens leave one by one. */
  #apart = false;
  #sent = 0;
  #over = false;

  constructor(
    engine: Engine,
    req: IncomingMessage,
    res: ServerResponse,
    kind: Kind,
    connection: Connection,
    arrivalNs: number,
  ) {
    this.#engine = engine;
    this.#req = req;
    this.#res = res;
    this.#kind = kind;
    this.#connection = connection;
    this.#arrivalNs = Math.round(arrivalNs);
    const ledger = engine.recorder;
    this.#ordinal = ledger.open(this.#arrivalNs, connection.ordinal);
    this.#row = ledger.row(this.#ordinal);
    const id = requestIdOf(req.rawHeaders);
    if (id !== null) ledger.setRequestId(this.#row, id);
    engine.counters.arrived();
    connection.active.add(this);
  }

  /** More of the body has come. */
  take(part: Buffer): void {
    if (this.#over) return;
    const body = this.#body === null ? part : Buffer.concat([this.#body, part]);
    if (body.length > this.#engine.options.maxBodyBytes)
      this.#refuse(bodyTooLarge(this.#engine.options.maxBodyBytes));
    else this.#body = body;
  }

  /** The body is complete: answers, or arranges for it. */
  begin(): void {
    if (this.#over || this.#engine.ended) return;
    const { plans, model, seed, recorder, pacer } = this.#engine;
    const order = plans.order(this.#kind, this.#body ?? Buffer.alloc(0));
    this.#body = null;
    if (!order.ok) {
      this.#refuse(order.error);
      return;
    }
    const plan = order.frames.plan;
    const row = this.#row;
    this.#frames = order.frames;
    recorder.promptTokens[row] = plan.promptTokens;
    recorder.askedTokens[row] = plan.askedTokens;
    recorder.streamed[row] = plan.stream ? 1 : 0;
    recorder.idKind[row] = plan.kind === 'chat' ? ID_KIND.chat : ID_KIND.text;
    if (!canGoFast(this.#req, this.#res))
      this.#plain = new PlainAnswer(
        this.#res,
        plan,
        this.#engine.frameOptions,
        this.#ordinal,
        currentSecond(),
      );
    if (model.zero) {
      this.#dueNs = this.#arrivalNs;
      this.#writeWhole();
      return;
    }
    const draws = model.draws(seed, this.#ordinal, plan.promptTokens);
    this.#dueNs = this.#arrivalNs + draws.ttftNs;
    this.#draws = draws;
    this.#apart = plan.stream && plan.outputTokens > 1 && !model.together;
    if (this.#apart) recorder.openTokens(row, plan.outputTokens);
    else if (!plan.stream) for (let i = 1; i < plan.outputTokens; i++) this.#dueNs += draws.gap();
    this.#open();
    pacer.schedule(this.#dueNs, this);
  }

  step(): number {
    if (this.#over) return NEVER;
    if (!this.#apart) {
      this.#writeWhole();
      return NEVER;
    }
    return this.#writeToken();
  }

  /** The connection is gone. What was not written yet never will be. */
  closed(): void {
    if (this.#over || this.#engine.ended) return;
    this.#engine.counters.clientClosed++;
    this.#finish(OUTCOME_INDEX.clientClosed);
  }

  /** Sends the head before the first token, where the options ask for that. */
  #open(): void {
    const opening = this.#frames!.opening;
    if (opening === null) return;
    this.#engine.recorder.headersNs[this.#row] = this.#engine.now();
    if (this.#plain !== null) this.#plain.open(this.#roleIsEarly);
    else this.#write(opening);
  }

  get #roleIsEarly(): boolean {
    return this.#engine.frameOptions.role === 'early';
  }

  /** Just before a write: the stamp, and the head's stamp if it goes along. */
  #stampWrite(): number {
    const now = this.#engine.now();
    const ledger = this.#engine.recorder;
    if (this.#sent === 0) {
      ledger.status[this.#row] = 200;
      ledger.firstDueNs[this.#row] = this.#dueNs;
      ledger.firstNs[this.#row] = now;
      if (this.#frames!.opening === null) ledger.headersNs[this.#row] = now;
    }
    return now;
  }

  #write(piece: Piece): void {
    writePiece(this.#res, piece, piece.bytesFor(this.#ordinal, currentSecond()));
  }

  #writeWhole(): void {
    const frames = this.#frames!;
    const { outputTokens, stream } = frames.plan;
    const ledger = this.#engine.recorder;
    const row = this.#row;
    if (this.#plain !== null) {
      const now = this.#stampWrite();
      ledger.lastNs[row] = now;
      if (stream) this.#plain.write(0, outputTokens, true);
      else this.#plain.json();
    } else {
      const piece = frames.whole;
      const bytes = piece.bytesFor(this.#ordinal, currentSecond());
      const now = this.#stampWrite();
      ledger.lastNs[row] = now;
      writePiece(this.#res, piece, bytes);
      endWritten(this.#res);
    }
    ledger.lastDueNs[row] = this.#dueNs;
    this.#sent = outputTokens;
    this.#complete();
  }

  /** Writes the token that is due; returns when the next one is. */
  #writeToken(): number {
    const frames = this.#frames!;
    const index = this.#sent;
    const last = index === frames.plan.outputTokens - 1;
    const ledger = this.#engine.recorder;
    const base = ledger.tokenBase[this.#row]!;
    if (this.#plain !== null) {
      const now = this.#stampWrite();
      if (base >= 0) ledger.tokenNs[base + index] = now;
      if (last) ledger.lastNs[this.#row] = now;
      this.#plain.write(index, index + 1, !this.#roleIsEarly);
    } else {
      const piece = index === 0 ? frames.first : last ? frames.last : frames.middle;
      const bytes = piece.bytesFor(this.#ordinal, currentSecond());
      const now = this.#stampWrite();
      if (base >= 0) ledger.tokenNs[base + index] = now;
      if (last) ledger.lastNs[this.#row] = now;
      writePiece(this.#res, piece, bytes);
      if (last) endWritten(this.#res);
    }
    this.#sent = index + 1;
    ledger.deliveredTokens[this.#row] = this.#sent;
    if (last) {
      ledger.lastDueNs[this.#row] = this.#dueNs;
      this.#complete();
      return NEVER;
    }
    this.#dueNs += this.#draws!.gap();
    return this.#dueNs;
  }

  #complete(): void {
    const counters = this.#engine.counters;
    counters.complete++;
    counters.promptTokens += this.#frames!.plan.promptTokens;
    this.#finish(OUTCOME_INDEX.complete);
  }

  #refuse(error: ApiError): void {
    const ledger = this.#engine.recorder;
    const body = errorBody(error);
    this.#engine.counters.refused++;
    ledger.headersNs[this.#row] = this.#engine.now();
    ledger.status[this.#row] = error.status;
    this.#res.writeHead(error.status, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) });
    this.#res.end(body);
    this.#finish(OUTCOME_INDEX.refused);
  }

  #finish(outcome: number): void {
    const { recorder, counters } = this.#engine;
    const row = this.#row;
    this.#over = true;
    recorder.endNs[row] = this.#engine.now();
    recorder.outcome[row] = outcome;
    recorder.deliveredTokens[row] = this.#sent;
    counters.outputTokens += this.#sent;
    counters.inFlight--;
    this.#connection.active.delete(this);
  }
}
