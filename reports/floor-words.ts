/** The floor in words: what this machine cannot tell from zero, and what it is made of. */
import type { Floor } from '../src/audit/document.ts';
import { METRIC_LABEL, ms, signedMs } from './format.ts';
import { machineWords } from './machine-words.ts';

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** The same client against itself. */
export function againstItselfWords({ against_itself: aa }: Floor): string | null {
  if (aa === undefined || aa.figures === 0) return null;
  const { figures, beyond, most } = aa;
  const usual = `our client against itself (A/A): ${beyond} of ${figures} figures differ by more than their 95 % intervals allow`;
  return most === null
    ? usual
    : `${usual}, ${METRIC_LABEL[most.metric]} ${most.statistic} the most (${signedMs(most.difference_ms)} ms, allowed ${ms(most.allowed_ms)}); the floor holds both runs`;
}

/** How far the ledger and the kernel's stamps are apart while the floor was measured. */
export const wireApartWords = ({ p50, p99 }: NonNullable<Floor['wire_apart_ms']>): string =>
  `apart by ${ms(p50)} ms (p50), ${ms(p99)} ms (p99) over the floor’s runs; the floor holds that`;

/** The floor, one line each: figures, what the machine added, A/A. */
export function floorLines(floor: Floor | null): string[] {
  if (floor === null) return ['no floor: something disturbed each run'];
  const { ttft, itl } = floor.floor_ms;
  const figure = (value: number | null): string => (value === null ? 'none' : `${ms(value)} ms`);
  const lateness =
    floor.target_lateness_p99_ms == null
      ? ''
      : `; target late by ${ms(floor.target_lateness_p99_ms)} ms at p99`;
  const stolen = floor.steal_share == null ? '' : `; steal ${share(floor.steal_share)}`;
  const aa = againstItselfWords(floor);
  return [
    `floor: TTFT p50 ${figure(ttft.p50)}, p99 ${figure(ttft.p99)}; ITL p50 ${figure(itl.p50)}, p99 ${figure(itl.p99)}`,
    `clock steps ${floor.clock_resolution_ns} ns${lateness}${stolen}`,
    ...(floor.wire_apart_ms ? [`ledger and wire: ${wireApartWords(floor.wire_apart_ms)}`] : []),
    ...(floor.machine ? [`the machine alone: ${machineWords(floor.machine)}`] : []),
    ...(aa === null ? [] : [aa]),
  ];
}
