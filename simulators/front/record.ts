/** What was really negotiated with the clients of a front, and how much went through it. */

export interface FrontRecord {
  readonly version: 1;
  /** What was offered: HTTP/1.1 alone, or HTTP/2 before it. */
  readonly protocol: FrontProtocol;
  /** Connections whose handshake was complete, by what it came to, e.g. `TLSv1.3 h2`; `none` where no protocol was negotiated. */
  readonly connections: Readonly<Record<string, number>>;
  /** Handshakes that failed, by reason. */
  readonly failed: Readonly<Record<string, number>>;
  /** Requests by the version of HTTP that they came in. */
  readonly requests: Readonly<Record<string, number>>;
  /** Pieces of answers' bodies written. */
  readonly writes: number;
  /** Answers that the target did not give whole. */
  readonly broken: number;
}

export const FRONT_PROTOCOLS = ['tls', 'http2'] as const;
export type FrontProtocol = (typeof FRONT_PROTOCOLS)[number];

/** Counts what a front sees. */
export class FrontCounts {
  readonly connections: Record<string, number> = {};
  readonly failed: Record<string, number> = {};
  readonly requests: Record<string, number> = {};
  writes = 0;
  broken = 0;

  static add(counts: Record<string, number>, key: string): void {
    counts[key] = (counts[key] ?? 0) + 1;
  }

  record(protocol: FrontProtocol): FrontRecord {
    const { connections, failed, requests, writes, broken } = this;
    return { version: 1, protocol, connections, failed, requests, writes, broken };
  }
}
