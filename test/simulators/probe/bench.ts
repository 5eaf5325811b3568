/** A probe target without sockets and without waiting: a clock that is moved by hand, wires that write down what they are given. */

import { ProbeConnection } from '../../../simulators/probe/connection.ts';
import { ProbeEngine } from '../../../simulators/probe/engine.ts';
import type { Script } from '../../../simulators/probe/slots.ts';
import { DEFAULT_OPTIONS } from '../../../simulators/reference/options.ts';
import type { Alarm } from '../../../simulators/reference/pacer.ts';
import type { Answer } from '../../../src/measure/probe/answer.ts';

/** What a wire was told: the instant in ms, and the text of a write, `FIN` or `RST`. */
export type Act = readonly [atMs: number, what: string];

export class Bench {
  nowNs = 1e9;
  readonly engine: ProbeEngine;
  #dueNs = Number.POSITIVE_INFINITY;
  readonly #alarm: Alarm = {
    onRing: () => {},
    set: (dueNs) => {
      this.#dueNs = Math.min(this.#dueNs, dueNs);
    },
    stop: () => {},
  };

  constructor(scripts: readonly Script[], plainFirst = 0) {
    this.engine = new ProbeEngine({
      scripts,
      plainFirst,
      model: DEFAULT_OPTIONS.model,
      pacing: 'block',
      maxBodyBytes: 1000,
      tag: '0123abcd',
      now: () => this.nowNs,
      alarm: this.#alarm,
    });
  }

  get nowMs(): number {
    return this.nowNs / 1e6 - 1000;
  }

  /** Moves the clock, ringing on the way; callbacks that were put off have their turn after each ring. */
  async to(ms: number): Promise<void> {
    const untilNs = 1e9 + ms * 1e6;
    await Promise.resolve();
    while (this.#dueNs <= untilNs) {
      this.nowNs = Math.max(this.nowNs, this.#dueNs);
      this.#dueNs = Number.POSITIVE_INFINITY;
      this.#alarm.onRing();
      await Promise.resolve();
    }
    this.nowNs = untilNs;
  }

  connect(): { readonly connection: ProbeConnection; readonly acts: Act[]; send(bytes: string): void } {
    const acts: Act[] = [];
    const connection = new ProbeConnection(this.engine, {
      write: (bytes) => void acts.push([this.nowMs, Buffer.from(bytes).toString('latin1')]),
      end: () => void acts.push([this.nowMs, 'FIN']),
      reset: () => void acts.push([this.nowMs, 'RST']),
    });
    return { connection, acts, send: (bytes) => connection.receive(Buffer.from(bytes, 'latin1')) };
  }
}

const encode = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** A script that writes these texts at these instants, and its id with its place first. */
export const script = (
  id: string,
  writes: readonly (readonly [atMs: number, text: string])[],
  ending: Answer['ending'] = { kind: 'keep' },
): Script => ({
  id,
  answer: () => ({ writes: writes.map(([atMs, text]) => ({ atMs, bytes: encode(text) })), ending }),
});

/** A streamed chat as bytes. */
export function ask(more: object = {}, headers: readonly string[] = [], version = '1.1'): string {
  const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'a b c' }], ...more });
  const head = [
    `POST /v1/chat/completions HTTP/${version}`,
    'host: x',
    `content-length: ${body.length}`,
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
