/** probes.csv and probe-figures.csv: one row a cell, one row a figure; absent figures empty, each beside its unit. */
import type { ProbeCell, ProbeDocument } from '../../src/audit/probe/document.ts';
import { type CsvCell, textCell, toCsv } from '../csv.ts';

type Named = { readonly version: ReadonlyMap<string, string>; readonly group: ReadonlyMap<string, string> };

const named = (document: ProbeDocument): Named => ({
  version: new Map(document.clients.map(({ client, version }) => [client, version])),
  group: new Map(document.probes.map(({ id, group }) => [id, group])),
});

/** Six significant digits: what is behind them is binary arithmetic, not measurement. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(6));

const LEAD = ['client', 'version', 'group', 'probe'];
const lead = ({ version, group }: Named, cell: ProbeCell): CsvCell[] =>
  [cell.client, version.get(cell.client) ?? '', group.get(cell.probe) ?? '', cell.probe].map(textCell);

/** One row a client and probe. `size` is got − right, in `unit`; `percent` of what is right. */
export function probesCsv(document: ProbeDocument): string {
  const names = named(document);
  const columns = [
    ...LEAD,
    'verdict',
    'kind',
    'figure',
    'size',
    'unit',
    'percent',
    'requests',
    'run',
    'words',
  ];
  const rows = document.cells.map((cell): CsvCell[] => [
    ...lead(names, cell),
    cell.verdict,
    textCell(cell.kind ?? ''),
    textCell(cell.size?.figure ?? ''),
    rounded(cell.size?.value ?? null),
    textCell(cell.size?.unit ?? ''),
    rounded(cell.size?.percent ?? null),
    cell.requests,
    textCell(cell.run ?? ''),
    textCell(cell.words),
  ]);
  return toCsv(columns, rows);
}

/** One row a figure of a client under a probe. `right`, `stated`, `got` and `tolerance` are in `unit`. */
export function probeFiguresCsv(document: ProbeDocument): string {
  const names = named(document);
  const columns = [...LEAD, 'figure', 'unit', 'right', 'stated', 'got', 'tolerance', 'by', 'verdict', 'kind'];
  const rows = document.cells.flatMap((cell) =>
    cell.figures.map((figure): CsvCell[] => [
      ...lead(names, cell),
      textCell(figure.name),
      textCell(figure.unit),
      rounded(figure.right),
      rounded(figure.stated),
      rounded(figure.got),
      rounded(figure.tolerance),
      figure.by,
      figure.verdict,
      textCell(figure.kind ?? ''),
    ]),
  );
  return toCsv(columns, rows);
}
