/** A table that can be sorted, with the filters above it; whole and readable without its script. */
import { type Html, html } from '../html.ts';
import { clipped, shorten } from '../text.ts';

/** A column of a table whose rows are `Row`. */
export interface Column<Row> {
  readonly head: string;
  /** What it means: below the table, and for the mouse. */
  readonly title?: string;
  readonly text: (row: Row) => string;
  /** For sorting, where it is a number; null is last both ways. */
  readonly value?: (row: Row) => number | null;
  readonly kind?: 'number' | 'long';
  /** Left out where the target kept no ledger. */
  readonly of?: 'truth';
}

/** A choice among what a column shows. */
export interface Filter {
  /** The column's head. */
  readonly head: string;
  readonly label: string;
  /** Of the control; absent, the column's head. */
  readonly name?: string;
  /** In their order; absent, what the column shows, as it comes. */
  readonly options?: readonly string[];
}

interface Table<Row> {
  readonly id: string;
  /** Its rows in a word, for the name of its filters: `trials`. */
  readonly what: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly filters: readonly Filter[];
}

/** A name longer than this breaks, so that the table is not as wide as it. */
const LONG_NAME = 32;
/** Characters of a cell: a name or a few words, and sentences. What is longer ends in an ellipsis; audit.json has it whole. */
const SHOWN = { short: 80, long: 400 } as const;
/** Digits by which numbers are sorted: two more than any is shown with, and there are very many cells. */
const SORT_DIGITS = 5;

/** Filters, table, and what its columns mean. */
export function sortableTable<Row>(table: Table<Row>): Html {
  const { id, caption, columns, rows } = table;
  const explained = columns.filter(({ title }) => title !== undefined);
  return html`${filterForm(table)}<div class="scroll tall" tabindex="0" role="region" aria-labelledby="${id}-caption">
<table id="${id}" data-sortable>
<caption id="${id}-caption">${caption}<span class="scripted" hidden> Select a column’s head to sort by it.</span></caption>
<thead><tr>${columns.map(
    ({ head, kind, title }) =>
      html`<th scope="col"${kind === 'number' && html` class="number"`}${title !== undefined && html` title="${title}"`}>${head}</th>`,
  )}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>${columns.map((column, i) => cell(column, row, i === 0))}</tr>
`,
)}</tbody>
</table>
</div>${
    explained.length > 0 &&
    html`
<details><summary>What the columns mean</summary><dl class="facts">${explained.map(({ head, title }) => html`<dt>${head}</dt><dd>${title!}</dd>`)}</dl></details>`
  }`;
}

/** What a cell shows. */
const shown = <Row>({ text, kind }: Column<Row>, row: Row): string =>
  clipped(text(row), kind === 'long' ? SHOWN.long : SHOWN.short);

function cell<Row>(column: Column<Row>, row: Row, head: boolean): Html {
  const text = shown(column, row);
  if (head) return html`<th scope="row"${text.length > LONG_NAME && html` class="name"`}>${text}</th>`;
  if (column.value !== undefined) {
    const value = column.value(row);
    const sorted = value === null ? '' : String(Number(value.toPrecision(SORT_DIGITS)));
    // Very many cells: a number that is not as it is shown stands in a short attribute; the style is by the kind of cell.
    return value === null || sorted === text
      ? html`<td class="n">${text}</td>`
      : html`<td data-n="${sorted}">${text}</td>`;
  }
  const kind =
    column.kind === undefined
      ? text.length > LONG_NAME && html` class="name"`
      : html` class="${column.kind}"`;
  return html`<td${kind}>${text}</td>`;
}

/** Hidden until the script that it needs has run. */
function filterForm<Row>({ id, what, filters, columns, rows }: Table<Row>): Html {
  const selects = filters.map(({ head, label, name = head, options }) => {
    const at = columns.findIndex((column) => column.head === head);
    const values = options ?? [...new Set(rows.map((row) => shown(columns[at]!, row)))];
    return html`<label>${label} <select name="${name}" data-column="${at}" autocomplete="off"><option value="">all</option>${values.map(
      (value) => html`<option value="${value}">${shorten(value, 40)}</option>`,
    )}</select></label>`;
  });
  return html`<form class="filters" data-filters="${id}" aria-label="Filter ${what}" hidden>${selects}<label>Containing <input type="search" name="text" autocomplete="off" spellcheck="false"></label><button type="reset">Clear</button><output role="status"></output></form>`;
}
