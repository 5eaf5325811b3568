/** Every client that Tare knows. A new adapter is one import and one entry here. */
import { UserError } from '../src/system/user-error.ts';
import { aiperfAdapter } from './aiperf/adapter.ts';
import { asyncioAdapter } from './asyncio/adapter.ts';
import type { Adapter } from './contract.ts';
import { builtInAdapter } from './custom/adapter.ts';
import { genaiPerfAdapter } from './genai-perf/adapter.ts';
import { guidellmAdapter } from './guidellm/adapter.ts';
import { inferencePerfAdapter } from './inference-perf/adapter.ts';
import { inferenceXAdapter } from './inference-x/adapter.ts';
import { k6Adapter } from './k6/adapter.ts';
import { nearest } from './kit/near-miss.ts';
import { locustAdapter, locustFastAdapter, locustFastTwoAdapter } from './locust/adapter.ts';
import { sglangAdapter, sglangRustAdapter } from './sglang/adapter.ts';
import { tareAdapter, tareBurnAdapter } from './tare/adapter.ts';
import { vllmAdapter, vllmRustAdapter } from './vllm/adapter.ts';

/** In the order in which they are shown. */
export const allAdapters: readonly Adapter[] = [
  tareAdapter,
  tareBurnAdapter,
  asyncioAdapter,
  vllmAdapter,
  vllmRustAdapter,
  sglangAdapter,
  sglangRustAdapter,
  inferenceXAdapter,
  aiperfAdapter,
  k6Adapter,
  genaiPerfAdapter,
  inferencePerfAdapter,
  locustAdapter,
  locustFastAdapter,
  locustFastTwoAdapter,
  builtInAdapter('vegeta'),
  guidellmAdapter,
  builtInAdapter('oha'),
  builtInAdapter('autocannon'),
];

/**
 * The adapter of that name.
 * @throws UserError that names the nearest and all known ones.
 */
export function findAdapter(name: string, adapters: readonly Adapter[] = allAdapters): Adapter {
  const adapter = adapters.find((one) => one.name === name);
  if (adapter) return adapter;
  const names = adapters.map((one) => one.name);
  const near = nearest(name, names);
  throw new UserError(
    `no client "${name}"${near ? `; did you mean ${near}?` : '.'} Known clients: ${names.join(', ')}`,
  );
}
