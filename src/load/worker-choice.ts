/**
 * How many workers a run gets (`--workers auto`), and whether the machine has room for it. A worker is a queue for its event loop: at a utilization ρ of 0.5 the mean wait in
 * it is half a service time (M/D/1: ρ / (2 (1 − ρ)) service times), beyond it grows fast. So m is the least number with ρ = rate × cost / m ≤ 0.5, as far as there are cores.
 */
import type { RequestCost } from './request-cost.ts';

/** Utilization of a worker's loop that is allowed. */
export const MAX_RHO = 0.5;
/** Workers at most, when the number is chosen here. */
export const MAX_AUTO_WORKERS = 16;

export interface Demand {
  /** Requests per second at the busiest; null where it is not known (a closed loop). */
  readonly peakRps: number | null;
  /** null: no profile. */
  readonly cost: RequestCost | null;
  /** Why there is no cost; empty with one. */
  readonly noCost: string;
  /** Output tokens of a request, mean. */
  readonly tokens: number;
  /** The number that was asked for; null: auto. */
  readonly asked: number | null;
  /** Workers that can have work at all: requests, or those that may be under way. */
  readonly useful: number;
  /** Workers that descriptors need; 1 where they do not matter. */
  readonly forDescriptors: number;
}

export interface Supply {
  /** Cores for workers. */
  readonly cores: number;
  /** Where that number comes from, in words. */
  readonly why: string;
}

export interface WorkerChoice {
  readonly workers: number;
  /** Why so many, in one sentence. */
  readonly why: string;
  /** Busy share of each worker’s loop at the busiest rate, by the profile; null where that is not known. */
  readonly rho: number | null;
  /** With the cost at the upper end of its interval. */
  readonly rho_high: number | null;
  /** CPU time of a request on its worker’s loop, µs. */
  readonly cost_us: number | null;
  readonly cost_high_us: number | null;
  /** Highest rate at which every loop of as many workers as there are cores is at most half busy, by the upper end of the cost. */
  readonly good_to_rps: number | null;
  /** When the profile was measured; null without one. */
  readonly profile_measured_at: string | null;
}

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
const rounded = (value: number): string => {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const [whole, rest] = value.toFixed(digits).split('.') as [string, string?];
  return rest === undefined || /^0+$/.test(rest)
    ? grouped(Number(whole))
    : `${grouped(Number(whole))}.${rest}`;
};

/** ρ as it is shown; two digits, and never 0.50 for more than 0.5. */
export const rhoText = (rho: number): string =>
  rho > MAX_RHO && rho < 0.505 ? rho.toFixed(4) : rho.toFixed(2);

/** `800 requests/s × 0.31 ms (16 tokens each)`. */
export const loadText = (peakRps: number, cost: RequestCost, tokens: number): string =>
  `${rounded(peakRps)} requests/s of ${plural(Math.round(tokens), 'token')} cost ${(cost.us / 1000).toPrecision(2)} ms each`;

function unknown(workers: number, why: string): WorkerChoice {
  return {
    workers,
    why,
    rho: null,
    rho_high: null,
    cost_us: null,
    cost_high_us: null,
    good_to_rps: null,
    profile_measured_at: null,
  };
}

/** Chooses. Never more than the cores, unless that was asked for; never fewer than 1. */
export function chooseWorkers(demand: Demand, supply: Supply): WorkerChoice {
  const { cost, peakRps, tokens, asked } = demand;
  const room = Math.max(1, Math.min(supply.cores, MAX_AUTO_WORKERS));
  const useful = Math.max(1, demand.useful);
  if (cost === null) {
    const workers = Math.min(asked ?? room, useful);
    return unknown(
      workers,
      asked !== null
        ? `${plural(workers, 'worker')}${held(workers, asked, useful)}, ${supply.why}`
        : `${plural(workers, 'worker')}, ${supply.why}; ${demand.noCost}, so as many as there are cores: \`tare profile --client tare\` measures what a request costs here`,
    );
  }
  const good_to_rps = (MAX_RHO * room * 1e6) / cost.high_us;
  const known = {
    cost_us: cost.us,
    cost_high_us: cost.high_us,
    good_to_rps,
    profile_measured_at: cost.measured_at,
  };
  if (peakRps === null) {
    const workers = Math.min(asked ?? room, useful);
    const why = `${plural(workers, 'worker')}, ${supply.why}; a closed loop has no rate of its own, so as many as there are cores: they are good to about ${rounded(good_to_rps)} requests/s`;
    return {
      ...unknown(workers, asked !== null ? `${plural(workers, 'worker')} as asked, ${supply.why}` : why),
      ...known,
    };
  }
  const needed = Math.max(1, Math.ceil((peakRps * cost.high_us) / 1e6 / MAX_RHO - 1e-9));
  const chosen = Math.min(room, Math.max(needed, demand.forDescriptors));
  const workers = Math.min(asked ?? chosen, useful);
  const rho = (peakRps * cost.us) / 1e6 / workers;
  const rho_high = (peakRps * cost.high_us) / 1e6 / workers;
  const load = `${loadText(peakRps, cost, tokens)}, ρ ${rhoText(rho)} a worker`;
  const more =
    workers > needed
      ? '; fewer would do but for the limit of open files'
      : room > workers
        ? `; ${room} would fit (${supply.why})`
        : `; no more would fit (${supply.why})`;
  const why =
    asked === null
      ? `${plural(workers, 'worker')}: ${load}${more}`
      : `${plural(workers, 'worker')}${held(workers, asked, useful)}: ${load} (${supply.why})`;
  return { workers, why, rho, rho_high, ...known };
}

const held = (workers: number, asked: number, useful: number): string =>
  workers < asked ? ` of ${asked} asked: more would have nothing to do beyond ${useful}` : ' as asked';
