/** How many TCP sockets of this host are in a state that matters to a load. */
import { type HostSources, realSources } from './host.ts';

/** Sockets in TIME_WAIT, by /proc/net/sockstat (one small read, whatever their number); null where it does not tell. IPv4 and IPv6 together. */
export function timeWaitSockets(sources: Pick<HostSources, 'readText'> = realSources): number | null {
  const found = /^TCP:.* tw (\d+)/m.exec(sources.readText('/proc/net/sockstat') ?? '');
  return found === null ? null : Number(found[1]);
}
