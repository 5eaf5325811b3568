/** How two clients, or two versions of one, measure: what of it differs. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import { METRICS, type Metric } from '../../measure/metrics.ts';

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

const REQUEST_TIMES: readonly Metric[] = ['ttft', 'e2e', 'ntpot'];

/** Which printed latencies a definition decides; those that are not here move none. */
const DECIDES: Readonly<Record<string, readonly Metric[]>> = {
  [LABEL.t0!]: REQUEST_TIMES,
  [LABEL.ttft!]: ['ttft', 'tpot'],
  [LABEL.itl!]: ['itl'],
  [LABEL.tpot!]: ['tpot'],
  [LABEL.ntpot!]: ['ntpot'],
  [LABEL.end!]: ['e2e', 'tpot', 'ntpot'],
  [LABEL.tokenSource!]: ['tpot', 'ntpot'],
  [LABEL.failures!]: METRICS,
  [LABEL.warmupRequests!]: METRICS,
  [LABEL.percentiles!]: METRICS,
};

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

/** The latencies whose meaning differs: their total bias moves by definition alone. */
export const redefined = (differences: readonly DefinitionDifference[]): ReadonlySet<Metric> =>
  new Set(differences.flatMap(({ what }) => DECIDES[what] ?? []));
