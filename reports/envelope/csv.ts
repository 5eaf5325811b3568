/** envelope.csv and envelope-trials.csv: one row a client, one row a trial; absent figures empty, each column with its unit. */
import type { BiasTerm, EnvelopeDocument, RateTerm } from '../../src/audit/envelope/document.ts';
import { type CsvCell, textCell, toCsv } from '../csv.ts';
import { clientSentence } from './words.ts';

/** Six significant digits: what is behind them is binary arithmetic, not measurement. */
const rounded = (value: number | null | undefined): number | null =>
  value == null ? null : Number(value.toPrecision(6));

/** Names of the figures that have a tolerance. */
const names = ({ search }: EnvelopeDocument): string[] =>
  search.tolerances.bias.map(({ metric, statistic }) => `${metric}_${statistic}`);

/** One row a client. */
export function envelopeCsv(document: EnvelopeDocument): string {
  const figures = names(document);
  const columns = [
    ...[
      'client',
      'version',
      'state',
      'bracket',
      'limit',
      'holds_rps',
      'fails_rps',
      'target_limit_rps',
      'confidence',
      'likely_low_rps',
      'likely_high_rps',
      'likely_confidence',
    ],
    ...[
      'trials',
      'holds_trials',
      'holds_held',
      'fails_trials',
      'fails_failed',
      'not_monotone',
      'failed_first',
    ],
    ...(['holds', 'fails'] as const).flatMap((at) => [
      `${at}_rate_fidelity`,
      ...figures.flatMap((name) => [
        `${at}_${name}_bias_ms`,
        `${at}_${name}_low_ms`,
        `${at}_${name}_high_ms`,
      ]),
    ]),
    ...['cause', 'sentence'],
  ];
  const rows = document.clients.map((client): CsvCell[] => {
    const { bracket } = client;
    return [
      textCell(client.name),
      textCell(client.found.state === 'found' ? client.found.version : ''),
      client.state,
      bracket?.state ?? '',
      bracket?.limit ?? '',
      bracket?.holds?.rate_rps ?? null,
      bracket?.fails?.rate_rps ?? null,
      bracket?.target_rps ?? null,
      rounded(bracket?.confidence),
      bracket?.likely?.low_rps ?? null,
      bracket?.likely?.high_rps ?? null,
      rounded(bracket?.likely?.confidence),
      client.trials,
      bracket?.holds?.trials ?? null,
      bracket?.holds?.holds ?? null,
      bracket?.fails?.trials ?? null,
      bracket?.fails?.fails ?? null,
      bracket?.not_monotone == null
        ? ''
        : `${bracket.not_monotone.fails_rps}/${bracket.not_monotone.holds_rps}`,
      textCell(client.failed_first?.name ?? ''),
      ...[client.at_holds, client.at_fails].flatMap((side): CsvCell[] => [
        rounded(side?.fidelity),
        ...figures.flatMap((name) => {
          const term = side?.terms.find((one) => one.name === name);
          return [rounded(term?.bias_ms), rounded(term?.low_ms), rounded(term?.high_ms)];
        }),
      ]),
      textCell(client.why?.cause ?? ''),
      textCell(clientSentence(client)),
    ];
  });
  return toCsv(columns, rows);
}

/** One row a trial, in the order in which they ran. */
export function envelopeTrialsCsv(document: EnvelopeDocument): string {
  const figures = names(document);
  const columns = [
    ...[
      'trial',
      'order',
      'client',
      'rate_rps',
      'purpose',
      'verdict',
      'reason',
      'outcome',
      'duration_s',
      'elapsed_s',
    ],
    ...['started_at', 'requests', 'arrival_rps', 'rate_share', 'rate_share_of', 'rate_allowed_share'],
    ...figures.flatMap((name) =>
      ['bias', 'low', 'high', 'allowed', 'floor'].map((what) => `${name}_${what}_ms`),
    ),
    ...[
      'busiest_thread_share',
      'target_cpu_share',
      'target_lateness_p50_ms',
      'target_lateness_p99_ms',
      'disturbed',
    ],
  ];
  const rows = document.trials.map((trial): CsvCell[] => {
    const rate = trial.terms.find(({ name }) => name === 'rate') as RateTerm | undefined;
    return [
      textCell(trial.id),
      trial.order,
      textCell(trial.client),
      trial.rate_rps,
      trial.purpose,
      trial.verdict,
      textCell(trial.reason),
      trial.outcome,
      trial.duration_s,
      trial.elapsed_s,
      textCell(trial.started_at),
      trial.requests,
      rounded(trial.arrival_rps),
      rounded(rate?.share),
      rate?.of ?? '',
      rounded(rate?.allowed_share),
      ...figures.flatMap((name) => {
        const term = trial.terms.find((one) => one.name === name) as BiasTerm | undefined;
        return [term?.bias_ms, term?.low_ms, term?.high_ms, term?.allowed_ms, term?.floor_ms].map(rounded);
      }),
      rounded(trial.busiest_thread_share),
      rounded(trial.target_cpu_share),
      rounded(trial.target_lateness_p50_ms),
      rounded(trial.target_lateness_p99_ms),
      textCell(trial.disturbed ?? ''),
    ];
  });
  return toCsv(columns, rows);
}
