import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { M } from '../kit/profile.ts';
import { spelled } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'a field error that is null, in every chunk',
  about: 'Servers that spell every field out send "error": null with each token. That is no error.',
  source: 'JSON: null is the absence of a value; arithmetic of M',
  right: 'success; as M: TTFT 200, E2E 1,180, 50 tokens',
  judges: ['success'],
  answer: (asked) => spelled(asked, (json) => event(JSON.stringify({ ...JSON.parse(json), error: null }))),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
