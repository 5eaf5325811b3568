/** Costs and rates in words. */
import type { LayerResult, SaturationCheck } from '../../src/audit/profile/document.ts';
import type { CostUs } from '../../src/measure/cost.ts';
import type { GoodTo } from '../../src/measure/profile/good-to.ts';

/** Three significant digits, without an exponent. */
export function digits(value: number): string {
  if (value === 0) return '0';
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return Math.abs(value) >= 1000
    ? Math.round(Number(value.toPrecision(3))).toLocaleString('en-US')
    : value.toFixed(Math.min(4, places));
}

/** `62.1 (60.3–63.9)`, µs. */
export const costWords = (cost: CostUs | null): string =>
  cost === null ? '–' : `${digits(cost.us)} (${digits(cost.low_us)} to ${digits(cost.high_us)})`;

/** A byte costs nanoseconds. */
export const byteWords = (cost: CostUs | null): string =>
  cost === null
    ? '–'
    : costWords({ us: cost.us * 1000, low_us: cost.low_us * 1000, high_us: cost.high_us * 1000 });

/** Cost at half the load, as a multiple: `× 1.32 (1.21 to 1.43)`. */
export const halfWords = (half: LayerResult['half_load']): string =>
  half === null
    ? '–'
    : `× ${half.ratio.toFixed(2)}${half.low === null || half.high === null ? ' (no interval)' : ` (${half.low.toFixed(2)} to ${half.high.toFixed(2)})`}`;

/** `640/s (610 to 672)`. */
export const goodToWords = (good: GoodTo | null): string =>
  good === null
    ? 'not known'
    : `${digits(good.rps)}/s (${digits(good.low_rps)} to ${good.high_rps === null ? 'not known' : digits(good.high_rps)})`;

/** Of a client none of whose layers was run. */
export const NO_LAYERS =
  'no layer: none of those that were asked for is a choice of this client (its facts name no other way to tokenize), or it was interrupted before its first';

/** What an answer is made of, in a layer. */
export function layerWords({ id }: Pick<LayerResult, 'id'>): string {
  const [layer, variant] = id.split('+');
  const words = {
    json: 'whole JSON answer',
    'sse-one-write': 'SSE, in one write',
    'sse-token': 'SSE, token by token',
    tls: 'SSE, token by token, TLS',
    http2: 'SSE, token by token, HTTP/2 in TLS',
  }[layer!]!;
  if (variant === undefined) return words;
  return `${words}, ${variant === 'server-tokens' ? "the server's count of tokens" : 'tokenizing'}`;
}

/** What saturation showed, in a sentence. */
export function saturationWords(
  saturation: SaturationCheck | { readonly why: string } | null,
): string | null {
  if (saturation === null) return null;
  if ('why' in saturation) return `not driven into saturation: ${saturation.why}`;
  const { asked_rps, completed_rps, predicted_rps, tokens, cost_us, busiest_share, ratio } = saturation;
  return (
    `asked for ${digits(asked_rps)}/s of ${tokens} tokens it completed ${digits(completed_rps)}/s by the ledger; ` +
    `1/cost is ${digits(predicted_rps)}/s (${ratio.toFixed(2)} of it); its busiest thread was ${(busiest_share * 100).toFixed(0)} % busy, a request cost ${digits(cost_us)} µs then`
  );
}
