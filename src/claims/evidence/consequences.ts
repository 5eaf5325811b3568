/** What a fault of a client does to a published figure, and which way it errs. Every fault of the findings has its words here (a test holds it). */
export const CONSEQUENCES: Readonly<Record<string, string>> = {
  'answer-start-all-tokens':
    'with a model that thinks, TTFT is too long by the thinking, and TPOT too short, since all tokens are divided into the time of some',
  crashes: 'with such answers there is no figure at all',
  'empty-as-requested':
    'empty answers raise the success rate and the token throughput, and lower TTFT: figures look better than they are',
  'error-as-success':
    'failed requests are in the success rate and in the latencies: the rate is too high, and E2E of answers cut short too short',
  'events-lost': 'tokens and gaps are missing: ITL too long or absent, token throughput too low',
  'exit-0-of-nothing': 'a script that looks at the exit code takes a failed run for a good one',
  'failed-in-latency':
    'latencies are also of failed requests: too short where they fail fast, too long where late',
  'failures-uncounted': 'the number of failures is not what it was: a success rate made of it is wrong',
  'finish-chunk-as-token':
    'E2E and ITL run on to a chunk without a token: too long where the server ends late',
  'first-byte-as-token':
    'TTFT ends at the first byte of the response, before any token where the server sends its head early: too short',
  'first-chunk-as-token':
    'TTFT ends at a chunk without a token, and ITL has gaps that are none: too short where the server sends empty or role chunks',
  'first-event-lost': 'TTFT is that of a later token: too long by its gap',
  hangs: 'with such answers there is no figure at all',
  'lf-lf-only': 'tokens are stamped when a later event ends: ITL clumps, and TTFT can be late',
  'reads-past-done': 'E2E runs on beyond the end of the answer: too long where the server goes on sending',
  'requested-as-tokens':
    'token throughput and TPOT are of tokens that were asked for: throughput too high and TPOT too short where answers end early',
  'requests-lost': 'the success rate is of those that it counts: too high by those it lost',
  'sound-request-fails':
    'with a server that answers so, sound requests are missing from every figure, and the success rate is too low',
  'stripped-line': 'lines that are no event count as tokens: ITL too short',
  'tokens-added': 'token throughput is too high',
  'tokens-lost': 'token throughput is too low, TPOT too long',
  'ttft-in-itl': 'ITL has TTFT in it: its mean is too long by about TTFT / tokens',
  'ttft-in-tpot': 'TPOT has TTFT in it, as NTPOT has: too long by about TTFT / tokens',
  'unfinished-event-as-token': 'where an answer is cut off, its remains count as a token: E2E too long',
  'usage-missed':
    'tokens are 0 where usage comes otherwise than expected: token throughput too low, TPOT absent',
  'whitespace-dropped': 'tokens of white space do not count: fewer tokens, TTFT late where the first is one',
  'whole-body': 'TTFT is about E2E: too long by the whole generation',
  'zero-for-none': 'zeros are among the figures: averages and percentiles are too low',
};
