import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { probeTable } from '../../reports/probe/table.ts';
import { probeSample } from './probe-sample.ts';

const document = probeSample();
const linesOf = (text: string): string[] => stripVTControlCharacters(text).split('\n');

describe('the matrix for the terminal', () => {
  it.each([
    [40, 80],
    [80, 80],
    [100, 100],
    [400, 140],
  ])('in a terminal of %i columns no line is longer than %i', (width, most) => {
    // A line of one word alone cannot be broken.
    for (const one of [
      document,
      probeSample({ clients: 20, hostile: ' <b>\u001b[31m\n and so on '.repeat(9) }),
    ])
      for (const options of [{}, { plain: true }, { color: true }])
        for (const line of linesOf(probeTable(one, { ...options, width })))
          if (line.trim().includes(' ')) expect([...line].length, line).toBeLessThanOrEqual(most);
  });

  it('has a row a probe in each block, every client in one block, and the cell’s word in its column', () => {
    const many = probeSample({ clients: 20 });
    const lines = linesOf(probeTable(many, { width: 100 }));
    const heads = lines.filter((line) => /^probe /.test(line));
    expect(heads.length).toBeGreaterThan(1);
    for (const { id } of many.probes)
      expect(lines.filter((line) => line.split(/\s/)[0] === id).length, id).toBeGreaterThanOrEqual(
        heads.length,
      );
    const names = heads.flatMap((head) => head.trim().split(/\s+/).slice(1));
    expect(names).toHaveLength(20);
    const crashed = many.cells.find(({ verdict }) => verdict === 'crashed')!;
    const row = lines.find((line) => line.split(/\s/)[0] === crashed.probe)!;
    expect(row).toContain('CRASH');
  });

  it('lists what was found with kind and size', () => {
    const text = linesOf(probeTable(document, { width: 140 }))
      .join('\n')
      .replace(/\n {2}/g, ' ');
    const cell = document.cells.find(({ verdict }) => verdict === 'faulty')!;
    expect(text).toContain(
      `${cell.client}, ${cell.probe}: faulty (${cell.kind}), TTFT mean −195 ms (−97.3 %). ${cell.words}`,
    );
    expect(text).toContain('Without a fault wherever judged: tare.');
    expect(text).toContain('Of vegeta nothing could be judged.');
  });

  it('is coloured only when asked, and plain in ASCII', () => {
    expect(probeTable(document)).not.toContain('\u001b');
    expect(probeTable(document, { color: true })).toContain('\u001b[31mFAULT\u001b[39m');
    expect(probeTable(document, { color: true, plain: true })).toMatch(/^[\n\x20-\x7e]*$/);
  });
});
