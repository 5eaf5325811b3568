import { expect, it } from 'vitest';
import { timeWaitSockets } from '../../src/system/sockets.ts';

const of = (text: string | null): number | null =>
  timeWaitSockets({ readText: (path) => (path === '/proc/net/sockstat' ? text : null) });

it('reads how many sockets are in TIME_WAIT; null where nothing tells', () => {
  expect(of('sockets: used 154\nTCP: inuse 5 orphan 0 tw 1234 alloc 9 mem 1\nUDP: inuse 0 mem 0\n')).toBe(
    1234,
  );
  expect(of('sockets: used 154\nUDP: inuse 0 tw 3\n')).toBeNull();
  expect(of(null)).toBeNull();
});
