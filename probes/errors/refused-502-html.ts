import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { FAILED, HEAD_MS } from '../kit/profile.ts';
import { REFUSED } from '../kit/refusal.ts';
import { whole } from '../kit/stream.ts';

export default {
  scope: 'request',
  rough: true,
  title: '502 with a proxy’s HTML page',
  about:
    'The error comes from a proxy that knows no JSON. A client that parses an error’s body before it looks at the status stumbles over it.',
  source: 'RFC 9110 §15: a status of 4xx or 5xx is an error; §15.6.3',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: () =>
    whole('502 Bad Gateway', '<html><body><h1>502 Bad Gateway</h1></body></html>\r\n', HEAD_MS, [
      ['content-type', 'text/html'],
    ]),
  sees: () => FAILED,
  known: [REFUSED],
} satisfies ScriptedProbe;
