/** The queue models in words and figures, for the terminal and the page. Pure. */
import type {
  ClientModel,
  Growth,
  ModelEstimate,
  ModelOfKind,
  ModelParameters,
} from '../../src/audit/model/document.ts';
import type { ModelKind } from '../../src/measure/queue/types.ts';
import { ABSENT, ms, percent, plain, rate } from '../format.ts';
import { count, oneLine } from '../text.ts';

export const KIND_LABEL: Readonly<Record<ModelKind, string>> = { mg1: 'M/G/1', gated: 'gated loop' };

/** A figure with its interval, or what is known of it: `1,040 [1,010, 1,070]`, `410 (405 or more)`, `410 (no interval)`. */
export function estimate(
  one: ModelEstimate | null,
  figure: (value: number) => string = (value) => ms(value),
): string {
  if (one === null) return ABSENT;
  const { value, low, high } = one;
  if (low !== null && high !== null) return `${figure(value)} [${figure(low)}, ${figure(high)}]`;
  if (low !== null) return `${figure(value)} (${figure(low)} or more)`;
  return `${figure(value)} (${high === null ? 'no interval' : `${figure(high)} or less`})`;
}

/** Rows of the parameter table: what, in which unit, of each model. */
export const PARAMETERS: readonly {
  readonly label: string;
  readonly of: (parameters: ModelParameters) => string;
}[] = [
  { label: 'service rate μ of a loop, requests/s', of: (p) => estimate(p.mu_rps, rate) },
  { label: 'CV² of service', of: (p) => estimate(p.cv2, plain) },
  { label: 'cost of a turn, ms', of: (p) => estimate(p.turn_ms) },
  { label: 'cost of a request in it, ms', of: (p) => estimate(p.request_ms) },
  { label: 'TTFT without a queue, ms', of: (p) => estimate(p.ttft_base_ms) },
  { label: 'E2E without a queue, ms', of: (p) => estimate(p.e2e_base_ms) },
  { label: 'greatest rate of all loops, requests/s', of: (p) => estimate(p.capacity_rps, rate) },
];

/** Held-out error: `7.1 %`. */
export const heldOutWords = ({ held_out_error: error }: Pick<ModelOfKind, 'held_out_error'>): string =>
  error === null ? 'not known' : `${percent(error)}\u00a0%`;

/** The chosen model; null where none is. */
export const chosenModel = ({ models, chosen }: ClientModel): ModelOfKind | null =>
  models.find(({ kind }) => kind === chosen) ?? null;

/** μ of a loop in a word: of a gated loop the greatest that it nears under load. */
export function muWords({ kind, parameters }: ModelOfKind): string {
  if (kind === 'mg1') return `μ ${rate(parameters.mu_rps!.value)}/s a loop`;
  return `at most ${rate(parameters.capacity_rps.value)}/s`;
}

/** The first sentence on a client. */
export function verdictWords(model: ClientModel): string {
  const name = oneLine(model.client);
  const chosen = chosenModel(model);
  if (model.state === 'refused') return `${name}: no model. ${sentence(model.why)}`;
  const others = model.models
    .filter(({ kind }) => kind !== model.chosen)
    .map((one) => `${KIND_LABEL[one.kind]} ${heldOutWords(one)}`);
  // The reason says whether none explains it, or there is too little to tell.
  if (chosen === null) return `${name}: no model is chosen. ${sentence(model.why)}`;
  return `${name}: ${KIND_LABEL[chosen.kind]}, held-out error ${heldOutWords(chosen)}${others.length > 0 ? ` (${others.join(', ')})` : ''}. ${sentence(model.why)}${capacityWords(model)}`;
}

/** The greatest rate, with the ends that both models give where both are in question. */
function capacityWords({ capacity_rps: all }: ClientModel): string {
  if (all === null) return '';
  return ` Greatest rate of all loops, requests/s: ${estimate(all, rate)}.`;
}

/** Begins with a capital and ends with a full stop. */
export function sentence(text: string): string {
  const line = oneLine(text);
  const whole = /[.!?]$/.test(line) ? line : `${line}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** What queues where: `1 event loop (one thread carries its work); the 16 tokens of …`. */
export const queueWords = (model: ClientModel): string =>
  model.loops === null
    ? ''
    : `${count(model.loops, 'event loop')} (${oneLine(model.loops_how ?? '')}); ${oneLine(model.grain_words ?? '')}.`;

/** μ by CPU time, and whether it agrees with that of the curve. */
export function cpuWords(model: ClientModel): string {
  const { cpu_mu_low_rate_rps: low, cpu_mu_high_rate_rps: high, agreement } = model;
  if (low === null && high === null) return 'μ by CPU time is not known.';
  const mu = `μ by CPU time of a loop’s thread: ${rate(low)}/s at the lowest rate, ${rate(high)}/s at the highest steady one.`;
  return agreement === null ? mu : `${mu} ${sentence(agreement.words)}`;
}

/** A measured delay farther from the growth than this factor is another thing than the growth. */
const FAR = 1.5;

/** Whether what was measured is what a queue beyond capacity gives; empty where it is. */
function farWords({ measured_over_predicted: ratio }: Growth, t0: string): string {
  if (ratio === null || (ratio <= FAR && ratio >= 1 / FAR)) return '';
  if (ratio <= 0) return ', which is no growth at all';
  const times = `, ${plain(ratio)} times that: `;
  if (ratio > 1) return `${times}more than the growth of this queue delays it`;
  return t0 === 'sent'
    ? `${times}the rest may be what waits before sending`
    : `${times}it was not beyond its capacity for the whole run`;
}

/** What a delay beyond capacity means: of how long a run. */
export function growthWords(
  asked_rps: number,
  growth: Growth,
  measured_ms: number | null,
  t0: string,
): string {
  const by = growth.capacity_by === 'model' ? 'by the model' : 'by what arrived at the target';
  const measured =
    measured_ms === null
      ? 'no figure was measured'
      : `${ms(measured_ms)} ms were measured${t0 === 'sent' ? ', counted from sending, so without what waits before it' : ''}`;
  return `At ${rate(asked_rps)}/s it is beyond its ${rate(growth.capacity_rps)}/s (${by}): the delay grows by ${ms(growth.growth_ms_per_s)} ms in each second of answers, ${ms(growth.mean_of_run_ms)} ms on the mean of the requests that were due in ${plain(growth.duration_s)} s; ${measured}${measured_ms === null ? '' : farWords(growth, t0)}. A figure beyond capacity means nothing without its duration.`;
}

/** Every sentence of that kind. */
export const growthLines = (model: ClientModel): string[] =>
  model.rates.flatMap((one) =>
    one.growth === null
      ? []
      : [growthWords(one.asked_rps, one.growth, one.ttft_bias_ms ?? one.e2e_bias_ms, model.t0)],
  );
