import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { DONE, event, usageChunk } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { likeM, M } from '../kit/profile.ts';
import { spelled } from '../kit/stream.ts';

/** `"index":0` and the count of tokens, as another JSON writer may spell them. */
const odd = (json: string): string =>
  json.replace('"index":0', '"index":0.0').replace('"completion_tokens":50', '"completion_tokens":5e1');

export default {
  scope: 'request',
  fragile: true,
  title: 'whole numbers as 0.0 and 5e1',
  about:
    'JSON has one kind of number; Lua, JavaScript and PHP servers may write a whole one with a fraction or an exponent. The count of tokens is 50. Strictly typed readers reject it, others turn it into nothing.',
  source: 'RFC 8259 §6; JSON Schema 2020-12, validation §6.1.1: a number with a zero fraction is an integer',
  right: 'success; 50 tokens; M’s figures',
  judges: ['success', 'tokens', 'tpot', 'ntpot'],
  answer: (asked) => spelled(asked, (json) => event(odd(json)), {}, event(odd(usageChunk(asked))) + DONE),
  sees: () => M,
  known: [
    {
      ...KIND.usageMissed,
      arithmetic: '0 tokens; no TPOT and no NTPOT',
      sees: () => likeM({ tokens: 0 }),
    },
  ],
} satisfies ScriptedProbe;
