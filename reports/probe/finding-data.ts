/** From a probing to its findings as data (src/claims/evidence/findings.ts), which docs/findings.md is made of. */

import type { ProbeCell, ProbeDocument } from '../../src/audit/probe/document.ts';
import type { FindingData, FoundFault, FoundInClient } from '../../src/claims/evidence/finding-data.ts';
import { oneLine, shorten } from '../text.ts';
import { cellSize } from './figure-words.ts';
import { byName, type ClientSummary, clientSummaries } from './findings.ts';

const WORDS = 240;
/** Names of probes of a fault before the rest is a number. */
const MOST_NAMES = 8;

const named = (cells: readonly ProbeCell[]): FoundInClient['unnamed'] => ({
  probes: cells.slice(0, MOST_NAMES).map(({ probe }) => probe),
  more_probes: Math.max(0, cells.length - MOST_NAMES),
});

function fault(client: string, cells: readonly [ProbeCell, ...ProbeCell[]]): FoundFault {
  const [first] = cells;
  const size = cellSize(first.size);
  return {
    fault: first.kind ?? 'unnamed',
    no_result: first.verdict === 'crashed',
    ...named(cells),
    words: oneLine(shorten(first.words, WORDS)),
    size: size === '' ? null : size,
    command: `tare probe --client ${client} --only ${first.probe}`,
  };
}

function clientData(summary: ClientSummary, document: ProbeDocument): FoundInClient {
  const { client, cells, counts } = summary;
  const about = document.clients.find((one) => one.client === client)!;
  const faulty = cells.filter(({ verdict }) => verdict === 'faulty' || verdict === 'crashed');
  // Cells with the same verdict and kind are one finding.
  const groups = byName(
    faulty.filter(({ kind }) => kind !== 'unnamed'),
    ({ verdict, kind }) => `${verdict} ${kind}`,
  );
  return {
    client,
    version: about.version,
    counts: {
      right: counts.right,
      other_definition: counts['other definition'],
      faulty: counts.faulty,
      crashed: counts.crashed,
      not_applicable: counts['not applicable'],
      undetermined: counts.undetermined,
    },
    elapsed_s: Math.round(about.elapsed_s),
    faults: [...groups.values()]
      .sort((a, b) => b.length - a.length)
      .map((group) => fault(client, group as [ProbeCell, ...ProbeCell[]])),
    unnamed: named(faulty.filter(({ kind }) => kind === 'unnamed')),
  };
}

/** The findings of a probing: client by client, most probes first. */
export const findingData = (document: ProbeDocument): FindingData => ({
  found_on: document.started_at.slice(0, 10),
  clients: clientSummaries(document).map((summary) => clientData(summary, document)),
});

// In parts, so that it is not taken for an import of this file.
const IMPORT = ['import type { FindingData }', "'./finding-data.ts';"].join(' from ');

/** The data as the module that the package carries. */
export const findingModule = (data: FindingData): string =>
  [
    '/** What `tare probe` found in real clients. Written by scripts/write-findings.ts, together with docs/findings.md; not edited by hand. */',
    IMPORT,
    '',
    `export const FOUND_BY_PROBES: FindingData = ${JSON.stringify(data, null, 2)};`,
    '',
  ].join('\n');
