/** A client's definitions in words: each figure's in a line, then every fact that was read in its source. */
import type { Aspect, ClientFacts } from '../../../adapters/contract.ts';
import { DEFINITION, percentileWords, rateWords } from '../../measure/definition-words.ts';
import type { KnownDefinition } from '../evidence-types.ts';

const TABLE = 'docs/clients.md';

/** Clients that run a script of the user's: what Tare knows is of the script that it ships. */
const SCRIPTED: Readonly<Record<string, string>> = {
  k6: 'adapters/k6/chat.js',
  locust: 'adapters/locust/locustfile.py',
  'locust-fast': 'adapters/locust/locustfile.py',
  'locust-2p': 'adapters/locust/locustfile.py',
};

/** Whether what it measures is up to a script; its path in Tare, else null. */
export const scriptOf = (client: string): string | null => SCRIPTED[client] ?? null;

const summary = ({ definitions: d }: ClientFacts): readonly (readonly [string, Aspect, string])[] => [
  ['t0', 't0', `${d.t0}: ${d.t0Detail}`],
  ['TTFT', 'ttft', `ends at: ${DEFINITION[d.ttft]}`],
  ['ITL', 'itl', DEFINITION[d.itl]],
  ['TPOT', 'tpot', d.tpot === 'standard' ? '(E2E − TTFT) / (tokens − 1)' : DEFINITION[d.tpot]],
  ['NTPOT', 'ntpot', d.ntpot === 'standard' ? 'E2E / tokens' : DEFINITION[d.ntpot]],
  ['E2E', 'e2e', `ends at: ${DEFINITION[d.end]}`],
  ['token source', 'tokenSource', DEFINITION[d.tokenSource]],
  ['printed rate', 'throughput', rateWords(d)],
  ['failed requests', 'failures', DEFINITION[d.failures]],
  ['percentiles', 'statistics', percentileWords(d)],
  [
    'warm-up',
    'warmup',
    d.warmupRequests === 0 ? 'none by itself' : `${d.warmupRequests} before those that count`,
  ],
];

/** Every definition and fact, the figures' first. */
export function definitionLines(client: string, facts: ClientFacts): KnownDefinition[] {
  const where = (aspect: Aspect): string => {
    const places = facts.evidence.filter(({ about }) => about === aspect).map((fact) => fact.where);
    return places.length === 0 ? TABLE : places.join('; ');
  };
  const script = scriptOf(client);
  return [
    ...(script === null
      ? []
      : [
          {
            about: 'script',
            what: 'What it measures is up to its script. These definitions and findings are of the script that Tare ships; another may differ',
            where: script,
          },
        ]),
    ...summary(facts).map(([about, aspect, what]) => ({ about, what, where: where(aspect) })),
    ...facts.evidence,
  ];
}
