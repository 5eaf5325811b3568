/** What a trial asks of a client and of the target, all of it drawn from one seed. */

export type Arrivals =
  | { readonly kind: 'constant' }
  | { readonly kind: 'poisson' }
  | { readonly kind: 'gamma'; readonly cv2: number }
  | { readonly kind: 'trace'; readonly file: string };

export interface Workload {
  readonly rateRps: number;
  /** Number of requests; rate × duration, rounded. */
  readonly requests: number;
  readonly durationS: number;
  readonly arrivals: Arrivals;
  /** Words of the prompt; one word is one token. */
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** The latency model as its flag spells it. */
  readonly latency: string;
  readonly seed: number;
}

/** Parses `constant | poisson | gamma:<cv2> | trace:<file>`; throws an Error that says what is accepted. */
export function parseArrivals(text: string): Arrivals {
  if (text === 'constant' || text === 'poisson') return { kind: text };
  const [kind, ...rest] = text.split(':');
  const value = rest.join(':');
  if (kind === 'gamma' && Number(value) > 0 && Number.isFinite(Number(value)))
    return { kind: 'gamma', cv2: Number(value) };
  if (kind === 'trace' && value !== '') return { kind: 'trace', file: value };
  throw new Error(
    `arrivals "${text}" is not known; use constant, poisson, gamma:<cv2> (cv2 > 0) or trace:<file>`,
  );
}

/** The flag's spelling of an arrival process. */
export function formatArrivals(arrivals: Arrivals): string {
  if (arrivals.kind === 'gamma') return `gamma:${arrivals.cv2}`;
  if (arrivals.kind === 'trace') return `trace:${arrivals.file}`;
  return arrivals.kind;
}
