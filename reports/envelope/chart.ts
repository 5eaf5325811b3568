/**
 * The chart of envelopes: a row a client on a logarithmic axis of rates, with a bar up to where it holds, the bracket, and every trial as a mark
 * whose shape says how it ended. SVG whose colours are the page's, so that it follows its theme.
 */
import type { EnvelopeClient, EnvelopeDocument, EnvelopeTrial } from '../../src/audit/envelope/document.ts';
import type { TrialVerdict } from '../../src/measure/envelope/judge.ts';
import { rate } from '../format.ts';
import { type Html, html, trusted } from '../html.ts';
import { oneLine, shorten } from '../text.ts';
import { bracketShort, clientSentence, ranked } from './words.ts';

const ROW = 44;
const LEFT = 132;
const WIDTH = 700;
/** Room for the bracket in figures. */
const RIGHT = 128;
const TOP = 8;
const AXIS = 44;
/** Marks of trials at one rate stand one above the other. */
const STEP = 10;

export const VERDICT_WORDS: Readonly<Record<TrialVerdict, string>> = {
  holds: 'within tolerance',
  fails: 'out of tolerance',
  undetermined: 'undetermined',
  target: 'the target at its own limit',
};

const n = (value: number): string => String(Math.round(value * 10) / 10);

/** A mark around (x, y): a disc, a cross, a hollow diamond, a hollow square. */
function mark(verdict: TrialVerdict, x: number, y: number): string {
  const [a, b] = [n(x), n(y)];
  switch (verdict) {
    case 'holds':
      return `<circle class="m-holds" cx="${a}" cy="${b}" r="4.5"/>`;
    case 'fails':
      return `<path class="m-fails" d="M${n(x - 4)} ${n(y - 4)}l8 8m0-8l-8 8"/>`;
    case 'undetermined':
      return `<path class="m-undetermined" d="M${n(x - 5)} ${b}l5-5l5 5l-5 5z"/>`;
    case 'target':
      return `<rect class="m-target" x="${n(x - 4)}" y="${n(y - 4)}" width="8" height="8"/>`;
  }
}

/** 1, 2 and 5 times the powers of ten within. */
export function ticks(low: number, high: number): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const step of [1, 2, 5]) {
      const value = step * 10 ** power;
      if (value >= low && value <= high) found.push(Number(value.toPrecision(3)));
    }
  return found;
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly x: (rate: number) => number;
}

/** The axis: from the search's own ends, with a little room. */
function scaleOf({ search, trials }: EnvelopeDocument): Scale {
  const rates = trials.map(({ rate_rps }) => rate_rps);
  const low = Math.min(search.from_rps, ...rates) / 1.25;
  const high = Math.max(search.to_rps, ...rates) * 1.25;
  const span = Math.log(high / low);
  return { low, high, x: (value) => LEFT + (WIDTH * Math.log(value / low)) / span };
}

const markTitle = (trial: EnvelopeTrial): string =>
  `${rate(trial.rate_rps)}/s: ${VERDICT_WORDS[trial.verdict]}${trial.reason === '' ? '' : `: ${oneLine(trial.reason)}`}`;

function rowOf(client: EnvelopeClient, trials: readonly EnvelopeTrial[], index: number, scale: Scale): Html {
  const y = TOP + index * ROW + ROW / 2;
  const { bracket } = client;
  const holds = bracket?.holds?.rate_rps ?? null;
  const fails = bracket?.fails?.rate_rps ?? null;
  const barEnd = holds === null ? null : scale.x(holds);
  // Below its first rate nothing was tried.
  const start = scale.x(Math.min(...trials.map(({ rate_rps }) => rate_rps)));
  const seen = new Map<number, number>();
  const marks = trials.map((trial) => {
    const nth = seen.get(trial.rate_rps) ?? 0;
    seen.set(trial.rate_rps, nth + 1);
    // One above the other, around the row's middle: upward, downward, further up …, as close as their number needs.
    const most = trials.filter(({ rate_rps }) => rate_rps === trial.rate_rps).length;
    const step = Math.min(STEP, (ROW - 10) / most);
    const shift = (nth % 2 === 1 ? -1 : 1) * Math.ceil(nth / 2) * step;
    return html`<g>${trusted(mark(trial.verdict, scale.x(trial.rate_rps), y + shift))}<title>${markTitle(trial)}</title></g>`;
  });
  return html`<g>
<text class="name" x="${n(LEFT - 12)}" y="${n(y + 4)}" text-anchor="end">${shorten(oneLine(client.name), 17)}</text>
<line class="row" x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${n(y)}" y2="${n(y)}"/>
${barEnd !== null && html`<rect class="bar" x="${n(start)}" y="${n(y - 8)}" width="${n(Math.max(1, barEnd - start))}" height="16"/>`}
${fails !== null && html`<rect class="between" x="${n(barEnd ?? LEFT)}" y="${n(y - 8)}" width="${n(Math.max(1, scale.x(fails) - (barEnd ?? LEFT)))}" height="16"/>`}
${marks}
<text class="value" x="${n(LEFT + WIDTH + 12)}" y="${n(y + 4)}">${bracketShort(bracket)}</text>
</g>`;
}

const LEGEND: readonly (readonly [TrialVerdict, string])[] = [
  ['holds', VERDICT_WORDS.holds],
  ['fails', VERDICT_WORDS.fails],
  ['undetermined', VERDICT_WORDS.undetermined],
  ['target', VERDICT_WORDS.target],
];

/** What the marks mean. */
export const chartLegend = (): Html =>
  html`<ul class="legend">${LEGEND.map(
    ([verdict, words]) =>
      html`<li><svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">${trusted(mark(verdict, 7, 7))}</svg> a trial: ${words}</li>`,
  )}<li><svg width="26" height="14" viewBox="0 0 26 14" aria-hidden="true"><rect class="bar" x="0" y="1" width="26" height="12"/></svg> holds</li><li><svg width="26" height="14" viewBox="0 0 26 14" aria-hidden="true"><rect class="between" x="1" y="1" width="24" height="12"/></svg> the limit lies in here</li></ul>`;

/** The chart; null where no client was tried. */
export function envelopeChart(document: EnvelopeDocument): Html | null {
  const clients = ranked(document);
  if (clients.length === 0) return null;
  const scale = scaleOf(document);
  const bottom = TOP + clients.length * ROW;
  const [width, height] = [LEFT + WIDTH + RIGHT, bottom + AXIS];
  const alternative = `Envelopes on a logarithmic axis of rates. ${clients.map((client) => clientSentence({ ...client, why: null })).join(' ')}`;
  return html`<svg class="envelopes" role="img" aria-label="${alternative}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>
${ticks(scale.low, scale.high).map(
  (tick) =>
    html`<line class="grid" x1="${n(scale.x(tick))}" x2="${n(scale.x(tick))}" y1="${TOP}" y2="${bottom}"/><text class="tick" x="${n(scale.x(tick))}" y="${bottom + 18}" text-anchor="middle">${rate(tick)}</text>`,
)}
<text class="tick" x="${LEFT + WIDTH / 2}" y="${bottom + 38}" text-anchor="middle">requests/s asked for (log scale)</text>
${clients.map((client, i) =>
  rowOf(
    client,
    document.trials.filter((trial) => trial.client === client.name),
    i,
    scale,
  ),
)}
</svg>`;
}
