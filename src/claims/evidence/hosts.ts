/** Whether a claim's client ran on the machine of an audit, by what the claim says of its host; and both hosts in words. Pure. */
import type { HostInfo } from '../../system/host.ts';

type Host = Pick<HostInfo, 'cpu_model' | 'cores' | 'memory_mb' | 'os'>;

/** `Intel(R) Xeon(R) Processor, 2 cores, 24 GB, Debian GNU/Linux 12 (bookworm)`: what `client-host` of a claim may say of it. */
export const hostWords = (host: Host): string =>
  `${host.cpu_model}, ${host.cores} ${host.cores === 1 ? 'core' : 'cores'}, ${Math.round(host.memory_mb / 1024)} GB, ${host.os}`;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\((r|tm)\)|[®™]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The claim names this CPU model and this number of cores. Two machines of one kind read alike: it is the claim's word, no more. */
export function readsAsHost(clientHost: string | null, host: Host): boolean {
  if (clientHost === null) return false;
  const text = plain(clientHost);
  const cores = new RegExp(`(^|[^\\d.,])${host.cores} (virtual |logical |physical )?(cores?|v?cpus?)\\b`);
  return text.includes(plain(host.cpu_model)) && cores.test(text);
}
