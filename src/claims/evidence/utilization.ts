/** How busy a client's loop would be at a claim's load on this machine, by its cost profile (docs/profile.md). Pure. */
import { type CostProfile, requestCostUs } from '../../measure/cost.ts';
import type { RowLoad } from './row-load.ts';

/** Bytes of a token of a prompt: a choice, of English text; said where it is used. */
const BYTES_A_TOKEN = 4;

/** One sentence with ρ = rate × cost a request / loops; null where the profile has no layer for streamed tokens. */
export function utilizationWords(
  profile: CostProfile,
  load: RowLoad,
  inputTokens: number | null,
): string | null {
  const layer = profile.layers.find((one) => one.layer === 'sse-token');
  if (layer === undefined) return null;
  const us = requestCostUs(layer, {
    tokens: load.outputTokens,
    promptBytes: (inputTokens ?? 0) * BYTES_A_TOKEN,
  });
  const rps = load.rps[1];
  const rho = (rps * us) / 1e6 / profile.loops;
  return (
    `By its profile a request costs it ${us.toFixed(0)} µs here${inputTokens === null ? ', prompt left out' : ` (${BYTES_A_TOKEN} bytes a prompt token)`}: ` +
    `${Number(rps.toPrecision(4))}/s × ${us.toFixed(0)} µs / ${profile.loops} ${profile.loops === 1 ? 'loop' : 'loops'} = ρ ${rho.toFixed(2)}${rho >= 1 ? ', beyond what it can serve' : ''}. ` +
    'A core that is k times as fast has ρ / k, and saturates at k times the rate.'
  );
}
