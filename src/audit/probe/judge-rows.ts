/** From the rows of a run and what a client says of them to the verdict of a probe's cell. Pure. */
import type { ClientFacts } from '../../../adapters/contract.ts';
import type { Asked } from '../../measure/probe/answer.ts';
import { figuresOf, type Slack } from '../../measure/probe/figures.ts';
import { GENERAL_KINDS, seenWith } from '../../measure/probe/general.ts';
import { type Judgement, judge } from '../../measure/probe/judge.ts';
import type { Candidate, Given } from '../../measure/probe/judged.ts';
import type { NamedProbe, ScriptedProbe } from '../../measure/probe/probe.ts';
import type { Seen } from '../../measure/probe/seen.ts';
import { seenBy } from '../../measure/probe/stated.ts';
import type { ProbeLedgerRow } from '../../truth/probe-ledger.ts';
import { timelineOf } from '../../truth/probe-timeline.ts';
import type { CellFigure, ProbeCell } from './document.ts';
import { kindWords, verdictWords } from './words.ts';

export type Scripted = NamedProbe & ScriptedProbe;
type Facts = Pick<ClientFacts, 'definitions'>;

/** The probe of the base profile: what a request gets that no probe is asked of. */
export const PLAIN = 'plain';

/** The request of a row, as its probe was asked. */
export const askedOf = (row: ProbeLedgerRow): Asked => ({
  kind: row.kind,
  model: 'tare-reference',
  tokens: row.asked_tokens,
  includeUsage: row.include_usage,
  ignoreEos: row.ignore_eos,
  promptTokens: row.prompt_tokens,
  prompt: '',
  id: row.response_id ?? 'chatcmpl-0',
  created: 0,
  httpVersion: '1.1',
  headers: {},
  place: row.place,
  onConnection: row.on_connection,
});

/** What a client of these definitions makes of an answer that is sound. */
function statedOf(probe: Scripted, row: ProbeLedgerRow, right: Seen, facts: Facts, bare: boolean): Seen {
  if (!right.ok) return right;
  const asked = askedOf(row);
  const timeline = timelineOf(probe.answer(asked));
  return timeline === null ? right : seenBy(facts.definitions, timeline, asked.tokens, bare);
}

/** Faults that any sound answer shows, and that the probe does not name itself. */
function generalOf(
  subject: Scripted,
  rows: readonly ProbeLedgerRow[],
  probeOf: (id: string) => Scripted,
  right: readonly Seen[],
): Candidate[] {
  const timelines = rows.map((row) => timelineOf(probeOf(row.probe ?? PLAIN).answer(askedOf(row))));
  return GENERAL_KINDS.filter((kind) => !subject.known.some((one) => one.kind === kind)).map((kind) => ({
    kind,
    definition: false,
    seen: rows.map((row, i) => seenWith(kind, right[i]!, timelines[i]!, row.asked_tokens)),
  }));
}

export interface JudgedRows {
  readonly judgement: Judgement;
  readonly figures: readonly CellFigure[];
}

/**
 * Judges what a client says of rows. All of them count in the figures; those of other probes as they should come out.
 * @param by where each figure comes from.
 */
export function judgeRows(
  subject: Scripted,
  rows: readonly ProbeLedgerRow[],
  probeOf: (id: string) => Scripted,
  facts: Facts,
  got: Given,
  by: (name: string) => CellFigure['by'],
  slack: Slack,
): JudgedRows {
  const right = rows.map((row) => probeOf(row.probe ?? PLAIN).sees(row.place, askedOf(row)));
  const ways = facts.definitions.ttft === 'firstChunk' ? [false, true] : [false];
  const stated = ways.map((bare) =>
    rows.map((row, i) => statedOf(probeOf(row.probe ?? PLAIN), row, right[i]!, facts, bare)),
  );
  const own = subject.known.map((one) => ({
    kind: one.kind,
    definition: one.definition === true,
    seen: rows.map((row, i) => (row.probe === subject.id ? one.sees(row.place, askedOf(row)) : right[i]!)),
  }));
  const known = [...own, ...generalOf(subject, rows, probeOf, right)];
  const judgement = judge({
    right,
    stated,
    known,
    got,
    definitions: facts.definitions,
    judges: subject.judges ?? null,
    slack,
  });
  return {
    judgement,
    figures: judgement.figures.map(({ tolerance, ...one }) => ({
      ...one,
      tolerance: tolerance.above,
      tolerance_below: tolerance.below,
      by: by(one.name),
    })),
  };
}

/** The cell of what was judged. */
export function cellOf(
  subject: Scripted,
  client: string,
  { judgement, figures }: JudgedRows,
  of: { readonly requests: number; readonly run: string },
): ProbeCell {
  const { verdict, kind, size } = judgement;
  const unstated = verdict === 'other definition' && judgement.stated === false;
  const what = kind === null ? null : kindWords(kind, subject);
  const words = verdictWords(verdict, what, figures.find(({ name }) => name === size?.figure) ?? null);
  return {
    client,
    probe: subject.id,
    verdict,
    kind,
    words: unstated ? `${words} It does not state this.` : words,
    size,
    figures: figures.filter(({ got, right }) => got !== null || right !== null),
    requests: of.requests,
    run: of.run,
    confirms: null,
  };
}

/** Whether no request of these rows should succeed. */
export const allShouldFail = (subject: Scripted, rows: readonly ProbeLedgerRow[]): boolean =>
  figuresOf(rows.map((row) => subject.sees(row.place, askedOf(row)))).success === 0;
