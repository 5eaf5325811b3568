/** The checklist: what must be known of a measurement before its figures mean anything. The order is that of the report. */
import type { Claim, ClaimMeasurement, ClaimRow, Quantity } from '../claim.ts';
import { type ChecklistRule, LATENCIES, MEASURED, type Stated, TOKEN_RATES } from './item.ts';

const text = (quantity: Quantity | null): string | null => quantity?.text ?? null;
const systemOf = (claim: Claim, row: ClaimRow) => claim.systems.find(({ name }) => name === row.system);

/** An answer of several parts, each with its name. */
function whole(parts: readonly (readonly [name: string, text: string | null | undefined])[]): Stated {
  const stated = parts.flatMap(([, one]) => (one == null ? [] : [one]));
  const missing = parts.flatMap(([name, one]) => (one == null ? [name] : []));
  if (missing.length === 0) return stated.join(', ');
  return stated.length === 0 ? null : { partly: `${stated.join(', ')}; ${missing.join(', ')} not stated` };
}

/** How far two clients may be apart before one of them is what was measured. */
export const CLIENTS_APART_PERCENT = 10;

const secondClientWords = (answer: ClaimMeasurement['secondClient']): string | null => {
  if (answer === null) return null;
  if (typeof answer === 'string')
    return answer.trim().toLowerCase() === 'no'
      ? 'no, one client only'
      : `${answer} (in words, not quantified)`;
  return `${answer.kind === 'within' ? 'within ' : ''}${answer.percent.text}${answer.kind === 'apart' ? ' apart' : ''}${answer.how === null ? '' : ` (${answer.how})`}`;
};

/** A row's share of successes, from what it counts. */
function successOf(row: ClaimRow): string | null {
  const figure = (metric: string) => row.figures.find((one) => one.metric === metric)?.quantity.text;
  const [share, completed, failed] = [figure('success_rate'), figure('completed'), figure('failed')];
  if (share !== undefined) return share;
  if (failed !== undefined) return `${failed} failed`;
  return completed !== undefined && row.requests !== null
    ? `${completed} completed of ${row.requests.text}`
    : null;
}

