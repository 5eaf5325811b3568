// Sorting and filtering of the page's tables. Without it the tables are whole and readable.
for (const table of document.querySelectorAll('table[data-sortable]')) {
  const body = table.tBodies[0];
  const value = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const compare = (a, b) => {
    // Absent figures stay last whichever way the rest goes.
    if (a === '' || b === '') return null;
    const [x, y] = [Number(a), Number(b)];
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, 'en') : x - y;
  };
  const sort = (header) => {
    const down = header.getAttribute('aria-sort') === 'ascending';
    for (const other of header.parentElement.cells) other.removeAttribute('aria-sort');
    header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const column = header.cellIndex;
    const rows = [...body.rows].sort((one, two) => {
      const [a, b] = [value(one, column), value(two, column)];
      return compare(a, b) === null ? (a === '') - (b === '') : compare(a, b) * (down ? -1 : 1);
    });
    body.append(...rows);
  };
  for (const button of table.tHead.querySelectorAll('button'))
    button.addEventListener('click', () => sort(button.closest('th')));
}

for (const form of document.querySelectorAll('[data-filters]')) {
  const table = document.getElementById(form.dataset.filters);
  const status = form.querySelector('output');
  const apply = () => {
    const wanted = [...form.querySelectorAll('select')].filter((select) => select.value !== '');
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !wanted.every((select) => row.dataset[select.name] === select.value);
      if (!row.hidden) shown++;
    }
    status.textContent = `${shown} of ${table.tBodies[0].rows.length} rows`;
  };
  form.addEventListener('change', apply);
  apply();
}
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('figure details')) details.open = true;
});
