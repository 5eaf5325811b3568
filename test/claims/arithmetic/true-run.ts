/**
 * Runs that really took place, as far as a simulation can: requests with their starts, first tokens and gaps, all statistics computed from them
 * by one of the definitions in use, printed with so many digits. No check may call such a page contradicted.
 */

import type { ClaimMeasurement } from '../../../src/claims/claim.ts';
import { uniform } from '../../../src/measure/random.ts';
import type { RowText } from './build-claim.ts';

export interface RunOptions {
  readonly seed: number;
  readonly requests: number;
  readonly load: 'closed' | 'poisson' | 'constant' | 'burst';
  readonly concurrency: number;
  readonly rateRps: number;
  /** 0: every reply has as many tokens; else how much lengths vary. */
  readonly lengthSpread: number;
  readonly tokens: number;
  readonly tokensPerEvent: number;
  /** Wait for a slot that a clock from `queued` or `scheduled` holds, ms. */
  readonly t0: 'sent' | 'queued' | 'scheduled';
  readonly heavyTail: boolean;
  /** After the last token, ms. */
  readonly tailMs: number;
  readonly failedShare: number;
  readonly quantileRule: 'linear' | 'nearest' | 'lower' | 'higher';
  readonly tpotRule: 'standard' | 'over-n' | 'whole';
  readonly tokenSource: ClaimMeasurement['tokenSource'];
  readonly requestRate: 'completed' | 'offered';
  readonly window: 'whole run' | null | 'trimmed';
  readonly duration: 'nominal' | 'sending' | 'total';
  readonly digits: number;
  readonly cut: boolean;
  readonly nameStatistics: boolean;
  /** How failures stand beside the completed: apart; among them (AIPerf, Locust); as retried attempts of which all ended well; left out. */
  readonly countRule: 'apart' | 'among' | 'retries' | 'left out';
  /** The share of its rate that the client really sent at. */
  readonly pace: number;
  /** A p99 of tokens a second a user: what 99 % have at most, or at least. */
  readonly userTail: 'at most' | 'at least';
  readonly ntpotRule: 'of a request' | 'of means';
  /** The words for a window that is a part of the run. */
  readonly trimmedAs: string;
}

interface Reply {
  readonly sentMs: number;
  readonly waitedMs: number;
  readonly ttftMs: number;
  readonly gapsMs: readonly number[];
  readonly tokens: number;
  readonly failed: boolean;
}

const decodeMs = (reply: Reply) => reply.gapsMs.reduce((sum, gap) => sum + gap, 0);

function replies(options: RunOptions): Reply[] {
  const { seed, requests: n } = options;
  const exponential = (u: number) => -Math.log(1 - Math.min(u, 1 - 1e-12));
  const slots = Array.from({ length: Math.max(1, options.concurrency) }, () => 0);
  let arrival = 0;
  return Array.from({ length: n }, (_, at) => {
    const draw = uniform(seed, at);
    const spread = 1 + options.lengthSpread * (2 * draw() - 1);
    const tokens = Math.max(1, Math.round(options.tokens * (options.lengthSpread === 0 ? 1 : spread)));
    const events = Math.ceil(tokens / options.tokensPerEvent);
    const slow = options.heavyTail && draw() > 0.97 ? 30 : 1;
    const ttftMs = slow * (20 + 100 * exponential(draw()));
    const gapsMs = Array.from({ length: events - 1 }, () => 5 + 20 * exponential(draw()));
    const failed = draw() < options.failedShare;
    let sentMs = 0;
    let waitedMs = 0;
    if (options.load === 'closed') {
      const slot = slots.indexOf(Math.min(...slots));
      sentMs = slots[slot]!;
      waitedMs = sentMs;
      slots[slot] = sentMs + ttftMs + gapsMs.reduce((sum, gap) => sum + gap, 0) + options.tailMs;
    } else if (options.load !== 'burst') {
      sentMs = arrival;
      arrival +=
        (1000 / (options.rateRps * options.pace)) * (options.load === 'poisson' ? exponential(draw()) : 1);
      waitedMs = 40 * draw();
    }
    return { sentMs, waitedMs, ttftMs, gapsMs, tokens, failed };
  });
}

