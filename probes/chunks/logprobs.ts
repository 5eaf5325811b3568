import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { TOKEN_TEXT } from '../kit/chunk.ts';
import { GAP_MS, gaps, likeM, M } from '../kit/profile.ts';
import { withParts } from '../kit/shapes.ts';

const BYTES = [...new TextEncoder().encode(TOKEN_TEXT)];
const one = (token: string, logprob: number): object => ({ token, logprob, bytes: BYTES });
const CHAT = {
  content: [{ ...one(TOKEN_TEXT, -0.01), top_logprobs: [one(TOKEN_TEXT, -0.01), one(' tock', -4.6)] }],
  refusal: null,
};
const TEXT = {
  text_offset: [0],
  tokens: [TOKEN_TEXT],
  token_logprobs: [-0.01],
  top_logprobs: [{ [TOKEN_TEXT]: -0.01, ' tock': -4.6 }],
};

export default {
  scope: 'request',
  title: 'logprobs in every chunk, with bytes and two alternatives',
  about:
    'Each chunk holds its token three times more, within logprobs, and a key `content` that is a list. One token was delivered, not two or three.',
  source:
    'arithmetic of M; OpenAI’s API reference: choices[].logprobs.content[] {token, logprob, bytes, top_logprobs}',
  right: 'success; 50 tokens; M’s figures',
  judges: ['tokens', 'itl', 'tpot', 'ntpot'],
  answer: (asked) =>
    withParts(asked, (i) => {
      const end = {
        logprobs: asked.kind === 'chat' ? CHAT : TEXT,
        finish_reason: i === 49 ? 'length' : null,
      };
      const choice =
        asked.kind === 'chat'
          ? { index: 0, delta: { content: TOKEN_TEXT }, ...end }
          : { index: 0, text: TOKEN_TEXT, ...end };
      return { choices: [choice] };
    }),
  sees: () => M,
  known: [
    {
      kind: 'alternatives-as-tokens',
      what: 'counts each of the top_logprobs as a token',
      arithmetic:
        '100 tokens (×2); 50 gaps of 0 and 49 of 20: mean 9.9; TPOT 980 / 99 = 9.9; NTPOT 1,180 / 100 = 11.8',
      sees: () => likeM({ tokens: 100, itlMs: [...gaps(50, 0), ...gaps(49, GAP_MS)] }),
    },
  ],
} satisfies ScriptedProbe;
