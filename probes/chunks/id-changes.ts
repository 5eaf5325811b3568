import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  title: 'every chunk has an id of its own, but for the first',
  about:
    'OpenAI says that each chunk has the same id; some gateways give every chunk a new one. They are still events of one response.',
  source:
    'arithmetic of M; one response on one connection is one answer, whatever its chunks are called (RFC 9112 §6)',
  right: 'success; M’s figures',
  answer: (asked) => withParts(asked, (i) => (i === 0 ? {} : { extra: { id: `${asked.id}-${i}` } })),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
