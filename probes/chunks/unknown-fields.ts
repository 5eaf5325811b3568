import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { TOKEN_TEXT } from '../kit/chunk.ts';
import { likeM, M, TOKENS, TTFT_MS } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

/** Names that mean something elsewhere, at a place where they mean nothing. */
const TRAP = {
  engine: { usage: { completion_tokens: 999, prompt_tokens: 1 }, choices: [{ delta: { content: ' tok' } }] },
  note: '"choices":[],"content":"","finish_reason":"stop"} data: [DONE]',
  depth: [[[[[[[[{ a: { b: { c: null } } }]]]]]]]],
};

export default {
  scope: 'request',
  title: 'fields that no specification knows, with familiar names within them',
  about:
    'Servers add fields of their own at every level. Here they hold an object `usage` that says 999, a list `choices` and a string that looks like the end of the stream: all of it at places where it means nothing.',
  source:
    'RFC 8259: meaning is by place in the object; OpenAI’s API reference, "Backwards compatibility": new properties may be added to responses',
  right: 'success; 50 tokens; M’s figures',
  answer: (asked) =>
    withParts(asked, (i) => {
      const end = {
        logprobs: null,
        finish_reason: i === TOKENS - 1 ? 'length' : null,
        stop_reason: null,
        x_extra: TRAP,
      };
      const choice =
        asked.kind === 'chat'
          ? { index: 0, delta: { content: TOKEN_TEXT, x_extra: TRAP }, ...end }
          : { index: 0, text: TOKEN_TEXT, ...end };
      return { choices: [choice], extra: { x_extra: TRAP, provider: 'example', timings: { step_ms: 20.0 } } };
    }),
  sees: () => M,
  known: [
    {
      kind: 'fields-by-search',
      what: 'finds usage by its name anywhere in the chunk’s text',
      arithmetic: '999 tokens (×20); TPOT 980 / 998 = 0.98; NTPOT 1,180 / 999 = 1.18',
      sees: () => likeM({ tokens: 999 }),
    },
    {
      kind: 'end-by-search',
      what: 'ends the stream where it finds [DONE] anywhere in an event’s text: at the first one',
      arithmetic: 'E2E 200 (−83 %), no gaps, 1 token; NTPOT 200',
      sees: () => likeM({ e2eMs: TTFT_MS, tokens: 1, itlMs: [] }),
    },
  ],
} satisfies ScriptedProbe;
