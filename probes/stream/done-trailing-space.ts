import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { OPENAI_STREAM } from '../kit/grammar.ts';
import { FAILED, M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'a blank behind [DONE]',
  about:
    '`data: [DONE] ` is not what is compared with, character by character; but it stands behind an answer that is whole, and nothing else can be meant. To call the request failed throws away a sound answer.',
  source: `${OPENAI_STREAM}; arithmetic of M: every token, finish_reason and usage came before`,
  right: 'a success; TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data) => event(data === '[DONE]' ? '[DONE] ' : data)),
  sees: () => M,
  known: [
    {
      kind: 'requires-done',
      what: 'counts an answer as whole only where data: [DONE] ends it, spelled so',
      arithmetic: 'success 0 % (−100 points)',
      definition: true,
      sees: () => FAILED,
    },
  ],
} satisfies ScriptedProbe;
