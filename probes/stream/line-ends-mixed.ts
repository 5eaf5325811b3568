import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { PARSING } from '../kit/grammar.ts';
import { seenAt, TOKEN_INSTANTS } from '../kit/instants.ts';
import { LAST_MS, M, TOKENS } from '../kit/profile.ts';
import { everyEvent } from '../kit/spelling.ts';

/** End of the data line and of the empty line, by turns. */
const ENDS = ['\n\n', '\r\n\r\n', '\n\r\n', '\r\n\n', '\r\r\n'] as const;

/** Two line feeds in a row end the events of which this is true: LF LF, and CRLF LF. */
const endsWithTwoLfs = (i: number): boolean => i % ENDS.length === 0 || i % ENDS.length === 3;
/** When a client that splits at two line feeds has token `i`. */
const splitAt = (i: number): number => {
  for (let k = i; k < TOKENS; k++) if (endsWithTwoLfs(k)) return TOKEN_INSTANTS[k]!;
  return LAST_MS;
};

export default {
  scope: 'request',
  title: 'LF, CRLF and CR mixed in one stream',
  about:
    'Where a proxy adds lines of its own, line ends mix. Every line may end in any of the three ways, so an event may end with LF LF, CRLF CRLF, LF CRLF, CRLF LF or CR CRLF; here by turns.',
  source: `${PARSING}: end-of-line = ( cr lf / cr / lf ), for each line anew`,
  right: 'as with LF: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  answer: (asked) => everyEvent(asked, (data, i) => `data: ${data}${ENDS[i % ENDS.length]}`),
  sees: () => M,
  known: [
    {
      kind: 'lf-lf-only',
      what: 'splits at two line feeds only: the other events come with the next one that ends so',
      arithmetic: 'mean ITL 20; its median 0 (−100 %), its largest value 60',
      sees: () => seenAt(TOKEN_INSTANTS.map((_, i) => splitAt(i))),
    },
    {
      kind: 'events-lost',
      what: 'finds only events that end with two line feeds',
      arithmetic: 'E2E 1,160; mean ITL 960 / 19 = 50.53 (+153 %)',
      sees: () => seenAt(TOKEN_INSTANTS.filter((_, i) => endsWithTwoLfs(i))),
    },
  ],
} satisfies ScriptedProbe;
