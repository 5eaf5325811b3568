/** For every probe: the bytes that it sends say what it calls right. */
import { expect, it } from 'vitest';
import { loadProbes } from '../../probes/catalogue.ts';
import { askedOf, inWords, isScripted, REQUESTS } from './asked.ts';
import { disagreements } from './oracle/compare.ts';
import { readingOf } from './oracle/reading.ts';

const probes = (await loadProbes()).filter(isScripted);

it.each(probes.map((probe) => [probe.id, probe] as const))(
  '%s: its bytes are what is right',
  async (_, probe) => {
    const wrong: string[] = [];
    for (const request of REQUESTS) {
      const asked = askedOf(probe, request);
      const reading = await readingOf(probe.answer(asked));
      for (const one of disagreements(probe.sees(asked.place, asked), reading))
        wrong.push(`${inWords(request)}: ${one}`);
    }
    expect(wrong).toEqual([]);
  },
);
