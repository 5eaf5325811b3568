import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { event } from '../kit/chunk.ts';
import { PARSING } from '../kit/grammar.ts';
import { M } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

export default {
  scope: 'request',
  title: 'a data line of 100 KB in the middle of the stream',
  about:
    'The event of token 25 has a field of 100 KB beside its text. Readers of lines have a limit of 64 KB or 128 KB by default (asyncio’s StreamReader, aiohttp’s), and raise an error above it. The grammar sets no limit, and the token is there at its instant.',
  source: `${PARSING}: event = *( comment / field ) end-of-line; a field is any number of characters`,
  right: 'as with plain events: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) =>
    everyEvent(asked, (data, i) =>
      event(i === 25 ? data.replace(/\}$/, `,"obfuscation":"${'x'.repeat(100_000)}"}`) : data),
    ),
  sees: () => M,
  known: [],
} satisfies ScriptedProbe;
