/** From the text of a claim's file to the claim, or to every fault with its line and column. Pure. */
import type { Claim } from '../claim.ts';
import { buildClaim } from './build.ts';
import { inOrder, type PlacedFault } from './fault.ts';
import { faultsOf } from './issues.ts';
import { LIMITS } from './limits.ts';
import { referenceFaults } from './references.ts';
import { claimFileSchema } from './schema.ts';
import { readYaml } from './yaml.ts';

export type ReadClaim =
  | { readonly ok: true; readonly claim: Claim }
  | { readonly ok: false; readonly faults: readonly PlacedFault[] };

/** Reads it. Faults come in the order of the file, all of them that can be seen at once. */
export function readClaim(text: string): ReadClaim {
  if (Buffer.byteLength(text) > LIMITS.bytes)
    return {
      ok: false,
      faults: [
        {
          line: 1,
          column: 1,
          message: `the file is larger than a claim may be; allowed are ${LIMITS.bytes / 1024} KiB: leave out what is no figure of it`,
        },
      ],
    };
  const yaml = readYaml(text.replace(/^\ufeff/, ''));
  if (!('plain' in yaml)) return { ok: false, faults: inOrder(yaml) };
  const checked = claimFileSchema.safeParse(yaml.plain);
  const faults = [
    ...yaml.faults,
    ...[
      ...(checked.success ? [] : checked.error.issues.flatMap((issue) => faultsOf(issue, yaml.plain))),
      ...referenceFaults(yaml.plain),
    ].map(yaml.place),
  ];
  if (checked.success && faults.length === 0)
    return { ok: true, claim: buildClaim(checked.data, yaml.lineOf) };
  return { ok: false, faults: inOrder(faults) };
}
