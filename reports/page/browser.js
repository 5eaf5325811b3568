// What the pages can do with a script: sorting, filtering, copying. Without it all of their content is there, and none of these controls is shown.
for (const one of document.querySelectorAll('.scripted, .filters, .copy')) one.hidden = false;

// Absent figures stay last whichever way the rest goes; rows that are alike stay in the order in which they are.
const collator = new Intl.Collator('en', { numeric: true });
for (const table of document.querySelectorAll('table[data-sortable]')) {
  const body = table.tBodies[0];
  const sort = (header) => {
    const down = header.getAttribute('aria-sort') === 'ascending';
    for (const other of header.parentElement.cells) other.removeAttribute('aria-sort');
    header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const keyed = [...body.rows].map((row) => {
      const { dataset, textContent } = row.cells[header.cellIndex];
      const text = dataset.value ?? dataset.n ?? textContent.trim();
      if (text === '' || text === '–') return { row, key: null };
      // Also a number that is as it is shown.
      return { row, key: Number.isFinite(Number(text)) ? Number(text) : text };
    });
    const order = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(a, b));
    keyed.sort((one, two) =>
      one.key === null || two.key === null
        ? (one.key === null) - (two.key === null)
        : order(one.key, two.key) * (down ? -1 : 1),
    );
    body.append(...keyed.map(({ row }) => row));
  };
  for (const header of table.tHead.rows[0].cells) {
    let button = header.querySelector('button');
    if (button === null) {
      button = document.createElement('button');
      button.type = 'button';
      button.append(...header.childNodes);
      header.append(button);
    }
    const arrow = document.createElement('span');
    arrow.className = 'arrow';
    arrow.ariaHidden = 'true';
    button.append(arrow);
    button.addEventListener('click', () => sort(header));
  }
}

for (const form of document.querySelectorAll('[data-filters]')) {
  const body = document.getElementById(form.dataset.filters).tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, text: row.textContent.toLowerCase() }));
  const status = form.querySelector('output');
  // Of a column's cell, or of what the row says of itself.
  const said = (row, { name, dataset: { column } }) =>
    column === undefined ? row.dataset[name] : row.cells[column].textContent;
  const apply = () => {
    const wanted = [...form.querySelectorAll('select')].filter((select) => select.value !== '');
    const text = (form.querySelector('input')?.value ?? '').trim().toLowerCase();
    let shown = 0;
    for (const one of rows) {
      one.row.hidden = !(
        one.text.includes(text) && wanted.every((select) => said(one.row, select) === select.value)
      );
      if (!one.row.hidden) shown++;
    }
    status.textContent = `${shown} of ${rows.length} rows`;
    form.classList.toggle('narrowed', shown < rows.length);
  };
  form.addEventListener('input', apply);
  // The controls are empty only after it.
  form.addEventListener('reset', () => setTimeout(apply));
  form.addEventListener('submit', (event) => event.preventDefault());
  apply();
}

for (const button of document.querySelectorAll('[data-copy]')) {
  const words = button.firstChild;
  const copy = async () => {
    const source = document.getElementById(button.dataset.copy);
    let done = true;
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      getSelection().selectAllChildren(source);
      done = document.execCommand('copy');
    }
    words.data = done ? 'Copied' : 'Selected: press Ctrl+C';
    document.getElementById('copied').textContent = done
      ? `Copied:${button.querySelector('.unseen').textContent}`
      : 'It could not be copied and is selected: press Ctrl+C.';
    setTimeout(() => {
      words.data = 'Copy';
      document.getElementById('copied').textContent = '';
    }, 4000);
  };
  button.addEventListener('click', copy);
}

// Boxes that scroll are stops for the keyboard; those that have nothing to scroll need not be.
const boxes = [...document.querySelectorAll('[tabindex="0"]')];
const stops = () => {
  const scrolls = boxes.map(
    (box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight,
  );
  for (const [i, box] of boxes.entries())
    if (scrolls[i]) box.setAttribute('tabindex', '0');
    else box.removeAttribute('tabindex');
};
addEventListener('resize', stops);
addEventListener('toggle', stops, true);
stops();

// On paper nothing can be opened.
const closed = new Set();
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details:not([open])')) {
    closed.add(details);
    details.open = true;
  }
});
addEventListener('afterprint', () => {
  for (const details of closed) details.open = false;
  closed.clear();
});
