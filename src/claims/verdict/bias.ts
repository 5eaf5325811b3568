/** Whether what the client itself adds is known to be small against a figure. Pure. */
import type { ClaimFigure, ClaimMeasurement, ClaimRow } from '../claim.ts';
import { boundOn, SMALL_SHARE } from '../evidence/bound-on.ts';
import type { ExpectedBias } from '../evidence-types.ts';

export interface BiasKnown {
  readonly small: boolean;
  /** One sentence: what is known of it, and by whom. */
  readonly words: string;
  /** In what the audit that it rests on differs from the claim, a sentence each; empty where it rests on none. */
  readonly notes: readonly string[];
}

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

type Bounded = Extract<ExpectedBias, { readonly state: 'bounded' }>;
type Stated = NonNullable<ClaimMeasurement['clientBias']>;

const not = (words: string): BiasKnown => ({ small: false, words, notes: [] });
/** The most and the least that an interval lets the client add or take away. */
const most = ({ low_ms, high_ms }: Bounded): number => Math.max(Math.abs(low_ms), Math.abs(high_ms));
const least = ({ low_ms, high_ms }: Bounded): number => (low_ms > 0 ? low_ms : high_ms < 0 ? -high_ms : 0);

/** By an audit in the claim's own conditions. */
const byAudit = (sure: Bounded, allowed: number, before: string, against: string): BiasKnown =>
  most(sure) <= allowed
    ? { small: true, words: `${before}${sure.words}`, notes: sure.caveats }
    : { small: false, words: `${before}${sure.words.replace(/\.$/, '')}, ${against}`, notes: sure.caveats };

/** Whether a bound says where it comes from: an audit, or an address. What stands there cannot be looked into from here. */
const namesSource = ({ how }: Stated): boolean => /\baudit|https?:\/\/\S/i.test(how);

/**
 * By an audit of this machine where it has the claim's own conditions, else by the claimant's word. Of other conditions (machine, version,
 * lengths, arrivals …) an audit's interval is an order of magnitude: it is told, but is not knowledge of the claimant's client.
 */
export function biasKnown(
  figure: ClaimFigure,
  row: Pick<ClaimRow, 'id' | 'outputTokens' | 'outputLength'>,
  { clientBias }: Pick<ClaimMeasurement, 'clientBias'>,
  expected: readonly ExpectedBias[],
): BiasKnown {
  const { ms: value, allowed } = timeOf(figure);
  const own = expected.filter((one) => one.figure === figure.id);
  const sure = own.filter((one) => one.state === 'bounded').toSorted((a, b) => most(b) - most(a))[0];
  const against = `against ${ms(value)}; up to ${ms(allowed)} would be small`;
  if (clientBias !== null) {
    const stated = `the claim says that its client adds at most ${clientBias.atMostMs.text}`;
    const end = boundOn(figure, row, clientBias.atMostMs.value + clientBias.atMostMs.half);
    if (sure !== undefined && least(sure) > end)
      return {
        ...not(`${stated}, and an audit of this machine found more: ${sure.words}`),
        notes: sure.caveats,
      };
    if (sure !== undefined)
      return byAudit(
        sure,
        allowed,
        most(sure) <= end
          ? `${stated}, and an audit of this machine confirms it: `
          : `${stated}, which an audit of this machine does not confirm, so that its interval is taken: `,
        against,
      );
    const bound = boundOn(figure, row, clientBias.atMostMs.value);
    const part = bound < clientBias.atMostMs.value ? `, of that ${ms(bound)} in a mean over its tokens` : '';
    const word = `by the claimant’s word (${clientBias.how})`;
    if (bound > allowed)
      return not(`the client may add ${clientBias.atMostMs.text}${part} ${word} ${against}`);
    if (!namesSource(clientBias))
      return not(
        `${stated}, and how that is known (${clientBias.how}) names no audit and no address where it can be read`,
      );
    return {
      small: true,
      words: `the client adds at most ${clientBias.atMostMs.text}${part} ${word} against ${ms(value)}`,
      notes: [],
    };
  }
  if (sure !== undefined) return byAudit(sure, allowed, '', against);
  const hint = own.find((one) => one.state === 'order of magnitude');
  if (hint !== undefined)
    return not(
      `what the client adds is not stated; an order of magnitude, no more: ${hint.words} (${hint.reason})`,
    );
  const why = own
    .concat(expected.filter((one) => one.figure === null && one.row === row.id))
    .find((one) => one.state === 'unknown');
  return not(
    `what the client adds at this load is not stated${why?.state === 'unknown' ? `, and not known here: ${why.reason}` : ''}`,
  );
}
