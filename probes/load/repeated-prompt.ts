import type { LoadProbe, LoadVerdict } from '../../src/measure/probe/probe.ts';
import { servedMs } from '../kit/load-run.ts';
import { answerAfter } from '../kit/load-script.ts';
import { figure, notApplicable, other, right, say } from '../kit/load-verdict.ts';

const SEEN_MS = 10;
const NEW_MS = 200;
const BETWEEN_MS = (SEEN_MS + NEW_MS) / 2;
/** Of the requests so many may repeat by chance: prompts of a few words from a small vocabulary. */
const CHANCE = 0.05;

/** Prompts that this target has seen: a prefix cache that forgets nothing. */
const seen = new Set<string>();

export default {
  scope: 'load',
  title: 'a server that answers a prompt it knows in 10 ms, and a new one in 200',
  about:
    'Servers keep what they computed of a prompt (prefix caching). A client that sends the same prompt again measures that cache; whether it was meant to must be stated, for TTFT differs by a factor of twenty.',
  source: 'arithmetic: TTFT mean = 10·h + 200·(1 − h), h the share of requests whose prompt came before',
  right: 'each prompt is new: TTFT 200',
  runs: [{ name: '40 at 10/s', rateRps: 10, requests: 40, tokens: 4, arrivals: 'constant' }],
  countsOnly: true,
  answer(asked) {
    const known = seen.has(asked.prompt);
    seen.add(asked.prompt);
    return answerAfter(asked, known ? SEEN_MS : NEW_MS);
  },
  known: [
    {
      kind: 'prompts-repeat',
      what: 'sends prompts again, as it is run here',
      arithmetic: 'one prompt for all 40: h = 39/40, TTFT mean 14.75 (−93 %)',
      definition: true,
    },
  ],
  judge([run]): LoadVerdict {
    const ttft = servedMs({ ...run!, definitions: { ...run!.definitions, ttft: 'firstContent' } }, 'ttft');
    if (ttft.length === 0) return notApplicable('no request was answered');
    const hits = ttft.filter((ms) => ms < BETWEEN_MS).length;
    const share = hits / ttft.length;
    const figures = [figure('prompts sent before', 'share', 0, share, CHANCE, 'ledger')];
    if (share <= CHANCE)
      return right(
        hits === 0
          ? 'each prompt is new to the server'
          : `${hits} of ${ttft.length} prompts came before, no more than chance may make`,
        figures,
      );
    return other(
      'prompts-repeat',
      `${hits} of ${ttft.length} requests repeat a prompt that the server has seen: with a cache TTFT would be ${say(SEEN_MS * share + NEW_MS * (1 - share))} ms in the mean where ${NEW_MS} is right`,
      { value: share, unit: 'share', figure: 'prompts sent before' },
      figures,
    );
  },
} satisfies LoadProbe;
