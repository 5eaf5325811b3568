/** Requests that have ended, for tests of what is made of them. */
import { EVENT } from '../../src/load/event-kind.ts';
import { OUTCOME, type Outcome } from '../../src/load/outcome.ts';
import type { Ended } from '../../src/load/recorder.ts';

const MS = 1e6;

export interface EndedSpec {
  readonly index?: number;
  readonly promptTokens?: number;
  /** ms; the first token is at `tokenMs[0]`. */
  readonly scheduledMs?: number;
  readonly sentMs?: number;
  readonly tokenMs?: readonly number[];
  readonly endMs?: number;
  readonly outcome?: Outcome;
  readonly usage?: number;
  readonly kinds?: number;
  readonly firstAnswerMs?: number;
  readonly failure?: string;
  /** When the first of several tries was sent; `sentMs` is then that of the last one. */
  readonly firstSentMs?: number;
}

export function ended(spec: EndedSpec = {}): Ended {
  const stamps = Float64Array.from((spec.tokenMs ?? [30, 40, 50]).map((ms) => ms * MS));
  const first = stamps[0] ?? Number.NaN;
  return {
    index: spec.index ?? 0,
    promptTokens: spec.promptTokens ?? -1,
    scheduledNs: (spec.scheduledMs ?? 0) * MS,
    sentNs: (spec.sentMs ?? 10) * MS,
    headersNs: first,
    firstNs: first,
    firstAnswerNs: spec.firstAnswerMs === undefined ? first : spec.firstAnswerMs * MS,
    lastNs: stamps.at(-1) ?? Number.NaN,
    endNs: (spec.endMs ?? 60) * MS,
    kinds: spec.kinds ?? EVENT.content | EVENT.done | EVENT.finish,
    completionTokens: spec.usage ?? stamps.length,
    tokens: stamps.length,
    stamps,
    stampCount: stamps.length,
    outcome: OUTCOME[spec.outcome ?? 'complete'],
    failure: spec.failure ?? '',
    retryAfter: '',
    answerDate: '',
    tries: spec.firstSentMs === undefined ? 1 : 2,
    firstSentNs: (spec.firstSentMs ?? Number.NaN) * MS,
  };
}
