import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  title: '"error": null in every chunk',
  about:
    'Gateways copy a structure that has both choices and error, and say that there is none. A client that looks for the key `error` and not for a value fails every request.',
  source: 'arithmetic of M; a null error is no error',
  right: 'success; M’s figures',
  answer: (asked) => withParts(asked, () => ({ extra: { error: null } })),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
