/** The charts of an audit, in the order of the page. Those without a single figure are left out. */
import type { AuditDocument } from '../../src/audit/document.ts';
import { explainedClients } from '../model/fitted.ts';
import { biasChart } from './bias.ts';
import type { ChartSpec } from './chart.ts';
import { decompositionChart } from './decomposition.ts';
import { keptChart } from './kept.ts';
import { cpuChart, rateChart } from './rate.ts';
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

function modelChart(document: AuditDocument): ChartSpec | null {
  if (explainedClients(document).length === 0) return null;
  const charts = MODEL_CHARTS.map(([metric, statistic]) => biasChart(document, metric, statistic));
  return charts.find((chart) => chart !== null) ?? null;
}

/** Every name that a chart can have: what a folder may hold from an earlier run. */
export const CHART_NAMES: readonly string[] = [
  ...[...BIAS_CHARTS, ...MODEL_CHARTS].map(([metric, statistic]) => `bias-${metric}-${statistic}`),
  'decomposition',
  'kept',
  'rate',
  'ttft',
  'cpu',
];

export const chartsOf = (document: AuditDocument): readonly ChartSpec[] =>
  [
    ...BIAS_CHARTS.map(([metric, statistic]) => biasChart(document, metric, statistic)),
    modelChart(document),
    decompositionChart(document),
    keptChart(document),
    rateChart(document),
    ttftChart(document),
    cpuChart(document),
  ].filter((chart) => chart !== null);
