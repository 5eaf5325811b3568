/** What a cell says in words. */
import type { NamedProbe } from '../../measure/probe/probe.ts';
import type { CellFigure, ProbeVerdict } from './document.ts';

/** Kinds that no single probe describes. */
const GENERAL: Readonly<Record<string, string>> = {
  'error-as-success': 'it counts requests as successful that failed',
  'sound-request-fails': 'it counts requests as failed whose answers are sound',
  'requests-lost': 'requests are in neither of its counts, successful or failed',
  'failures-uncounted': 'its count of failures is not that of the requests that failed',
  'zero-for-none': 'it gives 0 where there is no figure',
  'tokens-lost': 'it counts fewer tokens than came',
  'tokens-added':
    'it counts more tokens a successful request than came with those, as where tokens of failed ones are in the total',
  'figure-of-nothing': 'it gives a figure where there is none',
  late: 'it is later than can be, by nothing known here: its own delay or this machine’s, which tare audit tells',
  unnamed: 'no fault known here explains its figures',
  'ends-at-failure': 'its whole run ends at a request that fails',
  crashes: 'it ends without a result',
  hangs: 'it does not end',
  'exit-0-of-nothing': 'every request failed, and it exits with 0',
  'headers-as-token': 'it times the response head and calls it the first token',
  'first-chunk-as-token': 'it takes the first chunk, whatever is in it, for the first token',
  'end-at-response': 'its E2E ends with the response, not with the last token',
  'requested-as-tokens': 'it counts the tokens that it asked for, not those that came',
  'chunks-as-tokens': 'it counts chunks and calls them tokens',
  'recounted-text': 'it counts the tokens of the text itself',
  'usage-as-given': 'it takes usage at its word, whatever came',
  'gaps-between-chunks': 'its ITL is the gap between chunks, however many tokens are in one',
  'whole-body': 'it reads the body to its end before it looks at any event',
  'ttft-in-itl': 'it counts TTFT as the first gap between tokens',
  'tpot-by-n': 'its TPOT divides by all tokens, not by all but the first',
  'ttft-in-tpot':
    'its TPOT has the time to the first token in it: it is E2E / tokens, which others call NTPOT',
  'tpot-as-itl': 'its ITL is a mean over a request, which others call TPOT',
  'tpot-between-tokens': 'its TPOT runs from first to last token',
  'first-burst-in-tpot': 'its TPOT divides by all tokens but one, those of the first event included',
};

/** What a client of a kind does that no probe need name, in words; null where the kind is not a general one. */
export const generalWords = (kind: string): string | null => GENERAL[kind] ?? null;

/** A kind in words: the probe's own, or the general ones. */
export function kindWords(kind: string, probe: NamedProbe): string {
  const known = probe.known.find((one) => one.kind === kind);
  return known === undefined ? (GENERAL[kind] ?? kind) : `it ${known.what.replace(/^it /, '')}`;
}

const METRIC: Readonly<Record<string, string>> = {
  ttft: 'TTFT',
  itl: 'ITL',
  tpot: 'TPOT',
  ntpot: 'NTPOT',
  e2e: 'E2E',
};

const plain = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 2 });

/** A figure with its unit: `TTFT p50 5.2 ms`. */
export function figureWords(name: string, value: number, unit: string): string {
  if (unit === 'tokens') return `${plain(value)} ${value === 1 ? 'token' : 'tokens'}`;
  const [first, ...rest] = name.split(' ');
  const label = [METRIC[first!] ?? first!, ...rest].join(' ');
  if (unit === 'share') return `${label} ${plain(100 * value)} %`;
  // A name that ends in its unit says it: `requests 10`, `waited, s 3.2`.
  return label.split(/[ ,]+/).at(-1) === unit
    ? `${label} ${plain(value)}`
    : `${label} ${plain(value)} ${unit}`;
}

/** One sentence for a cell. */
export function verdictWords(verdict: ProbeVerdict, what: string | null, figure: CellFigure | null): string {
  if (verdict === 'right') return 'Every figure that it gives is right.';
  if (verdict === 'not applicable') return 'It gives no figure that this probe is about.';
  const said =
    figure === null || figure.got === null || figure.right === null
      ? null
      : `${figureWords(figure.name, figure.got, figure.unit)} where ${figureWords('', figure.right, figure.unit).trim()} is right`;
  const parts = [what, said].filter((part) => part !== null).join(': ');
  return parts === '' ? `${verdict}.` : `${parts[0]!.toUpperCase()}${parts.slice(1)}.`;
}
