/** From a captured packet to a TCP segment: link layer, IPv4 or IPv6, TCP. */
import type { PcapRecord } from './pcap.ts';

/** Link types of https://www.tcpdump.org/linktypes.html, each with the bytes ahead of IP and where the protocol is named (null: nowhere). */
const LINKS: ReadonlyMap<number, { readonly header: number; readonly protocolAt: number | null }> = new Map([
  [1, { header: 14, protocolAt: 12 }], // EN10MB, as Linux gives for lo
  [12, { header: 0, protocolAt: null }], // RAW as some systems number it
  [101, { header: 0, protocolAt: null }], // RAW
  [113, { header: 16, protocolAt: 14 }], // LINUX_SLL
  [228, { header: 0, protocolAt: null }], // IPV4
  [229, { header: 0, protocolAt: null }], // IPV6
  [276, { header: 20, protocolAt: 0 }], // LINUX_SLL2
]);

const ETHERTYPE = { v4: 0x0800, v6: 0x86dd } as const;
const TCP = 6;

export const FLAG = { fin: 0x01, syn: 0x02, rst: 0x04, ack: 0x10 } as const;

export interface Segment {
  /** Whether it goes to the target. */
  readonly toTarget: boolean;
  /** The client's address and port. */
  readonly client: string;
  readonly sequence: number;
  readonly acknowledged: number;
  readonly flags: number;
  /** Bytes of payload on the wire. */
  readonly length: number;
  /** Its payload as far as it was captured: bytes of the record, valid as long as they are. */
  readonly payload: Buffer;
}

export const isKnownLink = (linkType: number): boolean => LINKS.has(linkType);

/** The segment of a record; null where it is none of `port`'s, or too little of it was captured. */
export function segmentOf(record: PcapRecord, port: number): Segment | null {
  const { buffer, start, end } = record;
  const link = LINKS.get(record.linkType);
  if (link === undefined) return null;
  const ip = start + link.header;
  if (ip + 20 > end) return null;
  const version = buffer[ip]! >> 4;
  if (link.protocolAt !== null) {
    const protocol = buffer.readUInt16BE(start + link.protocolAt);
    if (protocol !== (version === 4 ? ETHERTYPE.v4 : ETHERTYPE.v6)) return null;
  }
  let tcp: number;
  let total: number;
  let addresses: readonly [number, number, number];
  if (version === 4) {
    if (buffer[ip + 9] !== TCP) return null;
    tcp = ip + (buffer[ip]! & 15) * 4;
    total = buffer.readUInt16BE(ip + 2);
    addresses = [ip + 12, ip + 16, 4];
  } else if (version === 6) {
    // Extension headers do not occur on loopback.
    if (ip + 40 > end || buffer[ip + 6] !== TCP) return null;
    tcp = ip + 40;
    const payload = buffer.readUInt16BE(ip + 4);
    total = payload === 0 ? 0 : payload + 40;
    addresses = [ip + 8, ip + 24, 16];
  } else return null;
  if (tcp + 20 > end) return null;
  const source = buffer.readUInt16BE(tcp);
  const destination = buffer.readUInt16BE(tcp + 2);
  const toTarget = destination === port;
  if (!toTarget && source !== port) return null;
  // Packets too large for the field (offloading on the sender's side) have 0 there.
  const length = (total === 0 ? record.length - link.header : total) - (tcp - ip);
  const header = (buffer[tcp + 12]! >> 4) * 4;
  const [sourceAt, destinationAt, size] = addresses;
  const address = toTarget ? sourceAt : destinationAt;
  return {
    toTarget,
    client: `${buffer.toString('latin1', address, address + size)}:${toTarget ? source : destination}`,
    sequence: buffer.readUInt32BE(tcp + 4),
    acknowledged: buffer.readUInt32BE(tcp + 8),
    flags: buffer[tcp + 13]!,
    length: length - header,
    payload: buffer.subarray(Math.min(tcp + header, end), Math.min(tcp + length, end)),
  };
}