export function quantileOf(values: readonly number[], p: number, rule: RunOptions['quantileRule']): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = p * (sorted.length - 1);
  const at = (index: number) => sorted[Math.max(0, Math.min(sorted.length - 1, index))]!;
  if (rule === 'lower') return at(Math.floor(place));
  if (rule === 'higher') return at(Math.ceil(place));
  if (rule === 'nearest') return at(Math.ceil(p * sorted.length) - 1);
  return at(Math.floor(place)) + (place % 1) * (at(Math.floor(place) + 1) - at(Math.floor(place)));
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The row that its client prints, and how it measured. */
export function trueRun(
  id: string,
  system: string,
  options: RunOptions,
): {
  readonly row: RowText;
  readonly measurement: Partial<ClaimMeasurement>;
  readonly values: Readonly<Record<string, number>>;
} {
  const all = replies(options);
  const done = all.filter(({ failed }) => !failed);
  if (done.length === 0) return { row: { id, system }, measurement: {}, values: {} };
  const wait = (reply: Reply) => (options.t0 === 'sent' ? 0 : reply.waitedMs);
  const ttft = done.map((reply) => reply.ttftMs + wait(reply));
  const e2e = done.map((reply, at) => ttft[at]! + decodeMs(reply) + options.tailMs);
  const gaps = done.flatMap(({ gapsMs }) => gapsMs);
  // A client that counts events knows no other tokens.
  const counted = done.map(({ tokens, gapsMs }) =>
    options.tokenSource === 'chunks' ? gapsMs.length + 1 : tokens,
  );
  const tpot = done.flatMap((_, at) => {
    const n = counted[at]!;
    if (options.tpotRule === 'whole') return [e2e[at]! / n];
    if (n < 2) return [];
    return [(e2e[at]! - ttft[at]!) / (options.tpotRule === 'over-n' ? n : n - 1)];
  });
  const first = Math.min(...all.map(({ sentMs }) => sentMs));
  const sending = (Math.max(...all.map(({ sentMs }) => sentMs)) - first) / 1000;
  const ends = all.map((reply) => reply.sentMs + reply.ttftMs + decodeMs(reply) + options.tailMs);
  const total = (Math.max(...ends) - first) / 1000;
  // A part of the run: what ended in its middle half.
  const [from, to] = [first + total * 250, first + total * 750];
  const trimmed = options.window === 'trimmed';
  const inside = all.filter(
    (reply, at) => !reply.failed && (!trimmed || (ends[at]! >= from && ends[at]! <= to)),
  );
  const over = trimmed ? total / 2 : total;
  const tokens = inside.reduce((sum, { tokens: count }) => sum + count, 0);
  const users = done.map((_, at) => (1000 * counted[at]!) / e2e[at]!);
  const values: Record<string, number> = {
    output_throughput: tokens / over,
    input_throughput: (inside.length * 100) / over,
    total_throughput: (tokens + inside.length * 100) / over,
    request_throughput:
      options.requestRate === 'offered' ? all.length / Math.max(sending, 1e-3) : inside.length / over,
    success_rate: options.countRule === 'left out' ? 100 : (100 * done.length) / all.length,
    user_throughput: meanOf(users),
    user_throughput_min: Math.min(...users),
    user_throughput_max: Math.max(...users),
  };
  for (const p of [50, 90, 99]) {
    const share = options.userTail === 'at most' ? p / 100 : 1 - p / 100;
    values[`user_throughput_p${p}`] = quantileOf(users, share, options.quantileRule);
  }
  const ntpot = done.map((_, at) =>
    options.ntpotRule === 'of a request' || counted[at]! < 2
      ? e2e[at]! / counted[at]!
      : (e2e[at]! - ttft[at]!) / (counted[at]! - 1) + ttft[at]! / counted[at]!,
  );
  const metrics = { ttft, e2e, itl: gaps, tpot, ntpot };
  for (const [metric, list] of Object.entries(metrics)) {
    if (list.length === 0) continue;
    const mean = meanOf(list);
    values[options.nameStatistics ? `${metric}_mean` : metric] = mean;
    for (const p of [50, 90, 95, 99])
      values[`${metric}_p${p}`] = quantileOf(list, p / 100, options.quantileRule);
    values[`${metric}_min`] = Math.min(...list);
    values[`${metric}_max`] = Math.max(...list);
    values[`${metric}_std`] = Math.sqrt(meanOf(list.map((value) => (value - mean) ** 2)));
  }
  const figures: Record<string, string> = {
    completed: String(options.countRule === 'among' ? all.length : done.length),
    ...(options.countRule === 'left out' ? {} : { failed: String(all.length - done.length) }),
  };
  // Attempts that failed were tried again, and all came back in the end.
  if (options.countRule === 'retries')
    Object.assign(figures, { completed: String(all.length), failed: String(3 * (all.length - done.length)) });
  for (const [key, value] of Object.entries(values)) {
    const latency = key in metrics || /^(ttft|e2e|itl|tpot|ntpot)_/.test(key);
    const unit = latency ? ' ms' : key.endsWith('throughput') ? ' /s' : ' %';
    figures[key] = print(value, options) + unit;
  }
  const openLoop = options.load === 'poisson' || options.load === 'constant';
  const mean = meanOf(all.map(({ tokens: count }) => count));
  const duration =
    options.duration === 'total' || !openLoop
      ? total
      : options.duration === 'sending'
        ? sending
        : all.length / (options.rateRps * options.pace);
  return {
    row: {
      id,
      system,
      ...(options.load === 'closed' ? { concurrency: options.concurrency } : {}),
      ...(options.load === 'burst' ? { rate: 'inf' } : openLoop ? { rate: `${options.rateRps} req/s` } : {}),
      requests: all.length,
      ...(duration > 0 ? { duration: `${duration} s` } : {}),
      input: 100,
      output: options.lengthSpread === 0 ? options.tokens : mean,
      length: options.lengthSpread === 0 ? 'fixed' : 'mean',
      figures,
    },
    measurement: {
      t0: options.t0,
      tokenSource: options.tokenSource,
      window: options.window === 'trimmed' ? options.trimmedAs : options.window,
      arrivals: openLoop
        ? (options.load as 'poisson' | 'constant')
        : options.load === 'closed'
          ? 'closed loop'
          : 'all at once',
    },
    values,
  };
}

/** With so many digits after the point: rounded, or cut off as some pages do. */
export function print(value: number, { digits, cut }: Pick<RunOptions, 'digits' | 'cut'>): string {
  if (!cut) return value.toFixed(digits);
  return (Math.floor(value * 10 ** digits + 1e-9) / 10 ** digits).toFixed(digits);
}
