/** Faults of the schedule itself: another arrival process than the one that was asked. */
import { exponential, type Uniform, uniform } from '../../measure/random.ts';
import { createSchedule, type Schedule, type ScheduleSpec } from '../../measure/schedule.ts';
import { NANOS_PER_S } from '../../measure/time.ts';
import { Connection } from '../connection.ts';
import type { Fault } from './fault.ts';

/** `random-gaps`: a Poisson process of the same mean rate. */
export const exponentialGaps = (spec: ScheduleSpec): Schedule =>
  createSchedule({ ...spec, arrivals: { kind: 'poisson' } });

/** Random stream of this fault's arrivals, apart from those of prompts and of the healthy schedule. */
const SECONDS_STREAM = 11;

/** A Poisson number of mean `mean`: exponential gaps that fit into it. */
function poisson(u: Uniform, mean: number): number {
  let n = 0;
  for (let sum = exponential(u); sum <= mean; sum += exponential(u)) n++;
  return n;
}

/** The offsets of one second's arrivals, s: exponential gaps, rescaled so that they fill it exactly. */
function secondOf(u: Uniform, rateRps: number): number[] {
  let sum = 0;
  const ends = Array.from({ length: poisson(u, rateRps) }, () => {
    sum += exponential(u);
    return sum;
  });
  return ends.map((end) => end / sum);
}

/** `on-the-second`, as the Poisson timer of inference-perf draws it (loadgen/load_timer.py): a Poisson number for each second. */
export function onTheSecond(spec: ScheduleSpec): Schedule {
  const u = uniform(spec.seed, SECONDS_STREAM);
  let second = -1;
  let offsets: number[] = [];
  let given = 0;
  let at = 0;
  return {
    requests: spec.requests,
    next() {
      if (given++ >= spec.requests) return Number.NaN;
      while (at === offsets.length) {
        second++;
        offsets = secondOf(u, spec.rateRps!);
        at = 0;
      }
      return (second + offsets[at++]!) * NANOS_PER_S;
    },
  };
}

/** Each of `senders` walks the same schedule of its share of the rate: their k-th requests leave together, with the same prompt. */
export function sameSeed(senders: number): Fault {
  class SameSeedConnection extends Connection {
    protected override promptNumber(index: number): number {
      return Math.floor(index / senders);
    }
  }
  return {
    connect: (settings, onSettled) => new SameSeedConnection(settings, onSettled),
    schedule(spec) {
      const one = createSchedule({
        ...spec,
        rateRps: spec.rateRps! / senders,
        requests: Math.ceil(spec.requests / senders),
      });
      let given = 0;
      let offset = 0;
      return {
        requests: spec.requests,
        next() {
          if (given >= spec.requests) return Number.NaN;
          if (given++ % senders === 0) offset = one.next();
          return offset;
        },
      };
    },
  };
}
