import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { type HeaderList, plain, STREAM_HEADERS } from '../kit/stream.ts';

const LONG: HeaderList = Array.from({ length: 16 }, (_, i) => [
  `x-policy-${String(i + 1).padStart(2, '0')}`,
  'p'.repeat(1000),
]);

export default {
  scope: 'request',
  title: 'a head of 16 KB',
  about:
    'Sixteen fields of 1,000 bytes each, as policies, cookies and tracing add up to behind gateways. There is no limit in HTTP; what a client does not want it may drop where the body’s framing does not depend on it.',
  source: 'RFC 9110 §5.4: no limit is defined; a client MAY discard fields that it can safely ignore',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) => plain(asked, { headers: [...STREAM_HEADERS, ...LONG] }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
