import { expect, it } from 'vitest';
import { trialsTable } from '../../reports/page/trials-table.ts';
import { sampleDocument } from './sample.ts';

it('a client’s own note is printed once, whether the trial’s warnings hold it or not', () => {
  const document = sampleDocument();
  const trial = document.trials.find(({ reported }) => reported !== null)!;
  const note = 'seven requests were retried';
  const reported = { ...trial.reported!, notes: [note] };
  for (const warnings of [[note], []]) {
    const page = trialsTable({ ...document, trials: [{ ...trial, warnings, reported }] }).text;
    expect(page).toContain(note);
    expect(page).not.toContain(`${note}; ${note}`);
  }
});
