/**
 * Mean waits of a loop that serves one piece of work after the other, in the order of arrival: M/G/1, with single and with batch arrivals.
 * Times are seconds, rates per second. All functions give null at ρ ≥ 1, where there is no steady state (fluid.ts says what is then).
 */

/**
 * Mean wait before service, s, in M/G/1: **W_q = ρ(1 + CV²) / (2μ(1 − ρ))**, ρ = λ/μ.
 *
 * Source: F. Pollaczek, Math. Z. 32, 1930; A. Khinchine, Mat. Sbornik 39, 1932; as in L. Kleinrock, Queueing Systems I, 1975, eq. 5.70.
 *
 * The trap: a form with ρ² in the numerator circulates. ρ²(1 + CV²)/(2(1 − ρ)) is the mean number that wait, L_q, and by Little's law
 * W_q = L_q/λ. L_q divided by μ is no wait at all: it is ρ times too small, and looks right near ρ = 1 only.
 */
export function waitMg1(lambda: number, mu: number, cv2: number): number | null {
  return waitGg1(lambda, mu, cv2, 1);
}

/**
 * As `waitMg1` for arrivals that are no Poisson process, **an approximation**: (C_a² + CV²)/2 in the place of (1 + CV²)/2, where C_a² is the
 * squared coefficient of variation of the gaps (independent ones). Exact at C_a² = 1; too long for regular arrivals at low ρ.
 *
 * Source: J. Kingman, Proc. Camb. Phil. Soc. 57, 1961 (heavy traffic); A. Allen, Probability, Statistics and Queueing Theory, 1990, § 5.2
 * (the Allen–Cunneen approximation, here with one server).
 */
export function waitGg1(lambda: number, mu: number, cv2: number, gapCv2: number): number | null {
  const rho = lambda / mu;
  return rho < 1 ? (rho * (gapCv2 + cv2)) / (2 * mu * (1 - rho)) : null;
}

/** Sizes of batches: mean of X and of X². A fixed size n is { mean: n, meanSquare: n² }. */
export interface BatchSize {
  readonly mean: number;
  readonly meanSquare: number;
}

export const fixedBatch = (size: number): BatchSize => ({ mean: size, meanSquare: size * size });

/** Mean waits before the service of an event, s: of a batch's first one, of one taken at random, of a batch's last one. */
export interface BatchWaits {
  readonly first: number;
  readonly random: number;
  readonly last: number;
}

/**
 * M^[X]/G/1: batches arrive at `lambda`/s, each event is served at `mu`/s with `cv2`. At a target without latency the events of a request
 * arrive together, so that a request is a batch: its TTFT waits for the batches ahead (`first`) and then for its first event, its E2E also
 * for the other events of its own (`last`).
 *
 * The batches are the customers of an M/G/1 queue whose service time is the sum B of X events: `first` = λE[B²]/(2(1 − ρ)). An event taken
 * at random is in a large batch more often than in a small one: E[X(X − 1)]/(2E[X]μ) more, which is (E[X²]/E[X] − 1)/(2μ) and not
 * (E[X] − 1)/(2μ).
 *
 * Source: P. Burke, "Delays in single-server queues with batch input", Operations Research 23(4), 1975.
 */
export function batchWaits(lambda: number, mu: number, cv2: number, size: BatchSize): BatchWaits | null {
  const rho = (lambda * size.mean) / mu;
  if (rho >= 1) return null;
  const variance = (size.mean * cv2 + size.meanSquare - size.mean ** 2) / mu ** 2;
  const first = (lambda * (variance + (size.mean / mu) ** 2)) / (2 * (1 - rho));
  return {
    first,
    random: first + (size.meanSquare / size.mean - 1) / (2 * mu),
    last: first + (size.mean - 1) / mu,
  };
}

/** CV² of a batch's whole service time, with which `waitMg1` of batches is `batchWaits(…).first`. */
export const batchCv2 = (cv2: number, size: BatchSize): number =>
  (size.mean * cv2 + size.meanSquare - size.mean ** 2) / size.mean ** 2;
