/** What of a client's profile is kept in the cache for `tare load --workers auto` and `tare correct`. */
import type { CostProfile, LayerCost } from '../../measure/cost.ts';
import type { ClientProfile } from './document.ts';

/** The measured layers; null where none was. */
export function costProfileOf(
  client: Omit<ClientProfile, 'kept_in'>,
  host: string,
  measuredAt: string,
): CostProfile | null {
  const layers = client.layers.flatMap(
    ({ layer, tokenization, state, busiest, group, load }): LayerCost[] => {
      const line = busiest ?? group;
      if (state !== 'measured' || line === null || load === null) return [];
      const { request, token, prompt_byte, residual_us, points } = line;
      return [
        { layer, tokenization, request, token, prompt_byte, residual_us, points, rho: load.median_rho },
      ];
    },
  );
  if (layers.length === 0 || client.startup_s === null || client.teardown_s === null) return null;
  return {
    schema: 'tare-cost/1',
    client: client.name,
    client_version: client.version,
    host,
    measured_at: measuredAt,
    loops: client.loops,
    bound_by: client.bound_by,
    startup_s: client.startup_s,
    teardown_s: client.teardown_s,
    layers,
  };
}
