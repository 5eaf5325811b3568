/**
 * Seeded random numbers. Every draw in Tare comes from a seed and a named stream, so that a workload is the same
 * whatever the number of workers, and a request's draws do not depend on how many tokens another one had.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A source of uniform numbers in (0, 1): open at both ends, so that its logarithm is finite. */
export type Uniform = () => number;

/** Mixes numbers into one 32-bit seed (the finalizer of MurmurHash3, applied a word at a time). */
export function mixSeed(...words: number[]): number {
  let h = 0x9747b28c;
  for (const word of words) {
    // Two 32-bit halves, so that seeds above 2^32 stay distinct.
    for (const half of [word >>> 0, Math.floor(word / 2 ** 32) >>> 0]) {
      h = Math.imul(h ^ half, 0x85ebca6b);
      h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
      h ^= h >>> 16;
    }
  }
  return h | 0;
}

/** A uniform source in (0, 1) with 32 random bits a draw (xoroshiro128+), set by `seed` and the stream words. */
export function uniform(seed: number, ...stream: number[]): Uniform {
  const generator = xoroshiro128plus(mixSeed(seed, ...stream));
  return () => ((generator.next() >>> 0) + 0.5) / 2 ** 32;
}

/** An exponential variate of mean 1 (inverse transform). */
export const exponential = (u: Uniform): number => -Math.log(u());

/** A standard normal variate (Box–Muller; the second one is thrown away, which keeps draws stateless). */
export const normal = (u: Uniform): number => Math.sqrt(-2 * Math.log(u())) * Math.cos(2 * Math.PI * u());

/**
 * A gamma variate of the given shape and scale 1.
 * Source: Marsaglia & Tsang, "A simple method for generating gamma variables", ACM TOMS 26(3), 2000.
 */
export function gamma(u: Uniform, shape: number): number {
  if (shape < 1) return gamma(u, shape + 1) * u() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(u);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(u()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}
