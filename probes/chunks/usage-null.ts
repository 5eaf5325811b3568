import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  title: '"usage": null in every chunk but the usage chunk',
  about:
    'OpenAI does so where include_usage was asked for. The key is in every chunk, its value in one: a client that reads fields of it wherever the key is fails, one that takes the key for the sign of the usage chunk reads no text.',
  source:
    'OpenAI’s API reference, stream_options.include_usage: "All other chunks will also include a usage field, but with a null value"',
  right: 'success; 50 tokens; M’s figures',
  judges: ['tokens', 'ttft', 'itl', 'tpot', 'ntpot'],
  answer: (asked) => withParts(asked, () => ({ usage: null })),
  sees: () => M,
  known: [
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT: the first usage that it met was null',
      sees: () => likeM({ tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
