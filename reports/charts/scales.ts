/**
 * Positions and ticks of the charts' scales, by the same formulas as Vega's, so that labels can be put beside the data and moved
 * apart before anything is drawn. All pure.
 */

/** Symlog: linear near zero, logarithmic beyond. Source: Webber, Meas. Sci. Technol. 24 (2013); Vega's `symlog`. */
export const symlog = (value: number, constant: number): number =>
  Math.sign(value) * Math.log1p(Math.abs(value / constant));

export interface Scale {
  readonly domain: readonly [number, number];
  /** Pixel (or any range) of a value. */
  position(value: number): number;
}

function scale(
  transform: (value: number) => number,
  domain: readonly [number, number],
  range: readonly [number, number],
): Scale {
  const [low, high] = [transform(domain[0]), transform(domain[1])];
  return {
    domain,
    position: (value) =>
      high === low
        ? (range[0] + range[1]) / 2
        : range[0] + ((transform(value) - low) / (high - low)) * (range[1] - range[0]),
  };
}

export const linearScale = (domain: readonly [number, number], range: readonly [number, number]): Scale =>
  scale((value) => value, domain, range);
export const logScale = (domain: readonly [number, number], range: readonly [number, number]): Scale =>
  scale(Math.log, domain, range);
export const symlogScale = (
  domain: readonly [number, number],
  range: readonly [number, number],
  constant: number,
): Scale => scale((value) => symlog(value, constant), domain, range);

/** A domain for a logarithmic axis: the values with some room at both ends, so that no mark sits on the frame. */
export function logDomain(values: readonly number[], room = 0.06): readonly [number, number] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [1, 10];
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  // One value alone gets half a decade on each side.
  const margin = high === low ? Math.sqrt(10) ** 0.5 : (high / low) ** room;
  return [low / margin, high * margin];
}

const DECADES = Array.from({ length: 19 }, (_, i) => Number(`1e${i - 9}`));

/** Ticks of a logarithmic axis inside the domain: decades, with 2 and 5 between where there are few. */
export function logTicks([low, high]: readonly [number, number], enough = 4): readonly number[] {
  let ticks: number[] = [];
  for (const factors of [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]]) {
    ticks = DECADES.flatMap((decade) => factors.map((f) => Number((decade * f).toPrecision(3)))).filter(
      (tick) => tick >= low && tick <= high,
    );
    if (ticks.length >= enough) break;
  }
  return ticks.length >= Math.min(3, enough) ? ticks : evenTicks(low, high);
}

/** Three to eight evenly spaced round values: a range of much less than a decade is as good as linear. */
function evenTicks(low: number, high: number): readonly number[] {
  if (!(high > low)) return [low];
  const widest = (high - low) / 3;
  const decade = 10 ** Math.floor(Math.log10(widest));
  const step = [5, 2, 1].find((factor) => factor * decade <= widest)! * decade;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Ticks of a symlog axis: zero, and on both sides the same decades from the linear zone on. */
export function symlogTicks([low, high]: readonly [number, number], constant: number): readonly number[] {
  const limit = Math.max(-low, high);
  // Within half a decade of the linear zone, round values would only crowd its edge.
  const round = limit < 3 * constant ? [] : logTicks([constant, limit], 2);
  const ticks = round.length === 0 && limit > constant ? [Number(constant.toPrecision(2))] : round;
  const side = (end: number) => ticks.filter((tick) => tick <= end);
  return [
    ...side(-low)
      .map((tick) => -tick)
      .reverse(),
    0,
    ...side(high),
  ];
}

/**
 * Moves wanted positions apart so that neighbours are at least `gap` away from one another and all lie in [low, high], with as
 * little movement as a single pass down and up gives. Returned in the order given.
 */
export function spread(wanted: readonly number[], gap: number, low: number, high: number): readonly number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed: number[] = [];
  order.forEach((index, rank) => {
    const floor = rank === 0 ? low : placed[rank - 1]! + gap;
    placed.push(Math.max(wanted[index]!, floor));
  });
  let ceiling = Math.max(high, low + gap * (wanted.length - 1));
  for (let rank = placed.length - 1; rank >= 0; rank--) {
    placed[rank] = Math.min(placed[rank]!, ceiling);
    ceiling = placed[rank]! - gap;
  }
  const result: number[] = [];
  order.forEach((index, rank) => {
    result[index] = placed[rank]!;
  });
  return result;
}
