import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole, type WireRequest } from '../../../src/truth/wire/wire-request.ts';
import { capture, instantOf, isToTarget, payloadOf, read, split } from './captures.ts';

const ids = (requests: readonly WireRequest[]) => requests.map((r) => [r.requestId, r.responseId]);

describe('a capture of requests on one connection', () => {
  const file = capture('keepalive');
  const { header, records } = split(file);
  const sent = records.filter((record) => isToTarget(record) && payloadOf(record) > 0);
  const answered = records.filter((record) => !isToTarget(record) && payloadOf(record) > 0);
  const { requests, otherRequests, ...rest } = read(file);

  it('holds three completions and a GET', () => {
    expect(ids(requests)).toEqual([
      ['req-1', 'chatcmpl-1'],
      ['req-2', 'chatcmpl-2'],
      ['req-3', 'chatcmpl-3'],
    ]);
    expect(otherRequests).toBe(1);
    expect(rest).toMatchObject({ connections: 1, notUnderstood: {}, unseenBytes: 0, isTruncated: false });
    expect(rest.packets).toBe(records.length);
    expect(requests.every((request) => request.status === 200 && !request.hasGap)).toBe(true);
    expect(requests.map(({ ending }) => ending)).toEqual(['seen', 'seen', 'seen']);
  });

  it('stamps a request with the segment that completes its head, neither before nor with its body', () => {
    // Request, GET, head, body, the head's first 30 bytes, its rest with half the body, the rest.
    expect(sent).toHaveLength(7);
    expect(requests.map((request) => request.requestNs)).toEqual(
      [sent[0], sent[2], sent[5]].map((record) => instantOf(record!)),
    );
  });

  it('tells head, first token, last token and end apart', () => {
    // Head with the role, three tokens, the end; the GET's answer comes behind the first five.
    expect(answered).toHaveLength(16);
    for (const [i, at] of [0, 6, 11].entries()) {
      const { headNs, firstNs, lastNs, endNs } = requests[i]!;
      expect([headNs, firstNs, lastNs, endNs]).toEqual([0, 1, 3, 4].map((k) => instantOf(answered[at + k]!)));
    }
  });

  it('reads the same in pieces of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: file.length }), (size) => {
        expect(read(file, size).requests).toEqual(requests);
      }),
      { numRuns: 50 },
    );
  });

  it('counts nothing twice that was sent again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: records.length - 1 }), fc.nat(8), (which, later) => {
        const again = records.toSpliced(Math.min(which + later, records.length), 0, records[which]!);
        expect(read(Buffer.concat([header, ...again])).requests).toEqual(requests);
      }),
    );
  });

  it('says of lost packets what was lost, and leaves out the requests that they touched', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: records.length - 4 }), (which) => {
        const lost = records[which]!;
        const found = read(Buffer.concat([header, ...records.toSpliced(which, 1)]));
        expect(found.unseenBytes).toBe(payloadOf(lost));
        const whole = found.requests.filter((request) => !request.hasGap);
        expect(requests).toEqual(expect.arrayContaining(whole));
        expect(whole.length).toBeGreaterThanOrEqual(payloadOf(lost) === 0 ? 3 : 2);
      }),
    );
  });

  it('ends with the last whole record where the file was cut', () => {
    const cut = read(file.subarray(0, file.length - 5));
    expect(cut.isTruncated).toBe(true);
    expect(cut.requests).toEqual(requests);
  });

  it('trusts no answer whose end came after the end of the capture, wherever that was', () => {
    for (let kept = 1; kept <= records.length; kept++) {
      const cut = read(Buffer.concat([header, ...records.slice(0, kept)]));
      const whole = cut.requests.filter(isWhole);
      // The same instants as in the whole capture, or none.
      expect(requests.slice(0, whole.length)).toEqual(whole);
      const answers = requests.filter(({ endNs }) => endNs <= instantOf(records[kept - 1]!));
      expect(whole).toHaveLength(answers.length);
    }
  });

  it('tells an answer that was broken off from one that the capture lost', () => {
    const token = records.indexOf(answered[12]!);
    const reset = Buffer.from(records[token]!);
    reset[16 + 14 + 20 + 13] = 0x04;
    const found = read(Buffer.concat([header, ...records.slice(0, token), reset]));
    expect(found.requests.map(({ ending }) => ending)).toEqual(['seen', 'seen', 'closed']);
  });

  it('joins nothing across what snaplen cut: a token is not stamped on the segment behind', () => {
    const first = records.indexOf(answered[1]!);
    const text = records[first]!.toString('latin1');
    const upTo = /"content":\s*"/.exec(text)!;
    const kept = Buffer.from(records[first]!.subarray(0, upTo.index + upTo[0].length));
    kept.writeUInt32LE(kept.length - 16, 8);
    const { requests: found } = read(Buffer.concat([header, ...records.with(first, kept)]));
    // Whether the token began in it cannot be known: it counts as lost.
    expect(found.map((request) => request.hasGap)).toEqual([true, false, false]);
    expect(found[0]!.firstNs).toBe(instantOf(answered[2]!));
    expect(found.slice(1)).toEqual(requests.slice(1));
  });

  it('finds heads that snaplen cut, without what stood beyond', () => {
    // 110 bytes: the link, IP and TCP headers (66), and the first line of a head that is in one segment.
    const short = records.map((record) => {
      const kept = Buffer.from(record.subarray(0, 16 + Math.min(110, record.length - 16)));
      kept.writeUInt32LE(kept.length - 16, 8);
      return kept;
    });
    const { requests: found } = read(Buffer.concat([header, ...short]));
    expect(found.map((request) => request.requestId)).toEqual([null, null, 'req-3']);
    expect(found.map((request) => request.headNs)).toEqual(requests.map((request) => request.headNs));
    expect(found.map((request) => request.endNs)).toEqual(requests.map((request) => request.endNs));
  });
});

