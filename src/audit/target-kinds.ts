/** From a plan's target to what starts it. */
import type { TargetInfo } from './document.ts';
import type { TargetSource } from './target.ts';
import { externalTarget } from './target-external.ts';
import { referenceTarget } from './target-reference.ts';
import { simTarget } from './target-sim.ts';

/** The source of a plan's target. */
export function targetSource(target: TargetInfo): TargetSource {
  switch (target.kind) {
    case 'reference':
      return referenceTarget;
    case 'external':
      return externalTarget(target.url!);
    case 'llm-d-inference-sim':
      return simTarget(target.path!);
  }
}
