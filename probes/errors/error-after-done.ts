import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { errorChunk, event } from '../kit/chunk.ts';
import { M } from '../kit/profile.ts';
import { closed, plainPieces } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  title: 'an error object behind [DONE]',
  about:
    '[DONE] ends the stream. What a server writes behind it is not part of the answer, which was whole: the request succeeded, and the figures are M’s.',
  source: 'OpenAI API: a stream ends with data: [DONE]',
  right: 'success; as M: TTFT 200, E2E 1,180, 50 tokens',
  judges: ['success'],
  answer: (asked) => closing(closed(plainPieces(asked), event(errorChunk()))),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
