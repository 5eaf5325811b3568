/** From a capture file to the completion requests in it. */
import { createReadStream } from 'node:fs';
import { UserError } from '../../system/user-error.ts';
import { Conversation, type NotUnderstood } from './conversation.ts';
import { PcapError, PcapReader, type PcapRecord } from './pcap.ts';
import { FLAG, isKnownLink, segmentOf } from './segment.ts';
import type { WireRequest } from './wire-request.ts';

/** Turns a stamp of the capture (CLOCK_REALTIME) into ns of CLOCK_MONOTONIC. */
export type ToMonotonic = (seconds: number, nanos: number) => number;

export interface WireCapture {
  /** In the order of their heads. */
  readonly requests: readonly WireRequest[];
  /** Requests for something else than a completion. */
  readonly otherRequests: number;
  readonly connections: number;
  /** Connections that are not HTTP/1.1 with one request after the other, by what they are. */
  readonly notUnderstood: Readonly<Partial<Record<NotUnderstood, number>>>;
  readonly packets: number;
  /** Bytes that the receiver acknowledged and the capture does not hold. */
  readonly unseenBytes: number;
  /** The file ends within a packet: the capture was killed. */
  readonly isTruncated: boolean;
}

export class CaptureReader {
  readonly #port: number;
  readonly #toMonotonic: ToMonotonic;
  readonly #pcap = new PcapReader((record) => this.#take(record));
  readonly #all: Conversation[] = [];
  /** The latest connection of each client address. */
  readonly #open = new Map<string, { readonly conversation: Conversation; readonly syn: number | null }>();

  constructor(port: number, toMonotonic: ToMonotonic) {
    this.#port = port;
    this.#toMonotonic = toMonotonic;
  }

  /** The next piece of the file. @throws PcapError */
  push(piece: Buffer): void {
    this.#pcap.push(piece);
  }

  /** What was in it. @throws PcapError */
  end(): WireCapture {
    const isTruncated = this.#pcap.end();
    const notUnderstood: Partial<Record<NotUnderstood, number>> = {};
    for (const { notUnderstood: what } of this.#all)
      if (what !== null) notUnderstood[what] = (notUnderstood[what] ?? 0) + 1;
    const sum = (of: (one: Conversation) => number) => this.#all.reduce((total, one) => total + of(one), 0);
    return {
      // What follows a breach of the rules is not to be trusted, nor what came before it on that connection.
      requests: this.#all
        .flatMap((one) => (one.notUnderstood === null ? one.requests : []))
        .sort((a, b) => a.requestNs - b.requestNs),
      otherRequests: sum((one) => one.others),
      connections: this.#all.length,
      notUnderstood,
      packets: this.#pcap.records,
      unseenBytes: sum((one) => one.unseen),
      isTruncated,
    };
  }

  #take(record: PcapRecord): void {
    if (!isKnownLink(record.linkType))
      throw new PcapError(`its link type ${record.linkType} is not known here`);
    const segment = segmentOf(record, this.#port);
    if (segment === null) return;
    const opens = segment.toTarget && (segment.flags & FLAG.syn) !== 0;
    let open = this.#open.get(segment.client);
    // A port that is used again begins with another sequence number; a repeated SYN has the same.
    if (open === undefined || (opens && open.syn !== segment.sequence)) {
      const conversation = new Conversation(this.#all.length);
      this.#all.push(conversation);
      open = { conversation, syn: opens ? segment.sequence : null };
      this.#open.set(segment.client, open);
    }
    open.conversation.take(this.#toMonotonic(record.seconds, record.nanos), segment);
  }
}

/** Reads a capture file. @throws UserError where it cannot be read. */
export async function readCapture(
  file: string,
  port: number,
  toMonotonic: ToMonotonic,
): Promise<WireCapture> {
  const reader = new CaptureReader(port, toMonotonic);
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }))
      reader.push(piece as Buffer);
    return reader.end();
  } catch (error) {
    throw new UserError(`${file} cannot be read as a capture: ${(error as Error).message}`);
  }
}
