import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { INTERPRETING } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { M } from '../kit/profile.ts';
import { cutPieces } from '../kit/spelling.ts';
import { plainPieces, streamed } from '../kit/stream.ts';

const EARLY = 15;

export default {
  scope: 'request',
  title: 'the empty line of each event 15 ms behind its data line',
  about:
    'An event is dispatched at its empty line, so that is when its token is there. The data line comes 15 ms before. A client that acts on a line that is JSON, without the empty line, is early by that: it can be defended, and is named.',
  source: `${INTERPRETING}: “If the line is empty (a blank line): Dispatch the event”`,
  right: 'TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens: the instants of the empty lines',
  judges: ['ttft'],
  answer: (asked) => streamed(cutPieces(plainPieces(asked), EARLY, (bytes) => bytes.indexOf(0x0a) + 1)),
  sees: () => M,
  known: [
    {
      kind: 'line-as-event',
      what: 'takes a data line for an event and does not wait for the empty line',
      definition: true,
      arithmetic: 'TTFT 185 (−7.5 %); E2E 1,165; mean ITL 20; TPOT 980 / 49 = 20',
      sees: () => seenAt(TOKEN_INSTANTS.map((at) => at - EARLY)),
    },
  ],
} satisfies ScriptedProbe;
