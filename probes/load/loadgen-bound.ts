import type { LoadProbe, LoadRun, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { summarize } from '../../src/measure/quantile.ts';
import { isRandom, printed, sendRateOf, sentOf, servedMs } from '../kit/load-run.ts';
import { type Said, saidOf } from '../kit/load-said.ts';
import { faulty, figure, right, say, undetermined } from '../kit/load-verdict.ts';

/** Past the knee its median of TTFT is so far above the server’s, or it sends less than 98 %. */
const LAG_MS = 5;

const SHORT = 8;
/** Words of Tare’s prompts are 5.4 bytes in the mean, with the space. */
const BYTES_A_WORD = 5.445;

const sizeWords = (promptTokens = SHORT): string =>
  promptTokens === SHORT ? '' : ` with prompts of ${say((promptTokens * BYTES_A_WORD) / 1000)} KB`;

const runAt = (rateRps: number, promptTokens = SHORT) =>
  ({
    name: `${rateRps}/s${sizeWords(promptTokens)}`,
    rateRps,
    requests: rateRps,
    tokens: 16,
    promptTokens,
    arrivals: 'constant',
    latency: 'zero',
  }) as const;

interface Seen {
  readonly run: LoadRun;
  readonly name: string;
  readonly sent: number;
  readonly lagMs: number | null;
  readonly lags: boolean;
  readonly past: boolean;
  /** What of its own output says so; null: nothing. */
  readonly says: Said | null;
  /** It is past the knee, and its own output does not say so, or says nothing of the lag. */
  readonly silent: boolean;
}

/** Requests/s by the ledger, with those that never arrived counted as missing. */
function shareSent(run: LoadRun): number {
  const rate = (sendRateOf(run) ?? 0) / run.rateRps;
  return Math.min(rate, sentOf(run) / run.requests);
}

/** Share of the rate that it may be short by: 2 %, and chance. */
const slackOf = (run: LoadRun): number => 0.02 + (isRandom(run) ? 3 / Math.sqrt(run.requests) : 0);
const holdsOf = (run: LoadRun): number => 1 - slackOf(run);

function measure(run: LoadRun) {
  const sent = shareSent(run);
  const p50 = printed(run, 'ttft', 'p50');
  const truth = summarize(servedMs(run, 'ttft'), '').p50_ms;
  const lagMs = p50 === null || truth === null ? null : p50 - truth;
  const lags = (lagMs ?? 0) > LAG_MS;
  return { sent, lagMs, lags, past: sent < holdsOf(run) || lags };
}

function look(run: LoadRun, always: readonly string[]): Seen {
  const { sent, lagMs, lags, past } = measure(run);
  const says = past ? saidOf(run, { sent, holds: holdsOf(run), lagMs }, always) : null;
  const silent = past && (says === null || (lags && says.ofRateOnly));
  const name = `${say(run.rateRps)}/s${sizeWords(run.promptTokens)}`;
  return { run, name, sent, lagMs, lags, past, says, silent };
}

const isDisturbed = ({ run }: Pick<Seen, 'run'>): boolean => (run.disturbed ?? null) !== null;

/** Two rates past the knee with short prompts, or one far past it: a higher one would only take long. A disturbed run settles nothing. */
function isSettled(runs: readonly LoadRun[]): boolean {
  const past = runs
    .filter((run) => !isDisturbed({ run }) && (run.promptTokens ?? SHORT) === SHORT)
    .map(measure)
    .filter((one) => one.past);
  return past.length > 1 || past.some(({ sent }) => sent < 0.5);
}

const whatOf = ({ name, sent, lagMs }: Seen): string =>
  `at ${name} it sends ${say(100 * sent)} %${lagMs === null ? '' : ` at a TTFT lag of ${say(lagMs)} ms`}`;

export default {
  scope: 'load',
  title: 'zero latency; the rate goes up, and the prompts grow to 100 KB, until the client cannot',
  about:
    'The server answers at once, so all that is printed is the client’s. Past the rate that its event loop can serve it sends late and reads late, and a TTFT that is its own queue looks like the server’s. Each run past that knee must be marked by what the client itself prints of that run.',
  source:
    'arithmetic: injected TTFT is 0, so a printed median beyond some milliseconds is the client’s; the ledger has what was sent',
  right: 'it holds the rate at no lag, or says of each run that it does not',
  runs: [runAt(250), runAt(250, 1850), runAt(100, 18_500), runAt(1000), runAt(4000)],
  isSettled,
  known: [
    {
      kind: 'loop-lag-as-ttft',
      what: 'prints the lag of its own event loop as TTFT',
      arithmetic: 'TTFT p50 of milliseconds to seconds where 0 is right; it grows with the run',
      reported: ['inference-perf#648'],
    },
    {
      kind: 'shortfall-not-said',
      what: 'sends less than was asked, and nothing that it prints says so',
      arithmetic:
        'sent < 98 % of the rate; no rate that is low by half as much, no dropped requests, no note of a delay or shortfall of that size',
    },
  ],
  refuses: ({ openLoop }) => (openLoop ? null : 'a closed loop: it sends what its users can'),
  judge(runs): LoadVerdict {
    // A note that stands under a run which was held says nothing of one which was not.
    const always = runs.filter((run) => !measure(run).past).flatMap(({ notes = [] }) => notes);
    const seen = runs.map((run) => look(run, always));
    const figures = seen.flatMap(({ run, name, lagMs }) => [
      figure(
        `sends at ${name}`,
        'requests/s',
        run.rateRps,
        sendRateOf(run),
        run.rateRps * slackOf(run),
        'ledger',
      ),
      figure(`TTFT p50 beyond the server’s at ${name}`, 'ms', 0, lagMs, LAG_MS, 'printed'),
    ]);
    const past = seen.filter((one) => one.past);
    const held = seen.filter((one) => !one.past).map(({ name }) => name);
    const holds = held.length === 0 ? 'it holds no rate that was tried' : `it holds ${held.join(', ')}`;
    if (past.length === 0) return right(`${holds}: all that was tried`, figures);
    const sure = past.filter((one) => !isDisturbed(one));
    const silent = sure.find((one) => one.silent);
    const unsure = past.find((one) => isDisturbed(one) && (one.silent || sure.length === 0));
    if (silent === undefined && unsure !== undefined)
      return {
        ...undetermined(
          `${holds}; ${whatOf(unsure)}, and the machine disturbed that run: ${unsure.run.disturbed}`,
          figures,
        ),
        again: true,
      };
    if (silent === undefined)
      return right(
        `${holds}; ${past.map((one) => `${whatOf(one)}, and it ${one.says!.words}`).join('; ')}`,
        figures,
      );
    const { lags, lagMs, says, sent, name } = silent;
    return lags
      ? faulty(
          'loop-lag-as-ttft',
          `${holds}; ${whatOf(silent)}: its own lag is printed as TTFT${says === null ? ', and nothing of that run says so' : ` (of that run it ${says.words})`}`,
          { value: lagMs!, unit: 'ms', figure: `TTFT p50 beyond the server’s at ${name}` },
          figures,
        )
      : faulty(
          'shortfall-not-said',
          `${holds}; ${whatOf(silent)}, and nothing that it prints of that run says so`,
          { value: sent - 1, unit: 'share', figure: `sends at ${name}` },
          figures,
        );
  },
} satisfies LoadProbe;
