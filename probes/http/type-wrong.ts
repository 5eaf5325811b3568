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
  title: 'a stream that is called application/x-ndjson',
  about:
    'Gateways say ndjson, octet-stream or plain text of what they pass on. The bytes are an event stream as it was asked for. A browser’s EventSource would refuse it, so refusing can be defended, if it is said.',
  source: 'RFC 9110 §8.3: implementations examine data whose type is misconfigured; arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    plain(asked, {
      headers: [
        ['content-type', 'application/x-ndjson'],
        ['cache-control', 'no-cache'],
      ],
    }),
  sees: () => M,
  known: [REFUSES],
} satisfies ScriptedProbe;
