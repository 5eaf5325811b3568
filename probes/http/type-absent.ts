import type { Known, ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED, M } from '../kit/profile.ts';
import { plain } from '../kit/stream.ts';

const REFUSES: Known = {
  kind: 'refuses-content-type',
  what: 'takes a stream only if it is called text/event-stream, as WHATWG HTML §9.2.3 asks of a browser',
  arithmetic: 'success 0 %',
  definition: true,
  sees: () => FAILED,
};

export default {
  scope: 'request',
  title: 'no content-type',
  about:
    'The answer does not say what it is. It was asked for as a stream, and every byte of it is one; HTTP lets the recipient look. A browser’s EventSource would refuse it, so refusing can be defended, if it is said.',
  source: 'RFC 9110 §8.3: without a content-type the recipient MAY examine the data',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => plain(asked, { headers: [['cache-control', 'no-cache']] }),
  sees: () => M,
  known: [REFUSES],
} satisfies ScriptedProbe;
