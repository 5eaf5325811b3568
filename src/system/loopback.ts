/** Whether a host is this machine by loopback and by nothing else. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** 127.0.0.0/8 and ::1 (also 127.x in its IPv6 spelling). */
export const isLoopbackAddress = (address: string): boolean =>
  LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Every address of a name; throws where there is none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const resolveAll: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** The addresses of a URL's host name (brackets of IPv6 allowed). A name counts as loopback only if all of its addresses are. */
export async function addressesOf(
  hostname: string,
  resolve: Resolve = resolveAll,
): Promise<{ readonly addresses: readonly string[]; readonly loopback: boolean }> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(bare) === 0 ? await resolve(bare) : [bare];
  return { addresses, loopback: addresses.length > 0 && addresses.every(isLoopbackAddress) };
}
