/** A table that can be sorted, with the filters above it; whole and readable without its script. */
import { type Html, html } from '../html.ts';
import { oneLine, shorten } from '../text.ts';

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

/** A choice among what a row's `data-…` attribute holds. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
}

interface Table<Row> {
  readonly id: string;
  /** Its rows in a word, for the name of its filters: `trials`. */
  readonly what: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly filters: readonly Filter[];
  /** What its filters look at. */
  readonly data: (row: Row) => Readonly<Record<string, string>>;
}

/** A name longer than this breaks, so that the table is not as wide as it. */
const LONG_NAME = 32;

/** Filters, table, and what its columns mean. */
export function sortableTable<Row>({ id, what, caption, columns, rows, filters, data }: Table<Row>): Html {
  const explained = columns.filter(({ title }) => title !== undefined);
  return html`${filterForm(id, what, filters)}<div class="scroll tall" tabindex="0" role="region" aria-labelledby="${id}-caption">
<table id="${id}" data-sortable>
<caption id="${id}-caption">${caption}<span class="scripted" hidden> Select a column’s head to sort by it.</span></caption>
<thead><tr>${columns.map(
    ({ head, kind, title }) =>
      html`<th scope="col"${kind === 'number' && html` class="number"`}${title !== undefined && html` title="${title}"`}>${head}</th>`,
  )}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr${attributes(data(row))}>${columns.map((column, i) => cell(column, row, i === 0))}</tr>
`,
)}</tbody>
</table>
</div>${
    explained.length > 0 &&
    html`
<details><summary>What the columns mean</summary><dl class="facts">${explained.map(({ head, title }) => html`<dt>${head}</dt><dd>${title!}</dd>`)}</dl></details>`
  }`;
}

const attributes = (data: Readonly<Record<string, string>>): Html[] =>
  Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);

function cell<Row>(column: Column<Row>, row: Row, head: boolean): Html {
  const text = oneLine(column.text(row));
  if (head) return html`<th scope="row"${text.length > LONG_NAME && html` class="name"`}>${text}</th>`;
  if (column.value !== undefined) {
    const value = column.value(row);
    // Many cells: as many digits as tell any two apart, and the style by the attribute.
    return html`<td data-value="${value === null ? '' : Number(value.toPrecision(7))}">${text}</td>`;
  }
  const kind =
    column.kind === undefined
      ? text.length > LONG_NAME && html` class="name"`
      : html` class="${column.kind}"`;
  return html`<td${kind}>${text}</td>`;
}

/** Hidden until the script that it needs has run. */
const filterForm = (table: string, what: string, selects: readonly Filter[]): Html =>
  html`<form class="filters" data-filters="${table}" aria-label="Filter ${what}" hidden>${selects.map(
    (select) =>
      html`<label>${select.label} <select name="${select.name}" autocomplete="off"><option value="">all</option>${select.options.map(
        (option) => html`<option value="${option}">${shorten(oneLine(option), 40)}</option>`,
      )}</select></label>`,
  )}<label>Containing <input type="search" name="text" autocomplete="off" spellcheck="false"></label><button type="reset">Clear</button><output role="status"></output></form>`;
