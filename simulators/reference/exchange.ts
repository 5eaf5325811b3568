/** One completion request from arrival to end: reads its body, has its tokens leave when due, writes down what happened. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Draws } from '../../src/measure/latency.ts';
import { ID_KIND, OUTCOME_INDEX } from '../../src/truth/recorder.ts';
import { type ApiError, bodyTooLarge, brokenOff, errorBody, overloaded, queueFull } from './api-error.ts';
import type { Connection } from './connection.ts';
import type { Engine } from './engine.ts';
import type { Fate } from './faults.ts';
import { type Frames, JSON_HEADERS } from './frames.ts';
import type { Paced } from './pacer.ts';
import type { Kind } from './plan.ts';
import { currentSecond } from './plan-cache.ts';
import { requestIdOf } from './request-id.ts';
import type { Served } from './slots.ts';
import { type Answer, canGoFast, FastAnswer, PlainAnswer } from './wire.ts';

const NEVER = Number.POSITIVE_INFINITY;
const NO_BODY = Buffer.alloc(0);

export class Exchange implements Paced, Served {
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
  #answer: Answer | null = null;
  #draws: Draws | null = null;
  /** When what comes next is due. */
  #dueNs = 0;
  /** Tokens leave one by one. */
  #apart = false;
  #sent = 0;
  /** Every token is written; what ends the stream is not. */
  #tailIsDue = false;
  #tailDueNs = 0;
  #over = false;
  /** Whether it has a slot, or waits for one; always `none` at a target without slots. */
  #slot: 'none' | 'waiting' | 'taken' = 'none';

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
    const { maxBodyBytes } = this.#engine.options;
    const body = this.#body === null ? part : Buffer.concat([this.#body, part]);
    if (body.length > maxBodyBytes) this.#refuse(bodyTooLarge(maxBodyBytes));
    else this.#body = body;
  }

  /** The body is complete: answers, or arranges for it. */
  begin(): void {
    if (this.#over || this.#engine.ended) return;
    const { faults, plans, counters } = this.#engine;
    counters.bodyBytes += this.#body?.length ?? 0;
    const fate = faults === null ? 'answered' : faults.of(this.#ordinal);
    const order = plans.order(this.#kind, this.#body ?? NO_BODY);
    this.#body = null;
    if (!order.ok) this.#refuse(order.error);
    else if (fate === 'answered') this.#accept(order.frames);
    else this.#fail(order.frames, fate);
  }

  get over(): boolean {
    return this.#over;
  }

  /** It has a slot from this instant on: its delays count from here. */
  start(startNs: number): void {
    this.#slot = 'taken';
    this.#engine.recorder.queuedNs[this.#row] = startNs - this.#arrivalNs;
    this.#serveFrom(startNs);
  }

  step(): number {
    if (this.#over) return NEVER;
    if (this.#tailIsDue) {
      this.#answer!.finish();
      this.#complete();
      return NEVER;
    }
    const { outputTokens } = this.#frames!.plan;
    this.#write(this.#apart ? this.#sent + 1 : outputTokens);
    if (this.#over) return NEVER;
    if (this.#tailIsDue) return this.#tailDueNs;
    this.#dueNs += this.#draws!.gap();
    return this.#dueNs;
  }

  /** The connection is gone. What was not written yet never will be. */
  closed(): void {
    if (this.#over || this.#engine.ended) return;
    this.#engine.counters.clientClosed++;
    this.#finish(OUTCOME_INDEX.clientClosed);
    if (this.#slot === 'waiting') this.#engine.slots!.leave();
    else this.#freeSlot(this.#engine.now());
  }

  /** Fails as asked. */
  #fail(frames: Frames, fate: Exclude<Fate, 'answered'>): void {
    const { recorder } = this.#engine;
    const { plan } = frames;
    if (fate === 'broken' && plan.stream) {
      this.#accept(frames.broken);
      return;
    }
    recorder.promptTokens[this.#row] = plan.promptTokens;
    recorder.askedTokens[this.#row] = plan.askedTokens;
    if (fate === 'refused') this.#refuse(overloaded);
    else this.#refuse(brokenOff, OUTCOME_INDEX.faultInjected);
  }

  #accept(frames: Frames): void {
    const { recorder, frameOptions, slots } = this.#engine;
    const { plan } = frames;
    const row = this.#row;
    if (slots !== null && !slots.admits(this.#arrivalNs)) {
      recorder.promptTokens[row] = plan.promptTokens;
      recorder.askedTokens[row] = plan.askedTokens;
      this.#refuse(queueFull);
      return;
    }
    this.#frames = frames;
    recorder.promptTokens[row] = plan.promptTokens;
    recorder.askedTokens[row] = plan.askedTokens;
    recorder.streamed[row] = plan.stream ? 1 : 0;
    recorder.idKind[row] = plan.kind === 'chat' ? ID_KIND.chat : ID_KIND.text;
    this.#answer = canGoFast(this.#req, this.#res)
      ? new FastAnswer(this.#res, frames, this.#ordinal, currentSecond)
      : new PlainAnswer(this.#res, frames, frameOptions, this.#ordinal, currentSecond());
    if (frames.opening !== null) {
      recorder.headersNs[row] = this.#engine.now();
      this.#answer.open();
    }
    if (slots === null) {
      this.#serveFrom(this.#arrivalNs);
      return;
    }
    this.#slot = 'waiting';
    slots.enter(this, this.#arrivalNs);
  }

  /** Its delays count from this instant: arranges for its first token. */
  #serveFrom(startNs: number): void {
    const { model, seed, recorder, pacer } = this.#engine;
    const { plan } = this.#frames!;
    const row = this.#row;
    this.#dueNs = startNs;
    if (model.zero) {
      this.#write(plan.outputTokens);
      if (this.#tailIsDue) pacer.schedule(this.#tailDueNs, this);
      return;
    }
    const draws = model.draws(seed, this.#ordinal, plan.promptTokens);
    this.#draws = draws;
    this.#dueNs += draws.ttftNs;
    this.#apart = plan.stream && plan.outputTokens > 1 && !model.together;
    if (this.#apart) recorder.openTokens(row, plan.outputTokens);
    else if (!plan.stream) for (let i = 1; i < plan.outputTokens; i++) this.#dueNs += draws.gap();
    pacer.schedule(this.#dueNs, this);
  }

  /** Writes the tokens up to `to`, which are due; completes the exchange with the last one. */
  #write(to: number): void {
    const ledger = this.#engine.recorder;
    const row = this.#row;
    const from = this.#sent;
    const answer = this.#answer!;
    answer.ready(from, to);
    const now = this.#engine.now();
    if (from === 0) {
      ledger.status[row] = 200;
      ledger.firstDueNs[row] = this.#dueNs;
      ledger.firstNs[row] = now;
      if (this.#frames!.opening === null) ledger.headersNs[row] = now;
    }
    if (this.#apart) {
      const base = ledger.tokenBase[row]!;
      if (base >= 0) ledger.tokenNs[base + from] = now;
    }
    this.#sent = to;
    ledger.deliveredTokens[row] = to;
    answer.send();
    if (to < this.#frames!.plan.outputTokens) return;
    ledger.lastNs[row] = now;
    ledger.lastDueNs[row] = this.#dueNs;
    this.#freeSlot(this.#dueNs);
    if (this.#frames!.tail === null) {
      this.#complete();
      return;
    }
    this.#tailIsDue = true;
    this.#tailDueNs = now + this.#engine.options.tailNs;
  }

  /** Its slot, if it has one, is another's from this instant on. */
  #freeSlot(atNs: number): void {
    if (this.#slot !== 'taken') return;
    this.#slot = 'none';
    this.#engine.slots!.release(atNs);
  }

  #complete(): void {
    const { counters } = this.#engine;
    const { plan } = this.#frames!;
    if (plan.broken) {
      counters.faultInjected++;
      this.#finish(OUTCOME_INDEX.faultInjected);
      return;
    }
    counters.complete++;
    counters.promptTokens += plan.promptTokens;
    this.#finish(OUTCOME_INDEX.complete);
  }

  #refuse(error: ApiError, outcome: number = OUTCOME_INDEX.refused): void {
    const ledger = this.#engine.recorder;
    const body = errorBody(error);
    if (outcome === OUTCOME_INDEX.refused) this.#engine.counters.refused++;
    else this.#engine.counters.faultInjected++;
    ledger.headersNs[this.#row] = this.#engine.now();
    ledger.status[this.#row] = error.status;
    this.#res.writeHead(error.status, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) });
    this.#res.end(body);
    this.#finish(outcome);
  }

  #finish(outcome: number): void {
    const { recorder, counters } = this.#engine;
    this.#over = true;
    this.#body = null;
    recorder.endNs[this.#row] = this.#engine.now();
    recorder.outcome[this.#row] = outcome;
    counters.outputTokens += this.#sent;
    counters.inFlight--;
    this.#connection.active.delete(this);
  }
}
