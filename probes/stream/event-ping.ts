import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { inOrder, seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { inEveryGap, MIDDLES, woven } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const BEFORE = [50, 100, 150];
const PING = 'event: ping\ndata: {"type": "ping"}\n\n';

export default {
  scope: 'request',
  title: '`event: ping` with an object of its own, before the first token and between tokens',
  about:
    'Gateways to Anthropic’s API keep the connection open with `event: ping` and `{"type": "ping"}`. It has data, and they are JSON, but no chunk: there are no choices in it, and no token.',
  source:
    'Anthropic API, streaming: “Event streams may also include any number of ping events” (docs.anthropic.com); arithmetic of M: an object without choices holds no token',
  right: 'as without pings: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    streamed(
      woven(
        BEFORE.map((atMs) => ({ atMs, body: PING })),
        inEveryGap(() => PING),
        plainPieces(asked),
      ),
    ),
  sees: () => M,
  known: [
    {
      kind: 'event-as-token',
      what: 'takes any event for a token, whatever is in it',
      arithmetic:
        'TTFT 50 (−75 %); mean ITL (1,180 − 50) / 101 = 11.19; TPOT (1,180 − 50) / 49 = 23.06 (+15 %)',
      sees: () => seenAt(inOrder(BEFORE, MIDDLES, TOKEN_INSTANTS)),
    },
  ],
} satisfies ScriptedProbe;
