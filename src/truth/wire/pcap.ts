/**
 * Reads a capture file (the classic pcap format, https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-04.html) piece by piece, so that
 * a large one is never whole in memory.
 */

/** A record: the packet's captured bytes are `buffer[start … end − 1]`, valid only during the call. */
export interface PcapRecord {
  /** CLOCK_REALTIME. */
  readonly seconds: number;
  readonly nanos: number;
  /** Length on the wire. */
  readonly length: number;
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly linkType: number;
}

/** The file is not one that this reader knows, or is damaged; the message says which. */
export class PcapError extends Error {}

const FILE_HEADER = 24;
const RECORD_HEADER = 16;
/** No packet is captured with more (tcpdump's own maximum): a greater length is damage. */
const MAX_CAPTURED = 262_144;
const MAGIC = { micro: 0xa1b2c3d4, nano: 0xa1b23c4d, next: 0x0a0d0d0a } as const;

interface Format {
  readonly little: boolean;
  readonly nanosPerUnit: number;
  readonly linkType: number;
}

function formatOf(header: Buffer): Format {
  for (const little of [true, false]) {
    const read = (at: number) => (little ? header.readUInt32LE(at) : header.readUInt32BE(at));
    const magic = read(0);
    if (magic === MAGIC.next)
      throw new PcapError('it is a pcapng file; only pcap is read here (editcap -F nsecpcap converts it)');
    // The upper bits of the link type say whether frames end in a checksum.
    if (magic === MAGIC.micro || magic === MAGIC.nano)
      return { little, nanosPerUnit: magic === MAGIC.nano ? 1 : 1000, linkType: read(20) & 0xffff };
  }
  throw new PcapError('it does not begin as a pcap file does');
}

export class PcapReader {
  /** Records read. */
  records = 0;
  readonly #onRecord: (record: PcapRecord) => void;
  #format: Format | null = null;
  #rest: Buffer = Buffer.alloc(0);
  #offset = 0;

  constructor(onRecord: (record: PcapRecord) => void) {
    this.#onRecord = onRecord;
  }

  /** Takes the next piece of the file. @throws PcapError */
  push(piece: Buffer): void {
    const buffer = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    if (this.#format === null) {
      if (buffer.length < FILE_HEADER) {
        this.#rest = buffer;
        return;
      }
      this.#format = formatOf(buffer);
      at = FILE_HEADER;
    }
    const { little, nanosPerUnit, linkType } = this.#format;
    while (at + RECORD_HEADER <= buffer.length) {
      const read = (field: number) =>
        little ? buffer.readUInt32LE(at + 4 * field) : buffer.readUInt32BE(at + 4 * field);
      const captured = read(2);
      if (captured > MAX_CAPTURED)
        throw new PcapError(
          `it is damaged at byte ${this.#offset + at}: a packet of ${captured} captured bytes`,
        );
      const start = at + RECORD_HEADER;
      const end = start + captured;
      if (end > buffer.length) break;
      const nanos = read(1) * nanosPerUnit;
      this.records++;
      this.#onRecord({ seconds: read(0), nanos, length: read(3), buffer, start, end, linkType });
      at = end;
    }
    this.#offset += at;
    this.#rest = buffer.subarray(at);
  }

  /** The file is at its end; true where its last record was cut off (a capture that was killed). @throws PcapError for an empty file. */
  end(): boolean {
    if (this.#format === null) throw new PcapError('it is shorter than the header of a pcap file');
    return this.#rest.length > 0;
  }
}
