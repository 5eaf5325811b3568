import { describe, expect, it } from 'vitest';
import { latencyModel, schedule } from '../../src/measure/latency.ts';
import { parseLatencySpec } from '../../src/measure/latency-spec.ts';
import { LEDGER_OUTCOMES } from '../../src/measure/ledger.ts';
import { ID_BYTES, ID_KIND, OUTCOME_INDEX, Recorder } from '../../src/truth/recorder.ts';
import { snapshot } from '../../src/truth/snapshot.ts';
import { META } from './sample.ts';

const model = latencyModel(parseLatencySpec('ttft=lognormal:5ms:1,itl=bimodal:1ms:9ms:0.3'));
const take = (recorder: Recorder) => snapshot(recorder, { model, seed: 7 }, 'cafe0123', META);

/** Writes down a request whose tokens left each 10 ns late. */
function write(recorder: Recorder, arrivalNs: number, prompt: number, asked: number, sent: number): number {
  const ordinal = recorder.open(arrivalNs, 3);
  const row = recorder.row(ordinal);
  recorder.promptTokens[row] = prompt;
  recorder.askedTokens[row] = asked;
  recorder.idKind[row] = ID_KIND.chat;
  recorder.openTokens(row, asked);
  const due = schedule(model, 7, ordinal, prompt, sent);
  for (let i = 0; i < sent && recorder.tokenBase[row]! >= 0; i++)
    recorder.tokenNs[recorder.tokenBase[row]! + i] = arrivalNs + due[i]! + 10;
  recorder.deliveredTokens[row] = sent;
  return row;
}

describe('the recorder', () => {
  it('gives tokens their due instants again from seed and ordinal', () => {
    const recorder = new Recorder({ requests: 20, tokens: 200 });
    for (let i = 0; i < 12; i++) write(recorder, 1e9 + i, i, 4, i % 5);
    const ledger = take(recorder);
    expect([...ledger.tokenStart]).toEqual([0, 0, 1, 3, 6, 10, 10, 11, 13, 16, 20, 20, 21]);
    expect(ledger.tokenNs.every((at, i) => at - ledger.tokenDueNs[i]! === 10)).toBe(true);
  });

  it('puts tokens in the order of arrival, whatever order bodies came in', () => {
    const recorder = new Recorder({ requests: 4, tokens: 10 });
    const [first, second] = [recorder.open(1, 0), recorder.open(2, 1)];
    for (const row of [second, first]) {
      recorder.openTokens(row, 2);
      const base = recorder.tokenBase[row]!;
      recorder.tokenNs.set([row * 10 + 1, row * 10 + 2], base);
      recorder.deliveredTokens[row] = 2;
    }
    expect([...take(recorder).tokenNs]).toEqual([1, 2, 11, 12]);
  });

  it('never grows: what has no room is counted, and spoils nothing', () => {
    const recorder = new Recorder({ requests: 3, tokens: 10 });
    for (let i = 0; i < 6; i++) write(recorder, i, 1, 4, 4);
    recorder.setRequestId(recorder.row(5), 'lost');
    expect([recorder.rows, recorder.lostRows, recorder.lostTokens]).toEqual([3, 3, 16]);
    const ledger = take(recorder);
    expect([...ledger.arrivalNs]).toEqual([0, 1, 2]);
    expect([...ledger.tokenStart]).toEqual([0, 4, 8, 8]);
    expect(ledger.requestId).toEqual([null, null, null]);
    recorder.clear();
    expect([recorder.seen, recorder.rows, recorder.lostTokens, recorder.usedBytes]).toEqual([0, 0, 0, 0]);
    write(recorder, 9, 1, 4, 0);
    expect([...take(recorder).tokenStart]).toEqual([0, 0]);
  });

  it('a row used again after clear keeps nothing of what was there', () => {
    const recorder = new Recorder({ requests: 2, tokens: 10 });
    const row = write(recorder, 5, 9, 4, 4);
    recorder.setRequestId(row, 'before');
    for (const column of [recorder.firstNs, recorder.endNs, recorder.headersNs, recorder.lastDueNs])
      column[row] = 1;
    recorder.status[row] = 200;
    recorder.outcome[row] = OUTCOME_INDEX.complete;
    recorder.streamed[row] = 1;
    recorder.clear();
    recorder.open(6, 1);
    const ledger = take(recorder);
    expect(
      Object.values(ledger).flatMap((column) => (column instanceof Float64Array ? [...column] : [])),
    ).toEqual([6, ...Array(6).fill(Number.NaN)]);
    expect([ledger.promptTokens[0], ledger.deliveredTokens[0], ledger.status[0], ledger.streamed[0]]).toEqual(
      [0, 0, 0, 0],
    );
    expect(LEDGER_OUTCOMES[ledger.outcome[0]!]).toBe('unfinished');
    expect([ledger.requestId[0], ledger.responseId[0]]).toEqual([null, null]);
  });

  it('keeps ids up to its slot, and counts longer ones instead of cutting them', () => {
    const recorder = new Recorder({ requests: 5, tokens: 0 });
    const ids = ['a', 'é'.repeat(ID_BYTES), 'x'.repeat(ID_BYTES + 1), 'b0c7c1f0-8d3a-4b61-9a77-0123456789ab'];
    for (const id of ids) recorder.setRequestId(recorder.row(recorder.open(0, 0)), id);
    expect(take(recorder).requestId).toEqual([ids[0], ids[1], null, ids[3]]);
    expect(recorder.lostIds).toBe(1);
  });

  it('names answers by kind, tag and ordinal', () => {
    const recorder = new Recorder({ requests: 300, tokens: 0 });
    for (let i = 0; i < 300; i++) recorder.idKind[recorder.row(recorder.open(0, 0))] = i % 3;
    expect(take(recorder).responseId.slice(255, 258)).toEqual([
      null,
      'chatcmpl-cafe012300000100',
      'cmpl-cafe012300000101',
    ]);
  });
});
