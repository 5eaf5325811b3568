import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M, TTFT_MS } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'the head held back until the first token, in one write with it',
  about:
    'The other half of header-flush: servers that wait for the first token before they answer send head and token together, 200 ms after the request.',
  source: 'arithmetic of M',
  right: 'TTFT 200, here and with header-flush',
  judges: ['success', 'ttft'],
  answer: (asked) => plain(asked, { headMs: TTFT_MS }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
