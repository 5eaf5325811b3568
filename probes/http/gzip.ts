import type { ScriptedProbe } from '../../src/measure/probe/probe.ts';
import { WHOLE_BODY } from '../kit/faults.ts';
import { allowsGzip, gzipped } from '../kit/gzip.ts';
import { M } from '../kit/profile.ts';
import { plainPieces, STREAM_HEADERS, streamed } from '../kit/stream.ts';

export default {
  scope: 'request',
  title: 'compressed with gzip, each event flushed, if the request allows it',
  about:
    'Where accept-encoding allows gzip the stream is compressed, with a sync flush behind each event, so that each can be read as soon as it has come. To a request that does not ask for it the plain stream is sent.',
  source: 'RFC 9110 §8.4 and §12.5.3; RFC 1951 §3.2.4 (the flush is an empty stored block); arithmetic of M',
  right: 'as M: TTFT 200, E2E 1,180, ITL 20, TPOT 20, 50 tokens',
  judges: ['success', 'ttft', 'itl'],
  answer: (asked) =>
    allowsGzip(asked.headers['accept-encoding'])
      ? streamed(gzipped(plainPieces(asked)), { headers: [...STREAM_HEADERS, ['content-encoding', 'gzip']] })
      : streamed(plainPieces(asked)),
  sees: () => M,
  known: [WHOLE_BODY],
} satisfies ScriptedProbe;
