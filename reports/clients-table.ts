/** What Tare knows of every client, as Markdown for docs/: made from the adapters' facts, so that it cannot say anything else. */
import { type Adapter, ASPECTS, type ClientFacts } from '../adapters/contract.ts';
import { DEFINITION, percentileWords, rateWords } from '../src/measure/definition-words.ts';

type Described = Pick<Adapter, 'name' | 'title' | 'facts'>;

/** What stands in a cell of a Markdown table. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const JOINS: Readonly<Record<ClientFacts['joins'], string>> = {
  requestId: 'x-request-id',
  responseId: 'id in the answer',
  connectionOrder: 'order on a connection',
  none: 'no',
};

const COLUMNS: readonly (readonly [head: string, text: (client: Described) => string])[] = [
  ['client', ({ name }) => `\`${name}\``],
  ['read in', ({ facts }) => facts.version],
  ['processes', ({ facts }) => facts.processes],
  ['event loop', ({ facts }) => facts.runtime],
  ['connections', ({ facts }) => facts.connections],
  ['arrivals', ({ facts }) => `${facts.arrivals.join(', ')}${facts.openLoop ? '' : ' (closed loop)'}`],
  ['t0', ({ facts }) => `${facts.definitions.t0}: ${facts.definitions.t0Detail}`],
  ['TTFT', ({ facts }) => DEFINITION[facts.definitions.ttft]],
  ['ITL', ({ facts }) => DEFINITION[facts.definitions.itl]],
  ['TPOT', ({ facts }) => DEFINITION[facts.definitions.tpot]],
  ['NTPOT', ({ facts }) => DEFINITION[facts.definitions.ntpot]],
  ['E2E ends', ({ facts }) => DEFINITION[facts.definitions.end]],
  ['tokens from', ({ facts }) => DEFINITION[facts.definitions.tokenSource]],
  ['printed rate', ({ facts }) => rateWords(facts.definitions)],
  ['failed requests', ({ facts }) => DEFINITION[facts.definitions.failures]],
  ['percentiles', ({ facts }) => percentileWords(facts.definitions)],
  ['warm-up requests', ({ facts }) => String(facts.definitions.warmupRequests)],
  ['joins by', ({ facts }) => JOINS[facts.joins]],
];

/** A Markdown table as formatters lay it out: every column as wide as its widest cell. */
function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(cell));
  const widths = cells[0]!.map((_, c) => Math.max(3, ...cells.map((row) => [...row[c]!].length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, c) => text + ' '.repeat(widths[c]! - [...text].length)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(cells[0]!), rule, ...cells.slice(1).map(line)].join('\n');
}

/** One row a client, one column a fact. */
export const clientsTable = (clients: readonly Described[]): string =>
  markdownTable([
    COLUMNS.map(([head]) => head),
    ...clients.map((client) => COLUMNS.map(([, text]) => text(client))),
  ]);

/** Every fact with its evidence, a section a client. */
export function factsPage(clients: readonly Described[]): string {
  const section = ({ name, title, facts }: Described): string => {
    const rows = ASPECTS.flatMap((about) =>
      facts.evidence
        .filter((fact) => fact.about === about)
        .map((fact) => [about, fact.what, fact.where] as const),
    );
    return [
      `## ${name}: ${title}`,
      `Read in ${facts.version}. Architecture: ${facts.architecture}.`,
      markdownTable([['about', 'what', 'where'], ...rows]),
    ].join('\n\n');
  };
  return `${[
    '# What is known of each client, and where it says so',
    'Made by `scripts/write-clients.mjs` from the facts of each adapter; a test holds it to them. Files and functions are those of the client itself, in the version named.',
    ...clients.map(section),
  ].join('\n\n')}\n`;
}

const BEGIN = '<!-- clients: made by scripts/write-clients.mjs -->';
const END = '<!-- clients: end -->';

/** The page with its table made anew between the two marks. Throws where a mark is missing. */
export function withTable(page: string, table: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`the page has no ${BEGIN} … ${END}`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${table}\n\n${page.slice(to)}`;
}
