/** How two clients, or two versions of one, measure: what of it differs. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';

const LABEL: Readonly<Record<string, string>> = {
  t0: 'clock starts',
  t0Detail: 'clock starts, exactly',
  ttft: 'TTFT',
  itl: 'ITL',
  tpot: 'TPOT',
  ntpot: 'NTPOT',
  end: 'E2E runs to',
  tokenSource: 'tokens from',
  throughput: 'printed rate',
  throughputOf: 'printed rate counts',
  failures: 'failed requests',
  warmupRequests: 'warm-up requests',
  percentiles: 'percentiles',
};

/** Definitions that decide what a printed figure means: where one differs, bias may move by definition alone. */
const ARITHMETIC = new Set(Object.values(LABEL).filter((label) => label !== LABEL.t0Detail));

export interface DefinitionDifference {
  readonly what: string;
  readonly a: string;
  readonly b: string;
}

/** Every fact of how they measure and run that differs. */
export function definitionDifferences(a: ClientFacts, b: ClientFacts): readonly DefinitionDifference[] {
  const [da, db] = [a.definitions, b.definitions] as unknown as Readonly<Record<string, unknown>>[];
  const told = (value: unknown) => (value === undefined ? 'interpolated' : String(value));
  const rows: [string, string, string][] = [
    ...Object.entries(LABEL).map(([key, label]): [string, string, string] => [
      label,
      told(da![key]),
      told(db![key]),
    ]),
    ['event loop', a.runtime, b.runtime],
    ['processes', a.processes, b.processes],
    ['architecture', a.architecture, b.architecture],
    ['connections', a.connections, b.connections],
    ['open loop', a.openLoop ? 'yes' : 'no', b.openLoop ? 'yes' : 'no'],
  ];
  return rows.filter(([, x, y]) => x !== y).map(([what, x, y]) => ({ what, a: x, b: y }));
}

/** Whether one of the differences changes what a printed figure means. */
export const changesMeaning = (differences: readonly DefinitionDifference[]): boolean =>
  differences.some(({ what }) => ARITHMETIC.has(what));
