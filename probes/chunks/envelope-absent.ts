import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  fragile: true,
  title: 'chunks without object, created and model',
  about:
    'Only id and choices are there. No figure depends on the rest, but a client with a strict model of a chunk rejects it.',
  source: 'arithmetic of M; docs/metrics.md: a token is a non-empty content, which is there',
  right: 'success; M’s figures',
  answer: (asked) =>
    withParts(asked, () => ({ extra: { object: undefined, created: undefined, model: undefined } })),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
