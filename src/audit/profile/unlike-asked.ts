/** Whether answers really came as the layer says, by the ledger and the front: a client may not do what its facts say. Pure. */
import type { ProfilePoint, Written } from './document.ts';
import { ONE_WRITE, type PlannedLayer } from './layers.ts';

/** `fatal`: the costs are of something else than what the layer is called. */
export interface Unlike {
  readonly words: string;
  readonly fatal: boolean;
}

const MOST = 0.02;

/** Share of the requests that came in this version of HTTP. */
function shareOf({ requests }: NonNullable<Written['front']>, http: string): number {
  const all = Object.values(requests).reduce((sum, count) => sum + count, 0);
  return all === 0
    ? 0
    : Object.entries(requests).reduce(
        (sum, [version, count]) => sum + (version.startsWith(http) ? count : 0),
        0,
      ) / all;
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');

/** What was otherwise, or null. */
export function unlikeAsked(
  layer: Pick<PlannedLayer, 'layer' | 'front' | 'latency' | 'variants'>,
  points: readonly ProfilePoint[],
): Unlike | null {
  for (const { cost, tokens } of points) {
    if (cost === null) continue;
    const { streamed_share: streamed, token_writes: writes, front } = cost.written;
    const json = layer.layer === 'json';
    if (json && streamed > MOST)
      return {
        fatal: true,
        words: `it asked for a stream in ${(streamed * 100).toFixed(0)} % of its requests, where it was told to ask for whole answers`,
      };
    if (!json && streamed < 1 - MOST)
      return {
        fatal: true,
        words: `it asked for a whole answer in ${((1 - streamed) * 100).toFixed(0)} % of its requests, where a stream was measured`,
      };
    if (!json && layer.latency === ONE_WRITE && writes > 1 + MOST)
      return { fatal: true, words: `answers left in ${writes.toFixed(1)} writes instead of one` };
    if (!json && layer.latency !== ONE_WRITE && writes < (1 - MOST) * cost.delivered_tokens)
      return {
        fatal: false,
        words: `answers of ${tokens} tokens left in ${writes.toFixed(1)} writes: the target was late and wrote some together`,
      };
    if (layer.front !== null && front === null)
      return { fatal: true, words: 'the front kept no record of what was negotiated' };
    if (front === null) continue;
    const http2 = shareOf(front, '2');
    if (layer.front === 'http2' && http2 < 1 - MOST)
      return {
        fatal: true,
        words: `HTTP/2 was offered and it did not take it: ${listed(front.connections)}`,
      };
    if (layer.front === 'tls' && http2 > 0)
      return { fatal: true, words: `it spoke HTTP/2 where HTTP/1.1 was meant` };
  }
  return null;
}