it('reads IPv6, microseconds and another snaplen alike', () => {
  const { requests, otherRequests } = read(capture('keepalive6'));
  expect(ids(requests)).toEqual([
    ['req-1', 'chatcmpl-1'],
    ['req-2', 'chatcmpl-2'],
    ['req-3', 'chatcmpl-3'],
  ]);
  expect(otherRequests).toBe(1);
  for (const { requestNs, headNs, firstNs, lastNs, endNs } of requests) {
    const [wait, decode] = [firstNs - headNs, lastNs - firstNs].map((ns) => ns / 1e6);
    expect(headNs).toBeGreaterThan(requestNs);
    expect(wait).toBeGreaterThan(2);
    expect(decode).toBeGreaterThan(4);
    expect(endNs).toBeGreaterThan(lastNs);
  }
});

it.each(['reuse', 'sll', 'sll2'])('tells connections of one port apart: %s', (name) => {
  const { requests, connections } = read(capture(name));
  expect(connections).toBe(2);
  expect(ids(requests)).toEqual([
    ['req-1', 'chatcmpl-1'],
    ['req-2', 'chatcmpl-2'],
  ]);
  expect(requests.map((request) => request.connection)).toEqual([0, 1]);
});

it('says that pipelining is not understood, and believes nothing of that connection', () => {
  const { requests, notUnderstood } = read(capture('pipelined'));
  expect(notUnderstood).toEqual({ pipelining: 1 });
  expect(requests).toEqual([]);
});

describe('a file that is no capture', () => {
  it.each([
    ['pcapng', Buffer.from('0a0d0d0a00000000000000000000000000000000000000000000', 'hex'), /editcap/],
    ['text', Buffer.from('arrival_ns,headers_ns,first_ns,last_ns'), /does not begin/],
    ['cut within its header', capture('reuse').subarray(0, 20), /shorter than/],
    ['damaged', Buffer.concat([capture('reuse').subarray(0, 24), Buffer.alloc(16, 0xff)]), /byte 24/],
  ])('%s', (_, file, message) => {
    expect(() => read(file)).toThrow(message);
  });
});
