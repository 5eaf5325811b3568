import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { plain, STREAM_HEADERS } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'fields with an empty value',
  about:
    'A field may be there and be empty: here server, x-request-id and vary. It says nothing, and is no end of the head.',
  source: 'RFC 9110 §5.5: field-value = *field-content',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success'],
  answer: (asked) =>
    plain(asked, { headers: [['server', ''], ...STREAM_HEADERS, ['x-request-id', ''], ['vary', '']] }),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
