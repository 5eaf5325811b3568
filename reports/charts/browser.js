// Hands out the files that the page holds: unpacks SVG and CSV, and draws PNG from SVG. Without it, or where a browser cannot, the links lead to
// the files beside the page.
{
  const TYPES = { svg: 'image/svg+xml', csv: 'text/csv', png: 'image/png' };
  const typeOf = (link) => TYPES[link.download.split('.').at(-1)] ?? 'application/octet-stream';

  const unpack = async (link) => {
    const bytes = Uint8Array.from(atob(link.dataset.packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Blob([await new Response(stream).arrayBuffer()], { type: typeOf(link) });
  };

  // At twice its size, on white, as the files beside the page.
  const draw = async (svg) => {
    const image = new Image();
    const loaded = new Promise((resolve, reject) => {
      image.addEventListener('load', resolve);
      image.addEventListener('error', () => reject(new Error('the SVG could not be drawn')));
    });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await svg.text())}`;
    await loaded;
    const canvas = document.createElement('canvas');
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    const context = canvas.getContext('2d');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error('no PNG')) : resolve(blob)), 'image/png');
    });
  };

  const contentOf = async (link) => {
    if (link.dataset.packed !== undefined) return unpack(link);
    const source = document.querySelector(`a[download="${CSS.escape(link.dataset.drawnFrom)}"]`);
    return draw(await unpack(source));
  };

  const save = (blob, name) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  const able = typeof DecompressionStream === 'function';
  for (const link of able ? document.querySelectorAll('a[data-packed], a[data-drawn-from]') : [])
    link.addEventListener('click', (event) => {
      if (link.dataset.beside !== undefined) return;
      event.preventDefault();
      contentOf(link).then(
        (blob) => save(blob, link.download),
        () => {
          link.dataset.beside = '';
          link.click();
        },
      );
    });
}
