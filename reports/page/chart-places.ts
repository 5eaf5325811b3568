/** Which section of the page a chart stands in, by its name. */
import type { RenderedAuditChart } from '../charts/rendered.ts';

/** Sections that hold charts, in the order of the page. */
export const PLACES = [
  'bias',
  'rates',
  'envelope',
  'stages',
  'latency',
  'arrivals',
  'threads',
  'models',
] as const;
export type Place = (typeof PLACES)[number];

/** The first that fits. A mean that a queue model tells belongs to the models. */
const BY_NAME: readonly (readonly [name: RegExp, place: Place])[] = [
  [/^(?:model|bias-(?:ttft|e2e)-mean)/, 'models'],
  [/^(?:decomposition|stages)/, 'stages'],
  [/^(?:kept|rate|achieved)/, 'rates'],
  [/^envelope/, 'envelope'],
  [/^(?:ttft|latency|quantiles)/, 'latency'],
  [/^(?:arrivals|gaps)/, 'arrivals'],
  [/^(?:cpu|threads)/, 'threads'],
];

/** Where a chart stands; one of a name that is not known is still shown, with the first. */
export const placeOf = (name: string): Place =>
  BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 'bias';

/** The charts of a place, as they came. */
export const chartsAt = (charts: readonly RenderedAuditChart[], place: Place): RenderedAuditChart[] =>
  charts.filter(({ chart }) => placeOf(chart.name) === place);
