import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  fragile: true,
  title: 'chunks without an id',
  about:
    'Several servers leave the id out. Nothing that is measured needs it; whoever joins requests by it cannot be joined.',
  source: 'arithmetic of M; RFC 8259: a member that is absent has no value',
  right: 'success; M’s figures',
  answer: (asked) => withParts(asked, () => ({ extra: { id: undefined } })),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
