/**
 * Remembers what bodies asked for. A body that is the same, byte for byte, as one before has the same meaning, so load that
 * repeats its prompts is parsed once, and its answers' bytes are made once. Bounded in entries and in bytes: when full, it
 * starts afresh.
 */
import type { ApiError } from './api-error.ts';
import { type FrameOptions, Frames } from './frames.ts';
import { type Second, secondOf } from './piece.ts';
import { type Kind, type ModelSpec, type Plan, planOfBytes } from './plan.ts';

export type Order =
  | { readonly ok: true; readonly frames: Frames }
  | { readonly ok: false; readonly error: ApiError };

const MOST_ENTRIES = 4096;
const MOST_BYTES = 64 * 2 ** 20;
/** Longer bodies are parsed each time. */
const LONGEST_BODY = 64 * 1024;

const planKey = (plan: Plan): string => JSON.stringify(plan);

export class PlanCache {
  readonly #model: ModelSpec;
  readonly #options: FrameOptions;
  readonly #orders = { chat: new Map<string, Order>(), text: new Map<string, Order>() };
  readonly #frames = new Map<string, Frames>();
  #bytes = 0;

  constructor(model: ModelSpec, options: FrameOptions) {
    this.#model = model;
    this.#options = options;
  }

  /** What this body asks for. */
  order(kind: Kind, body: Buffer): Order {
    if (body.length > LONGEST_BODY) return this.#read(kind, body);
    // Latin-1 gives each byte a character of its own: equal keys are equal bodies.
    const key = body.toString('latin1');
    const orders = this.#orders[kind];
    let order = orders.get(key);
    if (order === undefined) {
      this.#makeRoom();
      order = this.#read(kind, body);
      orders.set(key, order);
      this.#bytes += 2 * body.length;
    }
    return order;
  }

  #read(kind: Kind, body: Buffer): Order {
    const read = planOfBytes(kind, body, this.#model);
    if (!read.ok) return read;
    const key = planKey(read.plan);
    let frames = this.#frames.get(key);
    if (frames === undefined) {
      this.#makeRoom();
      frames = new Frames(read.plan, this.#options, currentSecond(), (bytes) => {
        this.#bytes += bytes;
      });
      this.#frames.set(key, frames);
    }
    return { ok: true, frames };
  }

  #makeRoom(): void {
    const entries = this.#orders.chat.size + this.#orders.text.size + this.#frames.size;
    if (entries < MOST_ENTRIES && this.#bytes < MOST_BYTES) return;
    this.#orders.chat.clear();
    this.#orders.text.clear();
    this.#frames.clear();
    this.#bytes = 0;
  }
}

let second: Second = secondOf(0);

/** The wall clock's second; the same object until it changes. */
export function currentSecond(): Second {
  const epochSeconds = Math.floor(Date.now() / 1000);
  if (epochSeconds !== second.created) second = secondOf(epochSeconds);
  return second;
}
