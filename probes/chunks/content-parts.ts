import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { TOKEN_TEXT } from '../kit/chunk.ts';
import { KIND } from '../kit/kinds.ts';
import { FAILED, M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

export default {
  scope: 'request',
  fragile: true,
  title: 'content as a list of parts',
  about:
    'Mistral’s newer models stream `content` as a list of parts, `[{"type":"text","text":" tok"}]`, where OpenAI’s has a string. The text is there, but no specification that a client must know says so: a client that finds no token has another definition of content.',
  source: 'Mistral’s API, ContentChunk; OpenAI’s API reference: delta.content is a string or null',
  right: 'success; TTFT 200, E2E 1,180, 50 tokens; or no token, so no figure, where content must be a string',
  judges: ['success'],
  answer: (asked) =>
    asked.kind === 'text'
      ? withParts(asked, () => ({}))
      : withParts(asked, () => ({ delta: { content: [{ type: 'text', text: TOKEN_TEXT }] } })),
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