export const CHECKLIST: readonly ChecklistRule[] = [
  {
    id: 'source',
    title: 'The page that it stands on',
    why: 'Without a public address nobody can see what was said, nor whether it has changed.',
    question: 'Where can these figures be read in public?',
    decides: [],
    answer: ({ sources }) => (sources.length === 0 ? null : sources.map(({ url }) => url).join(', ')),
  },
  {
    id: 'client',
    title: 'Client and version',
    why: 'Each client defines its figures otherwise, and some versions have known faults.',
    question: 'Which load generator was used, and which version of it?',
    decides: MEASURED,
    answer: ({ measurement: { client } }) =>
      whole([
        ['client', client.name],
        ['version', client.version],
      ]),
  },
  {
    id: 'processes',
    title: 'Worker processes of the client',
    why: 'One process is one queue: at some hundreds of requests a second its own delay is printed as the server’s.',
    question: 'How many worker processes did the load generator use?',
    decides: [],
    answer: ({ measurement }) => text(measurement.processes),
  },
  {
    id: 'loop',
    title: 'One event loop or several',
    why: 'A single asyncio loop has a token rate beyond which it is what is measured.',
    question: 'Was the client a single asyncio process, or did several processes send the load?',
    decides: [],
    answer: ({ measurement }) =>
      measurement.loop === null
        ? null
        : measurement.loop === 'single'
          ? 'one event loop'
          : 'several processes or threads',
  },
  {
    id: 't0',
    title: 'Where the clock of a request starts',
    why: 'From "sent" the wait in the client is left out; from "scheduled" it is in, as a user would feel it.',
    question:
      'Does a request’s clock start when it was due, when it entered the client’s queue, or when it was sent?',
    decides: ['ttft', 'e2e', 'ntpot'],
    answer: ({ measurement }) => measurement.t0,
  },
  {
    id: 'streaming',
    title: 'Streaming',
    why: 'Without a stream there is no first token to time, and no gaps.',
    question: 'Were the answers streamed?',
    decides: ['ttft', 'itl', 'tpot', 'user_throughput'],
    answer: ({ measurement }) => measurement.streaming,
  },
  {
    id: 'token-source',
    title: 'How output tokens are counted',
    why: 'Tokens that were asked for, events, and the client’s own tokenizer give other counts than the server’s usage; TPOT and tokens/s change by as much.',
    question:
      'How is the number of output tokens got: the server’s usage, a tokenizer in the client, the length asked for, or events counted?',
    decides: ['tpot', 'ntpot', ...TOKEN_RATES, 'user_throughput'],
    answer: ({ measurement }) => measurement.tokenSource,
  },
  {
    id: 'arrivals',
    title: 'How requests arrive',
    why: 'At one rate, even gaps, a Poisson process, a burst and a closed loop meet other queues.',
    question:
      'How did requests arrive: evenly, as a Poisson process, all at once, in a closed loop, from a trace?',
    decides: [...LATENCIES, 'user_throughput'],
    answer: ({ measurement }) => measurement.arrivals,
  },
  {
    id: 'load',
    title: 'Rate or concurrency',
    why: 'A latency or a throughput without the load that it was measured under compares with nothing.',
    question: 'At which request rate, or at which concurrency, was each figure measured?',
    decides: MEASURED,
    answer: (_, { rateRps, concurrency }) => {
      const parts = [
        ...(rateRps === null ? [] : [rateRps.text]),
        ...(concurrency === null ? [] : [`concurrency ${concurrency.text}`]),
      ];
      return parts.length === 0 ? null : parts.join(', ');
    },
  },
  {
    id: 'lengths',
    title: 'Prompt and output lengths',
    why: 'Tokens/s, TTFT and E2E follow the lengths; a mean, a limit and a fixed length are not the same load.',
    question:
      'How long were prompts and outputs, and were outputs of fixed length, a mean, or a limit that answers may stay below?',
    decides: MEASURED,
    answer: (_, { inputTokens, outputTokens, outputLength }) =>
      whole([
        ['prompt length', inputTokens === null ? null : `${inputTokens.text} in`],
        ['output length', outputTokens === null ? null : `${outputTokens.text} out`],
        ['fixed, mean or limit', outputLength],
      ]),
  },
  {
    id: 'size',
    title: 'Requests, or time at a rate',
    why: 'A percentile of few requests is one of them, and a short run is all ramp and drain.',
    question: 'How many requests is each figure over, and how long were they sent for?',
    decides: MEASURED,
    answer: (_, { requests, durationS, rateRps, concurrency }) =>
      requests !== null
        ? `${requests.text} requests`
        : durationS !== null && (rateRps !== null || concurrency !== null)
          ? durationS.text
          : null,
  },
  {
    id: 'statistic',
    title: 'Which statistic',
    why: 'Mean, median and P99 of one run differ by factors.',
    question: 'Is each latency a mean, a median or another percentile?',
    decides: [...LATENCIES, 'user_throughput'],
    answer: (_, row, figure) =>
      (figure === null ? row.figures.find(({ statistic }) => statistic !== null) : figure)?.statistic ?? null,
  },
  {
    id: 'success-rate',
    title: 'Success rate',
    why: 'A server that refuses looks faster: percentiles are then those of the survivors.',
    question: 'How many of the requests succeeded, and are the failed ones in the figures?',
    decides: MEASURED,
    answer: ({ measurement }, row) => {
      const share = text(measurement.successRate) ?? successOf(row);
      const failures = measurement.failures ?? null;
      return share === null || failures === null ? share : `${share}, failed ones ${failures}`;
    },
  },
  {
    id: 'window',
    title: 'Window of the figures',
    why: 'With ramp and drain inside, a throughput is lower and a latency mixes loads.',
    question: 'Over which requests or which time are the figures: are ramp and drain inside?',
    decides: MEASURED,
    answer: ({ measurement }) => measurement.window,
  },
  {
    id: 'warm-up',
    title: 'Warm-up',
    why: 'First requests meet compilation, cold caches and new connections.',
    question: 'What warm-up was there before the measured requests, with which prompts?',
    decides: MEASURED,
    answer: ({ measurement }) => measurement.warmUp,
  },
  {
    id: 'repetitions',
    title: 'Repetitions',
    why: 'One run says nothing of how far the next one would be.',
    question: 'How often was each figure measured, and how far were the runs apart?',
    decides: MEASURED,
    answer: ({ measurement }) => text(measurement.repetitions),
  },
  {
    id: 'system',
    title: 'Engine, version, model and hardware',
    why: 'It is what the figure is about.',
    question: 'Which engine and version, which model and precision, on which hardware?',
    decides: MEASURED,
    answer: (claim, row) => {
      const system = systemOf(claim, row);
      return whole([
        ['engine', system?.engine],
        ['version', system?.version],
        ['model', system?.model],
        ['hardware', system?.hardware],
      ]);
    },
  },
  {
    id: 'prefix-cache',
    title: 'Prefix cache',
    why: 'A prompt seen before skips its prefill; on one side only, it is what is compared.',
    question: 'Was the prefix cache on or off, and was it the same for every system that is compared?',
    decides: MEASURED,
    answer: (claim, row) => systemOf(claim, row)?.prefixCache ?? null,
  },
  {
    id: 'client-host',
    title: 'Hardware of the client',
    why: 'The client’s ceiling is that of its cores, and on the server’s own machine it takes cores away.',
    question: 'On which machine did the load generator run: the server’s own, or which other?',
    decides: [],
    answer: ({ measurement }) => measurement.clientHost,
  },
  {
    id: 'client-load',
    title: 'Load of the client’s machine',
    why: 'A core of the client at its limit is a queue that the figures hold.',
    question: 'How busy was the load generator’s busiest core?',
    decides: [],
    answer: ({ measurement }) => measurement.clientLoad,
  },
  {
    id: 'client-bias',
    title: 'What the client itself adds',
    why: 'Against a server of known delays the client’s own part shows; without that it is in the figure, unknown.',
    question:
      'What does the load generator itself add at this load, by a test against a server of known delays?',
    decides: [],
    answer: ({ measurement: { clientBias } }) =>
      clientBias === null ? null : `at most ${clientBias.atMostMs.text} (${clientBias.how})`,
  },
  {
    id: 'second-client',
    title: 'A second client',
    why: 'Where two clients differ by more than 10 % on one engine, one of them is what was measured.',
    question: 'Was the same engine measured with a second client, and did they agree within 10 %?',
    decides: [],
    answer: ({ measurement }) => secondClientWords(measurement.secondClient),
  },
];
