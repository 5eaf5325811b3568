// A link to a cell opens it. Without this its summary is shown, and opens by hand.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.tagName !== 'DETAILS') return;
  target.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();

for (const only of document.querySelectorAll('.only')) {
  only.hidden = false;
  const box = only.querySelector('input');
  const rows = [...document.querySelectorAll('.matrix tbody tr:not(.group)')];
  box.addEventListener('change', () => {
    for (const row of rows) row.hidden = box.checked && !row.querySelector('.v-faulty, .v-crashed');
    for (const body of document.querySelectorAll('.matrix tbody'))
      body.hidden = body.querySelector('tr:not(.group):not([hidden])') === null;
    const shown = rows.filter((row) => !row.hidden).length;
    only.querySelector('output').textContent = `${shown} of ${rows.length} probes`;
  });
}
