/** Rows of the model's tables as text: parameters, rates, residuals. Pure. */
import type { ClientModel, ModelOfKind, ModelResidual } from '../../src/audit/model/document.ts';
import { ABSENT, METRIC_LABEL, ms, percent, plain, rate, signedMs } from '../format.ts';
import { KIND_LABEL, PARAMETERS } from './words.ts';

/** A head and rows of as many cells. */
export interface TextTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const label = (model: ClientModel, one: ModelOfKind): string =>
  `${KIND_LABEL[one.kind]}${one.kind === model.chosen ? ' (chosen)' : ''}`;

/** Parameters with 95 % intervals, a column a model; without those that no model has. */
export function parameterTable(model: ClientModel): TextTable {
  const rows = PARAMETERS.map(({ label: name, of }) => [
    name,
    ...model.models.map((one) => of(one.parameters)),
  ]);
  const errors = model.models.map((one) =>
    one.held_out_error === null ? ABSENT : `${percent(one.held_out_error)} %`,
  );
  return {
    head: ['parameter [95 %]', ...model.models.map((one) => label(model, one))],
    rows: [
      ...rows.filter(([, ...cells]) => cells.some((cell) => cell !== ABSENT)),
      ['held-out error', ...errors],
    ],
  };
}

const withError = (value: number | null, se: number | null): string =>
  value === null ? ABSENT : se === null ? signedMs(value) : `${signedMs(value)} ± ${ms(se)}`;

/** What was measured at each rate, and ρ there. */
export const rateTable = (model: ClientModel): TextTable => ({
  head: [
    'asked /s',
    'arrived /s',
    'trials × s',
    'gap CV²',
    'ρ',
    'ρ by CPU',
    'CPU ms a request',
    'TTFT bias ± se',
    'E2E bias ± se',
    'notes',
  ],
  rows: model.rates.map((one) => [
    rate(one.asked_rps),
    rate(one.arrived_rps),
    `${one.trials} × ${plain(one.duration_s)}`,
    plain(one.gap_cv2),
    plain(one.rho),
    plain(one.rho_by_cpu),
    ms(one.cpu_ms_per_request),
    withError(one.ttft_bias_ms, one.ttft_bias_se_ms),
    withError(one.e2e_bias_ms, one.e2e_bias_se_ms),
    [...(one.saturated ? ['saturated, not fitted'] : []), ...(one.held_out ? ['held out'] : [])].join('; '),
  ]),
});

const find = (
  one: ModelOfKind,
  { asked_rps, figure }: ModelResidual,
  held_out: boolean,
): ModelResidual | undefined =>
  one.residuals.find(
    (other) => other.asked_rps === asked_rps && other.figure === figure && other.held_out === held_out,
  );

/** Predicted, and by how much that is off what was measured. */
function predicted(residual: ModelResidual | undefined): string {
  if (residual === undefined) return ABSENT;
  const { predicted_ms: value, measured_ms: measured } = residual;
  if (value === null) return 'no steady state';
  return measured === 0
    ? ms(value)
    : `${ms(value)} (${signedPercent((value - measured) / Math.abs(measured))} %)`;
}

const signedPercent = (share: number): string => {
  const text = percent(Math.abs(share));
  return share < 0 ? `−${text}` : `+${text}`;
};

/** Measured and predicted at every rate: by the fit to all, and by a fit without that rate. */
export function residualTable(model: ClientModel): TextTable {
  const seen = new Map<string, ModelResidual>();
  for (const one of model.models)
    for (const residual of one.residuals) {
      const key = `${residual.figure} ${residual.asked_rps}`;
      if (!seen.has(key)) seen.set(key, residual);
    }
  const cells = [...seen.values()].sort(
    (a, b) => b.figure.localeCompare(a.figure, 'en') || a.asked_rps - b.asked_rps,
  );
  return {
    head: [
      'figure',
      'asked /s',
      'measured ms',
      ...model.models.flatMap((one) => [
        `${KIND_LABEL[one.kind]}, fitted`,
        `${KIND_LABEL[one.kind]}, held out`,
      ]),
    ],
    rows: cells.map((residual) => [
      METRIC_LABEL[residual.figure],
      rate(residual.asked_rps),
      withError(residual.measured_ms, residual.measured_se_ms),
      ...model.models.flatMap((one) => [
        predicted(find(one, residual, false)),
        predicted(find(one, residual, true)),
      ]),
    ]),
  };
}
