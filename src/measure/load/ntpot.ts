/**
 * NTPOT, two ways. The exact one is E2E / N a request, then averaged. The aggregate one is made of means alone, as a dashboard has them:
 * TPOT + TTFT / E[N]. A request's E2E is TTFT + (N − 1)·TPOT, so its exact NTPOT is TTFT/N + TPOT·(N − 1)/N, and the two differ by two parts:
 *
 *   exact − aggregate = { mean(TTFT/N) − mean(TTFT)/mean(N) } + { mean(TPOT·(N − 1)/N) − mean(TPOT) }
 *
 * The first comes of unlike lengths (Jensen: 1/N is convex, so mean(1/N) ≥ 1/mean(N), the more so the heavier the tail) and of TTFTs that go with the
 * length. The second is there with equal lengths, too: the first token has no gap before it, and TPOT is counted N − 1 times, not N. An answer of one token
 * has no TPOT: it is in the first mean of that part as 0, and in the second not at all.
 */

/** Means over complete requests that have a TTFT, in one unit of time. */
export interface NtpotMeans {
  /** mean(E2E / N). */
  readonly exact: number;
  /** mean(TTFT / N). */
  readonly ttftShare: number;
  readonly ttft: number;
  /** Over those of two tokens and more; null where there are none. */
  readonly tpot: number | null;
}

export interface NtpotForms {
  readonly aggregate: number;
  readonly exactMinusAggregate: number;
  /** Of that: because lengths differ, and TTFTs with them. */
  readonly ofLengths: number;
  /** Of that: because TPOT is counted N − 1 times. */
  readonly ofFirstToken: number;
}

/** The aggregate form with a mean length of `meanTokens`, and its parts. Where no answer had two tokens, TPOT's part is 0. */
export function ntpotForms(means: NtpotMeans, meanTokens: number): NtpotForms {
  const tpot = means.tpot ?? 0;
  const aggregate = tpot + means.ttft / meanTokens;
  return {
    aggregate,
    exactMinusAggregate: means.exact - aggregate,
    ofLengths: means.ttftShare - means.ttft / meanTokens,
    ofFirstToken: means.exact - means.ttftShare - tpot,
  };
}
