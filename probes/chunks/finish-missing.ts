import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { ending } from '../kit/chunk.ts';
import { M } from '../kit/profile.ts';
import { closed, streamed, tokens } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'no finish_reason at all: 50 tokens and [DONE]',
  about:
    'Small servers and gateways never set finish_reason; [DONE] ends the stream all the same. Nothing that is measured depends on it.',
  source: 'arithmetic of M; OpenAI’s API reference: a stream is terminated by data: [DONE]',
  right: 'success; M’s figures',
  answer: (asked) => streamed(closed(tokens(asked), ending(asked))),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
