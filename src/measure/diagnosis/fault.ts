/** What a client can be found to do wrong, by name. */

export const FAULT_UNITS = ['ms', 'µs', 'share', 'ratio', 'tokens', 'requests'] as const;
export type FaultUnit = (typeof FAULT_UNITS)[number];

/** Each kind in words: what the client does, and the unit that its size is in. */
export const FAULT_KINDS = {
  'late-send': { unit: 'ms', words: 'it writes each request late, and its latencies count from before that' },
  late: {
    unit: 'ms',
    words:
      'its latencies are all too long by the same; sent late or read late cannot be told without a common clock',
  },
  'late-read': { unit: 'ms', words: 'it stamps what it reads late, first token and last alike' },
  'first-event-as-token': {
    unit: 'ms',
    words: 'its TTFT ends with the head or the first event, which holds no token',
  },
  'end-after-last-token': { unit: 'ms', words: 'its E2E runs past the last token to the end of the answer' },
  'cost-per-token': {
    unit: 'µs',
    words: 'its event loop works on each token, so tokens that came together are seen one after the other',
  },
  'clock-scale': { unit: 'share', words: 'all its durations are off by one factor' },
  'coarse-clock': { unit: 'ms', words: 'its clock moves in steps' },
  'ttft-in-itl': { unit: 'ms', words: 'TTFT is counted as the first gap between tokens' },
  'itl-per-chunk': { unit: 'ratio', words: 'gaps are counted between chunks of several tokens' },
  'token-count': { unit: 'tokens', words: 'it counts other tokens than were sent' },
  'failures-dropped': { unit: 'share', words: 'failed requests are in none of its counts' },
  'errors-as-success': { unit: 'share', words: 'requests that failed count as completed' },
  'requests-not-sent': { unit: 'share', words: 'it counts requests that never reached the target' },
  'requests-doubled': { unit: 'share', words: 'it sends requests twice and counts them once' },
  'requests-unrecorded': {
    unit: 'share',
    words: 'requests that were answered are in none of its counts',
  },
  'figures-not-of-records': {
    unit: 'ms',
    words: 'its printed figures are not those of its own records',
  },
  'samples-made-up': { unit: 'ms', words: 'its percentiles hold values that no request had' },
  'fresh-connections': {
    unit: 'ratio',
    words: 'it opens a connection for each request, which it says it does not',
  },
  'in-flight-cap': { unit: 'requests', words: 'no more than so many requests are under way at once' },
  'cap-wait-omitted': {
    unit: 'ms',
    words: 'requests wait for a cap on those under way, and the wait is in no latency',
  },
  'coordinated-omission': {
    unit: 'ms',
    words: 'what a request waited to be sent is in no latency, though it is said to be',
  },
  'sleep-drift': { unit: 'ms', words: 'each gap between sends is longer than it should be' },
  'coarse-timer': { unit: 'ms', words: 'requests are sent on the ticks of a timer' },
  'sends-together': {
    unit: 'requests',
    words: 'several requests leave at once, as from workers with one seed',
  },
  'random-gaps': { unit: 'ratio', words: 'the gaps between sends are random, where equal ones were asked' },
  'on-the-second': { unit: 'share', words: 'sends are pinned to whole seconds' },
  'other-process': { unit: 'ratio', words: 'its arrivals are not of the process that was asked' },
  'other-rate': { unit: 'share', words: 'it sends at another rate than was asked' },
  unnamed: { unit: 'ms', words: 'a difference that no fault known here explains' },
} as const satisfies Readonly<Record<string, { readonly unit: FaultUnit; readonly words: string }>>;
export type FaultKind = keyof typeof FAULT_KINDS;

/** A fault that was found. */
export interface Fault {
  readonly kind: FaultKind;
  /** In the kind's unit, with its sign: positive where a figure comes out too high, or more is done than was asked. */
  readonly size: number;
  readonly unit: FaultUnit;
  /** 95 % interval of the size; equal ends where it was counted. */
  readonly low: number;
  readonly high: number;
  /** One sentence with the figures that it rests on. */
  readonly evidence: string;
}

/** A fault, with its kind's unit. */
export const fault = (
  kind: FaultKind,
  size: { readonly size: number; readonly low: number; readonly high: number },
  evidence: string,
): Fault => ({ kind, unit: FAULT_KINDS[kind].unit, ...size, evidence });

/** A size that was counted, not estimated. */
export const exactly = (size: number): { size: number; low: number; high: number } => ({
  size,
  low: size,
  high: size,
});
