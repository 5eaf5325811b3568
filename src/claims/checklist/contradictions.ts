/** Where a claim says two things that cannot both be, or something that its client cannot do. Pure. */
import type { Claim } from '../claim.ts';
import type { ClientKnowledge } from '../evidence-types.ts';
import type { ChecklistId } from './item.ts';
import { CLIENTS_APART_PERCENT } from './rules.ts';

export interface Contradiction {
  readonly id: ChecklistId;
  /** What stands against what, one sentence. */
  readonly words: string;
  /** Rows that it is about; null: all. */
  readonly rows: readonly string[] | null;
}

const LOOP_WORDS = { single: 'one event loop', multi: 'several processes or threads' } as const;

/** Within the claim. */
function inner({ measurement, rows, systems }: Claim): Contradiction[] {
  const found: Contradiction[] = [];
  const say = (id: ChecklistId, words: string, about: readonly string[] | null = null): void =>
    void found.push({ id, words, rows: about });
  const { processes, loop, streaming, arrivals, successRate } = measurement;
  if (loop === 'single' && processes !== null && processes.value > 1)
    say('loop', `one event loop is stated, and ${processes.text} worker processes, each of which has a loop`);
  if (streaming === 'no') {
    const timed = rows.filter(({ figures }) =>
      figures.some(({ metric }) => metric === 'ttft' || metric === 'itl'),
    );
    if (timed.length > 0)
      say(
        'streaming',
        `no streaming is stated, and TTFT or ITL is given for ${timed.map(({ id }) => id).join(', ')}: without a stream a client sees no first token`,
        timed.map(({ id }) => id),
      );
  }
  const { secondClient } = measurement;
  if (
    typeof secondClient === 'object' &&
    secondClient !== null &&
    secondClient.percent.value > CLIENTS_APART_PERCENT
  )
    say(
      'second-client',
      `a second client on the same engine is ${secondClient.kind === 'within' ? 'within ' : ''}${secondClient.percent.text}${secondClient.kind === 'apart' ? ' apart' : ' only'}: beyond ${CLIENTS_APART_PERCENT} % one of the two clients is what was measured`,
    );
  const finite = rows.filter(({ rateRps }) => rateRps !== null && Number.isFinite(rateRps.value));
  if (arrivals === 'closed loop' && finite.length > 0)
    say(
      'arrivals',
      `a closed loop is stated, and a rate of ${finite[0]!.rateRps!.text} for ${finite[0]!.id}: in a closed loop the server sets the rate`,
      finite.map(({ id }) => id),
    );
  if (arrivals === 'all at once' && finite.length > 0)
    say(
      'arrivals',
      `all requests at once are stated, and a rate of ${finite[0]!.rateRps!.text} for ${finite[0]!.id}`,
      finite.map(({ id }) => id),
    );
  const burst = rows.filter(({ rateRps }) => rateRps?.value === Number.POSITIVE_INFINITY);
  if ((arrivals === 'constant' || arrivals === 'poisson') && burst.length > 0 && burst.length === rows.length)
    say(
      'arrivals',
      `${arrivals} arrivals are stated, and every row has the rate inf, which is all requests at once`,
    );
  for (const row of rows) {
    const own = (metric: string) => row.figures.find((figure) => figure.metric === metric);
    const failed = own('failed');
    if (
      successRate !== null &&
      successRate.value === 100 &&
      failed !== undefined &&
      failed.quantity.value > 0
    )
      say(
        'success-rate',
        `a success rate of ${successRate.text} is stated, and ${failed.quantity.text} failed in ${row.id}`,
        [row.id],
      );
    const share = own('success_rate');
    if (
      successRate !== null &&
      share !== undefined &&
      Math.abs(share.quantity.value - successRate.value) > share.quantity.half + successRate.half &&
      rows.length === 1
    )
      say(
        'success-rate',
        `a success rate of ${successRate.text} is stated for the measurement, and ${share.quantity.text} for ${row.id}, its only row`,
        [row.id],
      );
    const { outputLength, outputTokens } = row;
    if (outputLength === 'fixed' && outputTokens !== null && !Number.isInteger(outputTokens.value))
      say(
        'lengths',
        `outputs of fixed length are stated, and ${outputTokens.text} tokens for ${row.id}, which is a mean`,
        [row.id],
      );
    if (
      row.promptsOf !== null &&
      row.run === 'cold' &&
      systems.find(({ name }) => name === row.system)?.prefixCache === 'on'
    )
      say(
        'prefix-cache',
        `${row.id} is stated to be cold, with the prompts of ${row.promptsOf} that ran before and the prefix cache on`,
        [row.id],
      );
  }
  return found;
}

/** Against what its client is known to do. */
function byClient({ measurement }: Claim, known: ClientKnowledge): Contradiction[] {
  const found: Contradiction[] = [];
  const { decides, title, version } = known;
  const client = `${title} (${version})`;
  const against = (id: ChecklistId, stated: string, fact: string): void =>
    void found.push({ id, words: `the claim states ${stated}, and ${client} has ${fact}`, rows: null });
  const { loop, processes, t0, tokenSource, streaming, arrivals } = measurement;
  if (loop !== null && decides.loop !== null && loop !== decides.loop)
    against('loop', LOOP_WORDS[loop], LOOP_WORDS[decides.loop]);
  if (processes !== null && processes.value > 1 && decides.loop === 'single')
    against('processes', `${processes.text} worker processes`, 'one process that sends');
  if (t0 !== null && decides.t0 !== null && t0 !== decides.t0)
    against('t0', `a clock that starts when a request is ${t0}`, `one that starts when it is ${decides.t0}`);
  if (tokenSource !== null && decides.tokenSource !== null && tokenSource !== decides.tokenSource)
    against('token-source', `tokens counted by ${tokenSource}`, `them from ${decides.tokenSource}`);
  if (streaming !== null && decides.streaming !== null && streaming !== decides.streaming)
    against('streaming', `streaming: ${streaming}`, `streaming: ${decides.streaming}`);
  if (
    (arrivals === 'constant' || arrivals === 'poisson' || arrivals === 'trace') &&
    decides.arrivals.length > 0 &&
    !decides.arrivals.includes(arrivals)
  )
    against('arrivals', `arrivals by ${arrivals}`, `${decides.arrivals.join(', ')} only`);
  return found;
}

/** All of them. */
export const contradictionsOf = (claim: Claim, known: ClientKnowledge | null): readonly Contradiction[] => [
  ...inner(claim),
  ...(known === null ? [] : byClient(claim, known)),
];
