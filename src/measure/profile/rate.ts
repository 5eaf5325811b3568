/** The rate at which a cost is measured: the client moderately busy, the target far from its own limit. */

/** Part of a core that the client shall be busy: enough for CPU time to stand out of what it does when idle, little enough not to queue. */
export const USUAL_RHO = 0.3;
/** A busier run is not used: work will have waited, and been done in larger batches. */
export const MOST_RHO = 0.6;

/** What a target can do without being the bottleneck itself, a second. Through a front of ours it is less. */
export interface TargetRoom {
  readonly writesPerS: number;
  readonly requestsPerS: number;
  /** Words of prompts: they are made beforehand, kept in files, sent and read. */
  readonly promptTokensPerS: number;
}
export const DIRECT_ROOM: TargetRoom = { writesPerS: 30_000, requestsPerS: 4000, promptTokensPerS: 1e6 };
export const FRONT_ROOM: TargetRoom = { writesPerS: 10_000, requestsPerS: 1500, promptTokensPerS: 5e5 };

/** A pilot is near enough to the usual load between these; else it is run again at another rate. */
const PILOT_RHO = { least: 0.2, most: 0.42 } as const;
/** A cost at one load says little about a load that is many times more. */
const MOST_STEP = 6;

/** The rate of the next pilot after one at `rps` kept the client `rho` busy; null: that was near enough. */
export function nextPilot(rps: number, rho: number): number | null {
  if (rho >= PILOT_RHO.least && rho <= PILOT_RHO.most) return null;
  return rps * Math.min(MOST_STEP, Math.max(1 / MOST_STEP, USUAL_RHO / Math.max(rho, 1e-6)));
}

/** Requests that a run must have, whatever its rate. */
const LEAST_REQUESTS = 24;

export interface ChosenRate {
  readonly rps: number;
  /** What kept it from the load that was wanted. */
  readonly limited: 'target' | 'requests' | null;
}

/**
 * The rate at which a request of `costUs` keeps the client `rho` busy, within what the target has room for; whole from 10/s on, since
 * some clients know no others.
 */
export function chooseRate(
  costUs: number,
  rho: number,
  request: { readonly writes: number; readonly promptTokens: number },
  durationS: number,
  room: TargetRoom,
): ChosenRate {
  const wanted = (rho * 1e6) / costUs;
  const most = Math.min(
    room.writesPerS / request.writes,
    room.requestsPerS,
    room.promptTokensPerS / request.promptTokens,
  );
  const least = LEAST_REQUESTS / durationS;
  const rps = Math.max(least, Math.min(wanted, most));
  const limited = rps < wanted ? 'target' : rps > wanted ? 'requests' : null;
  return { rps: rps >= 10 ? Math.round(rps) : Math.ceil(rps * 10) / 10, limited };
}

/** What a kind of request cost in a run. */
export interface KnownCost {
  readonly tokens: number;
  readonly promptTokens: number;
  readonly us: number;
}

/** Of the least request's cost: what a token and a word of the prompt may cost, as long as nothing is known of them. On the dear side. */
const UNKNOWN_SHARE = { token: 0.1, word: 0.0005 } as const;

/**
 * The cost of a kind of request before it has been run: that of the same kind; else a plane through the pilots (few tokens, many tokens, a
 * long prompt), nothing in it below 0.
 */
export function guessCost(known: readonly KnownCost[], tokens: number, promptTokens: number): number | null {
  const same = known.filter((one) => one.tokens === tokens && one.promptTokens === promptTokens);
  if (same.length > 0) return same.reduce((sum, { us }) => sum + us, 0) / same.length;
  const base = known.toSorted((a, b) => a.tokens + a.promptTokens - (b.tokens + b.promptTokens))[0];
  if (base === undefined) return null;
  const mostTokens = known
    .filter((one) => one.promptTokens === base.promptTokens)
    .toSorted((a, b) => b.tokens - a.tokens)[0]!;
  const token =
    mostTokens.tokens === base.tokens
      ? UNKNOWN_SHARE.token * base.us
      : Math.max(0, (mostTokens.us - base.us) / (mostTokens.tokens - base.tokens));
  // The long prompt may have come with more tokens than the least request.
  const longest = known.toSorted((a, b) => b.promptTokens - a.promptTokens || a.tokens - b.tokens)[0]!;
  const without = base.us + token * (longest.tokens - base.tokens);
  const word =
    longest.promptTokens === base.promptTokens
      ? UNKNOWN_SHARE.word * base.us
      : Math.max(0, (longest.us - without) / (longest.promptTokens - base.promptTokens));
  const us = base.us + token * (tokens - base.tokens) + word * (promptTokens - base.promptTokens);
  return Math.max(base.us / 4, us);
}
