import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { KIND } from '../kit/kinds.ts';
import { FAILED, M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

const call = (i: number): object =>
  i === 0
    ? { index: 0, id: 'call_1', type: 'function', function: { name: 'look_up', arguments: ' tok' } }
    : { index: 0, function: { arguments: ' tok' } };

export default {
  scope: 'request',
  title: 'a tool call: 50 deltas of arguments and no content',
  about:
    'The model calls a tool: its output is `tool_calls[].function.arguments`, a token a delta, and content never comes. Those tokens were generated, are in usage and cost the server the same. Tare’s standard knows content and reasoning only; so a client that finds no token here has another definition, and one that reports a TTFT of 0 a fault.',
  source: 'usage counts the tokens of tool calls as completion tokens; docs/metrics.md leaves them out',
  right:
    'success; TTFT 200, E2E 1,180, 50 tokens; or no token, so no figure, where the client’s definition knows text alone',
  judges: ['success'],
  answer: (asked) =>
    asked.kind === 'text'
      ? withParts(asked, () => ({}))
      : withParts(asked, (i) => ({
          delta: { ...(i === 0 ? { role: 'assistant', content: null } : {}), tool_calls: [call(i)] },
          finish: i === 49 ? 'tool_calls' : null,
        })),
  sees: () => M,
  known: [
    {
      ...KIND.contentOnly,
      arithmetic: 'success 0 %',
      sees: () => FAILED,
    },
    {
      ...KIND.zeroForNone,
      arithmetic: 'TTFT 0; no gaps; TPOT (1,180 − 0) / 49 = 24.08',
      sees: () => ({ ...M, ttftMs: 0, itlMs: [] }),
    },
  ],
} satisfies ScriptedProbe;
