/**
 * One name and one sentence for each fault or definition that several probes of chunks and counts know. `definition`: it can be defended
 * where it is stated. A probe adds the arithmetic and what such a client sees.
 */
import type { Known } from '../../src/measure/probe/probe.ts';

type Kind = Pick<Known, 'kind' | 'what' | 'definition'>;

export const KIND = {
  firstChunkAsToken: {
    kind: 'first-chunk-as-token',
    what: 'takes the first chunk, whatever is in it, for the first token',
    definition: true,
  },
  headersAsToken: {
    kind: 'headers-as-token',
    what: 'times the response head and calls it the first token',
    definition: true,
  },
  roleChunkAsToken: {
    kind: 'role-chunk-as-token',
    what: 'counts the role’s chunk as a token',
  },
  emptyAsToken: {
    kind: 'empty-as-token',
    what: 'counts a chunk with empty content as a token',
  },
  whitespaceDropped: {
    kind: 'whitespace-dropped',
    what: 'strips each delta and takes white space for nothing',
  },
  finishChunkAsToken: {
    kind: 'finish-chunk-as-token',
    what: 'counts the chunk that holds only finish_reason as a token',
  },
  usageChunkAsToken: {
    kind: 'usage-chunk-as-token',
    what: 'counts the usage chunk as a token',
  },
  firstTokenDropped: {
    kind: 'first-token-dropped',
    what: 'skips the first chunk since it holds a role, and its token with it',
  },
  lastTokenDropped: {
    kind: 'last-token-dropped',
    what: 'reads no content where there is usage, or after it, so that the last token is not seen',
  },
  answerOnly: {
    kind: 'answer-only',
    what: 'takes only content for output and leaves reasoning out of times and counts alike',
    definition: true,
  },
  answerStartAllTokens: {
    kind: 'answer-start-all-tokens',
    what: 'starts at the first answer token but divides by all output tokens, reasoning included',
  },
  contentOnly: {
    kind: 'content-only',
    what: 'knows output only as text in content (or reasoning), finds none and counts the request as failed',
    definition: true,
  },
  gapsBetweenChunks: {
    kind: 'gaps-between-chunks',
    what: 'takes gaps between chunks, each of which holds several tokens, for gaps between tokens',
    definition: true,
  },
  gapsSpread: {
    kind: 'gaps-spread-over-tokens',
    what: 'shares each gap between chunks out among the tokens of the chunk that ends it: the mean is right, the spread is smoothed away',
    definition: true,
  },
  firstBurstInTpot: {
    kind: 'first-burst-in-tpot',
    what: 'divides by all tokens but one, though those that came with the first event cost no decode time after it',
    definition: true,
  },
  burstAsZeroGaps: {
    kind: 'burst-as-zero-gaps',
    what: 'gives each further token of the first event a gap of zero',
    definition: true,
  },
  chunksAsTokens: {
    kind: 'chunks-as-tokens',
    what: 'counts chunks and calls them tokens',
    definition: true,
  },
  requestedAsTokens: {
    kind: 'requested-as-tokens',
    what: 'takes the number asked for as the number delivered',
    definition: true,
  },
  recountedText: {
    kind: 'recounted-text',
    what: 'counts the joined text by a tokenizer of its own and does not read usage',
    definition: true,
  },
  recountedWithStartToken: {
    kind: 'recounted-with-start-token',
    what: 'tokenizes each chunk alone, and its tokenizer puts a start token before each text',
  },
  usageSummed: {
    kind: 'usage-summed',
    what: 'adds up every usage that it sees',
  },
  usageMissed: {
    kind: 'usage-missed',
    what: 'finds no usage where it looks for it, and reports 0 tokens',
  },
  endAtFinish: {
    kind: 'end-at-finish',
    what: 'ends the request at the chunk with finish_reason and not at the last token',
  },
  endAtUsage: {
    kind: 'end-at-usage',
    what: 'ends the request at the usage chunk, or at what follows it, and not at the last token',
  },
  endAtResponse: {
    kind: 'end-at-response',
    what: 'ends the request at the end of the response and not at the last token',
    definition: true,
  },
  ttftInItl: {
    kind: 'ttft-in-itl',
    what: 'counts TTFT as the first gap between tokens',
  },
  zeroForNone: {
    kind: 'zero-for-none',
    what: 'puts 0 where there is no figure',
  },
  tokenWeighted: {
    kind: 'token-weighted',
    what: 'weighs each request by its tokens, or divides sums, so that long answers count for more',
    definition: true,
  },
  wholeBody: {
    kind: 'whole-body',
    what: 'reads the body as a whole and stamps everything at its end',
  },
} as const satisfies Record<string, Kind>;
