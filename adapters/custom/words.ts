/**
 * The words that a client file may use for its definitions and facts, each with what it means. The types of src/measure and of the
 * contract hold these tables complete: a kind that is added there and not here does not compile.
 */
import type { Aspect, ClientFacts, Definitions } from '../contract.ts';

type Words<T extends string> = Readonly<Record<T, string>>;

export const T0: Words<Definitions['t0']> = {
  scheduled: 'the instant that the schedule gave',
  sent: 'the instant of sending; what the schedule lags is in no latency',
};

export const TTFT: Words<Definitions['ttft']> = {
  firstContent: 'first chunk with content',
  firstChunk: 'first chunk of any kind, even one that holds only the role',
  headers: "the response's head",
  none: 'the client has no TTFT',
};

export const ITL: Words<Definitions['itl']> = {
  chunkGaps: 'gaps between successive chunks',
  tpot: 'a TPOT under the name of ITL',
  none: 'the client has no ITL',
};

export const TPOT: Words<Definitions['tpot']> = {
  standard: '(E2E − TTFT) / (tokens − 1)',
  betweenTokens: '(last token − first token) / (tokens − 1)',
  none: 'the client has no TPOT',
};

export const NTPOT: Words<Definitions['ntpot']> = {
  standard: "the client's own E2E / tokens",
  toLastToken: '(last token − t0) / tokens, where its E2E ends later',
  none: 'the client has no NTPOT',
};

export const END: Words<Definitions['end']> = {
  lastToken: 'E2E ends at the last token',
  responseEnd: 'E2E ends with the response',
};

export const TOKEN_SOURCE: Words<Definitions['tokenSource']> = {
  usage: "the server's usage",
  clientTokenizer: 'a tokenizer in the client',
  requested: 'the number that was asked for',
  chunks: 'the number of chunks',
};

export const THROUGHPUT: Words<Definitions['throughput']> = {
  firstSendToLastEnd: 'requests / (last end − first send), drain included',
  firstGapToLastEnd: 'requests / (last end − start of the schedule, a gap before the first send)',
  sendWindow: 'requests / (last send − first send)',
  sendGaps: '(requests − 1) / (last send − first send)',
  none: 'another way, or none',
};

export const THROUGHPUT_OF: Words<Definitions['throughputOf']> = {
  completed: 'requests that succeeded',
  all: 'all requests',
};

export const FAILURES: Words<Definitions['failures']> = {
  excluded: 'left out of the percentiles',
  counted: 'in the percentiles where they were answered, with any status',
  abortRun: 'the first failure ends the run',
};

export const PERCENTILES: Words<NonNullable<Definitions['percentiles']>> = {
  interpolated: 'between the two nearest values, as numpy does',
  nextValue: 'the value at index ⌊p·n⌋ of n in order',
  nearestRank: 'the value of rank ⌈p·n⌉ of n in order',
  rounded: 'of rounded values, as locust has them',
};

export const RUNTIME: Words<ClientFacts['runtime']> = {
  asyncio: "Python's asyncio",
  uvloop: 'Python with uvloop',
  gevent: 'Python with gevent',
  tokio: 'Rust with tokio',
  goroutines: 'Go',
  libuv: 'Node.js',
  threads: 'threads: C, C++, Java, Python threads',
};

export const CONNECTIONS: Words<ClientFacts['connections']> = {
  kept: 'a pool; kept for later requests',
  'one a request': 'a new one for each request',
  'one a user': 'one for each virtual user',
};

export const ABOUT: Words<Aspect> = {
  t0: 'what the clock starts from',
  ttft: 'first token',
  itl: 'gaps between tokens',
  tpot: 'time a token',
  ntpot: 'E2E a token',
  e2e: 'what the latency runs to',
  throughput: 'how the printed rate is made',
  failures: 'what becomes of failed requests',
  tokenSource: 'who counts the tokens',
  processes: 'processes, threads, event loops',
  connections: 'when connections are opened',
  warmup: 'requests before those that count',
  schedule: 'when requests are sent, and what happens when late',
  statistics: 'how percentiles are made',
  join: 'what joins a record with the ledger',
  other: 'anything else',
};

/** A table's words, in order. */
export const wordsOf = <T extends string>(table: Readonly<Record<T, unknown>>): [T, ...T[]] =>
  Object.keys(table) as [T, ...T[]];
