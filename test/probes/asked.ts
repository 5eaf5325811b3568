/** Requests as the probes’ target understands them, for tests. */
import type { Asked } from '../../src/measure/probe/answer.ts';
import type { NamedProbe, ScriptedProbe } from '../../src/measure/probe/probe.ts';

export const asked = (change: Partial<Asked> = {}): Asked => {
  const place = change.place ?? 0;
  return {
    kind: 'chat',
    model: 'probe-model',
    tokens: 50,
    includeUsage: true,
    ignoreEos: true,
    promptTokens: 8,
    prompt: 'one two three four five six seven eight',
    id: `${change.kind === 'text' ? 'cmpl' : 'chatcmpl'}-0123456789abcdef-${place}`,
    created: 1_800_000_000,
    httpVersion: '1.1',
    headers: { host: '127.0.0.1:8000', 'content-type': 'application/json' },
    place,
    onConnection: 0,
    ...change,
  };
};

/** The request that a probe gets at a place, in as far as the probe itself says what is asked. */
export const askedOf = (probe: ScriptedProbe, change: Partial<Asked> = {}): Asked =>
  asked({ tokens: probe.tokens ?? 50, ...change });

/** Places that a probe is asked at: chat with usage at each, the other kinds at the first two. */
export const REQUESTS: readonly Partial<Asked>[] = [
  ...Array.from({ length: 10 }, (_, place) => ({ place, kind: 'chat', includeUsage: true }) as const),
  ...(['chat', 'text'] as const).flatMap((kind) =>
    [true, false].flatMap((includeUsage) => [0, 1].map((place) => ({ kind, includeUsage, place }))),
  ),
];

export const inWords = ({ kind, includeUsage, place }: Partial<Asked>): string =>
  `${kind}, ${includeUsage ? 'with' : 'without'} usage, place ${place}`;

export type NamedScript = ScriptedProbe & { readonly id: string; readonly group: string };
export const isScripted = (probe: NamedProbe): probe is NamedScript => probe.scope !== 'load';
