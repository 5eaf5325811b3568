/** How long the slowest answer of some probes takes. */
import type { Asked } from '../../measure/probe/answer.ts';
import type { Scripted } from './judge-rows.ts';

const ASKED: Asked = {
  kind: 'chat',
  model: 'm',
  tokens: 50,
  includeUsage: true,
  ignoreEos: true,
  promptTokens: 16,
  prompt: '',
  id: 'chatcmpl-0000000000000000',
  created: 0,
  httpVersion: '1.1',
  headers: {},
  place: 0,
  onConnection: 0,
};

/** s. */
export function slowestS(probes: readonly Scripted[]): number {
  let worst = 0;
  for (const probe of probes)
    for (let place = 0; place < 4; place++) {
      const { writes, ending } = probe.answer({ ...ASKED, place });
      worst = Math.max(worst, writes.at(-1)?.atMs ?? 0, ending.kind === 'keep' ? 0 : ending.atMs);
    }
  return worst / 1000;
}
