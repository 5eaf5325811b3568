import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { bytesOf, plain } from '../kit/stream.ts';

export default {
  scope: 'run',
  requests: 24,
  rateRps: 10,
  title: 'an empty line behind each answer, on a connection that stays open',
  about:
    'Two bytes too many, as old servers send them behind a body. They belong to no answer: a client drops them, or the connection with them, and its next request goes well.',
  source:
    'RFC 9112 §6.3: a user agent MAY discard what follows the final answer, and MUST NOT process it as a separate one',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens; no request fails',
  judges: ['success'],
  answer: (asked) => {
    const { writes, ending } = plain(asked);
    return { writes: [...writes, { atMs: writes.at(-1)!.atMs, bytes: bytesOf('\r\n') }], ending };
  },
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
