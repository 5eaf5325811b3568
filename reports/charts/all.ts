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

/** Means that a queue model tells: drawn where one was chosen for a client. */
export const MODEL_CHARTS = [
  ['ttft', 'mean'],
  ['e2e', 'mean'],
] as const;

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
    ...(explainedClients(document).length > 0
      ? MODEL_CHARTS.map(([metric, statistic]) => biasChart(document, metric, statistic))
      : []),
    decompositionChart(document),
    keptChart(document),
    rateChart(document),
    ttftChart(document),
    cpuChart(document),
  ].filter((chart) => chart !== null);
