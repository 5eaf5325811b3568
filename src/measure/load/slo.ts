/** Goals that a request must meet to count as good (goodput). */

/** `ttft` and `e2e` run from the scheduled instant. */
export interface Slo {
  readonly metric: 'ttft' | 'tpot' | 'ntpot' | 'e2e';
  readonly limitMs: number;
}
