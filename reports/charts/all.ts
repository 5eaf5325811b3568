/** The charts of an audit, in the order of the page. Those without a single figure are left out. */
import type { AuditDocument } from '../../src/audit/document.ts';
import type { EnvelopeDocument } from '../../src/audit/envelope/document.ts';
import { explainedClients } from '../model/fitted.ts';
import { arrivalsChart } from './arrivals.ts';
import { biasChart } from './bias.ts';
import type { AuditChart } from './chart.ts';
import { decompositionChart } from './decomposition.ts';
import { envelopeChart } from './envelope.ts';
import { keptChart } from './kept.ts';
import { cpuChart, rateChart } from './rate.ts';
import { threadsChart } from './threads.ts';
import { ttftChart } from './ttft.ts';

export const BIAS_CHARTS = [
  ['ttft', 'p50'],
  ['ttft', 'p99'],
  ['e2e', 'p99'],
  ['tpot', 'mean'],
] as const;

/** Means that a queue model tells: the first of which there is a chart, where a model was chosen for a client; the other runs beside it. */
export const MODEL_CHARTS = [
  ['ttft', 'mean'],
  ['e2e', 'mean'],
] as const;

function modelChart(document: AuditDocument): AuditChart | null {
  if (explainedClients(document).length === 0) return null;
  const charts = MODEL_CHARTS.map(([metric, statistic]) => biasChart(document, metric, statistic));
  return charts.find((chart) => chart !== null) ?? null;
}

/** Every name that a chart can have: what a folder may hold from an earlier run. */
export const CHART_NAMES: readonly string[] = [
  ...[...BIAS_CHARTS, ...MODEL_CHARTS].map(([metric, statistic]) => `bias-${metric}-${statistic}`),
  'kept',
  'rate',
  'envelope-rates',
  'decomposition',
  'ttft',
  'arrivals-gaps',
  'cpu',
  'cpu-threads',
];

/** `envelope`: the search in whose folder the audit's trials are, if it is one's. */
export const chartsOf = (
  document: AuditDocument,
  envelope: EnvelopeDocument | null = null,
): readonly AuditChart[] =>
  [
    ...BIAS_CHARTS.map(([metric, statistic]) => biasChart(document, metric, statistic)),
    keptChart(document),
    rateChart(document),
    envelopeChart(document, envelope),
    decompositionChart(document),
    ttftChart(document),
    arrivalsChart(document),
    cpuChart(document),
    threadsChart(document),
    modelChart(document),
  ].filter((chart) => chart !== null);
