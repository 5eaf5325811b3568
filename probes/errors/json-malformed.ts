import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { chunk, event } from '../kit/chunk.ts';
import { errorAsSuccess } from '../kit/faults.ts';
import { FAILED, GAP_MS, gaps, likeM, TOKENS } from '../kit/profile.ts';
import { plainPieces } from '../kit/stream.ts';
import { closing } from '../kit/wire.ts';

export default {
  scope: 'request',
  rough: true,
  title: 'the eleventh of fifty events is no JSON',
  about:
    'One event’s data breaks off within a string; the stream goes on and ends properly. A token is lost, so the text that was delivered is not the one that was generated.',
  source: 'OpenAI API: the data of each event is a JSON object; RFC 8259',
  right: 'fails; in no figure of successes',
  judges: ['success'],
  answer: (asked) =>
    closing(
      plainPieces(asked).map((piece, i) =>
        i === 10 ? { atMs: piece.atMs, body: event(chunk(asked).slice(0, -12)) } : piece,
      ),
    ),
  sees: () => FAILED,
  known: [
    errorAsSuccess(
      likeM({ itlMs: [...gaps(TOKENS - 3, GAP_MS), 2 * GAP_MS] }),
      'success 100 %; E2E 1,180, 50 tokens by usage; one gap of 40, mean ITL 980 / 48 = 20.42',
      'skips what is no JSON',
      [],
    ),
    errorAsSuccess(
      likeM({ tokens: TOKENS - 1, itlMs: [...gaps(TOKENS - 3, GAP_MS), 2 * GAP_MS] }),
      'success 100 %; E2E 1,180, 49 tokens by its own count, TPOT 980 / 48 = 20.42',
      'skips what is no JSON, and counts events',
      [],
    ),
  ],
} satisfies ScriptedProbe;
