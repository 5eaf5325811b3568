/** Whether what the client itself adds is known to be small against a figure. Pure. */
import type { ClaimFigure, ClaimMeasurement, ClaimRow } from '../claim.ts';
import { boundOn, SMALL_SHARE } from '../evidence/bound-on.ts';
import type { ExpectedBias } from '../evidence-types.ts';

export type BiasKnown =
  | { readonly small: true; readonly words: string }
  | { readonly small: false; readonly words: string };

const ms = (value: number): string => `${Number(value.toPrecision(3))} ms`;

/**
 * Small is a share of the figure; half a unit of its last printed digit, if that is more, is allowed as well: what is not printed cannot be biased.
 * The time a figure is, ms, and how much of it may be the client's: for one user's tokens a second, the time of a token.
 */
function timeOf({ metric, quantity }: ClaimFigure): { ms: number; allowed: number } {
  if (metric !== 'user_throughput')
    return { ms: quantity.value, allowed: Math.max(SMALL_SHARE * quantity.value, quantity.half) };
  const token = 1000 / quantity.value;
  return { ms: token, allowed: SMALL_SHARE * token };
}

/**
 * By the claim's own bound, or by audits of this machine. Of other conditions (machine, version, arrivals …) an audit's interval is an order of
 * magnitude: it is told, but is not knowledge of the claimant's client.
 */
export function biasKnown(
  figure: ClaimFigure,
  row: Pick<ClaimRow, 'outputTokens' | 'outputLength'>,
  { clientBias }: Pick<ClaimMeasurement, 'clientBias'>,
  expected: readonly ExpectedBias[],
): BiasKnown {
  const { ms: value, allowed } = timeOf(figure);
  const own = expected.filter((one) => one.figure === figure.id);
  const bounded = own.filter((one) => one.state === 'bounded');
  const size = (one: (typeof bounded)[number]): number =>
    Math.max(Math.abs(one.low_ms), Math.abs(one.high_ms));
  const against = `against ${ms(value)}; up to ${ms(allowed)} would be small`;
  if (clientBias !== null) {
    const least = (one: (typeof bounded)[number]): number =>
      one.low_ms > 0 ? one.low_ms : one.high_ms < 0 ? -one.high_ms : 0;
    const most = boundOn(figure, row, clientBias.atMostMs.value + clientBias.atMostMs.half);
    const beyond = bounded.find((one) => least(one) > most);
    if (beyond !== undefined)
      return {
        small: false,
        words: `the claim says that its client adds at most ${clientBias.atMostMs.text}, and an audit of this machine found more: ${beyond.words}`,
      };
    const bound = boundOn(figure, row, clientBias.atMostMs.value);
    const part = bound < clientBias.atMostMs.value ? `, of that ${ms(bound)} in a mean over its tokens` : '';
    return bound <= allowed
      ? {
          small: true,
          words: `the client adds at most ${clientBias.atMostMs.text}${part} (${clientBias.how}) against ${ms(value)}`,
        }
      : {
          small: false,
          words: `the client may add ${clientBias.atMostMs.text}${part} (${clientBias.how}) ${against}`,
        };
  }
  const sure = bounded[0];
  if (sure !== undefined)
    return size(sure) <= allowed
      ? { small: true, words: sure.words }
      : { small: false, words: `${sure.words}, ${against}` };
  const hint = own.find((one) => one.state === 'order of magnitude');
  if (hint !== undefined)
    return {
      small: false,
      words: `what the client adds is not stated; an order of magnitude, no more: ${hint.words} (${hint.reason})`,
    };
  const why = own
    .concat(expected.filter((one) => one.figure === null && one.row === figure.row))
    .find((one) => one.state === 'unknown');
  return {
    small: false,
    words: `what the client adds at this load is not stated${why?.state === 'unknown' ? `, and not known here: ${why.reason}` : ''}`,
  };
}
