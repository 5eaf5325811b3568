/** The words for a client's definitions, in the page, in the documentation and of a claim's client. */
import type { Definitions } from './definitions.ts';

/** Each kind of a definition in a few words. */
export const DEFINITION = {
  firstContent: 'first content',
  firstChunk: 'first chunk, even an empty one',
  headers: 'response headers',
  chunkGaps: 'gaps between chunks',
  tpot: 'TPOT of a request',
  standard: 'standard',
  betweenTokens: 'last − first token',
  toLastToken: 'to the last token',
  none: 'not given',
  lastToken: 'last token',
  responseEnd: 'end of the response',
  excluded: 'left out of percentiles',
  counted: 'counted',
  abortRun: 'end the run',
  usage: 'usage',
  clientTokenizer: 'its own tokenizer',
  requested: 'what was asked for',
  chunks: 'chunks',
  firstSendToLastEnd: 'first send to last end',
  firstGapToLastEnd: 'start of the schedule to last end',
  sendWindow: 'first to last send',
  sendGaps: 'gaps, first to last send',
  interpolated: 'interpolated',
  nextValue: 'the value at ⌊p·n⌋',
  nearestRank: 'the value of rank ⌈p·n⌉',
  rounded: 'of rounded values',
} as const;

/** How a client divides for the rate that it prints. */
export const rateWords = (d: Definitions): string =>
  d.throughput === 'none'
    ? DEFINITION.none
    : `${d.throughputOf === 'all' ? 'all requests' : 'completed'} / ${DEFINITION[d.throughput]}`;

/** What a client's percentiles are of; the usual kind where its facts do not say. */
export const percentileWords = (d: Definitions): string => DEFINITION[d.percentiles ?? 'interpolated'];
