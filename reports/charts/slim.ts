/**
 * What Vega writes into an SVG and nobody needs taken out of it: figures finer than a hundredth of a pixel, marks without colour, groups and
 * attributes that say nothing, and the font's name beside every word. The picture stays the same, in half the bytes. Text is left as it is.
 */

/** Attributes that hold places. */
const PLACES = / (d|transform|x|y|x1|x2|y1|y2|cx|cy|r|width|height|dx|dy)="([^"]*)"/g;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
/** For tools that read a picture aloud; ours are described around them. */
const NEEDLESS = / (?:class|role|aria-[a-z]+|pointer-events|version|xmlns:xlink)="[^"]*"| opacity="1"/g;
const FONT = / font-family="([^"]*)"/g;

/** In hundredths; without a sign at zero. */
const rounded = (number: string): string => String(Math.round(Number(number) * 100) / 100 || 0);

const tidyTag = (tag: string): string =>
  tag
    .replace(NEEDLESS, '')
    .replace(PLACES, (_, name: string, value: string) => ` ${name}="${value.replace(NUMBER, rounded)}"`)
    .replace(' transform="translate(0,0)"', '');

/** A mark that shows nothing: Vega's backgrounds and foregrounds of groups. */
const isBlank = (tag: string): boolean => /^<path(?: d="[^"]*"| display="none")*\/>$/.test(tag);

/** Groups without an attribute leave their content, and groups without content leave nothing. */
function unwrap(parts: readonly string[]): string[] {
  const out: string[] = [];
  /** Of each open group: where it begins, or null where it was left out. */
  const open: (number | null)[] = [];
  for (const part of parts) {
    if (part.startsWith('<g') && !part.endsWith('/>')) {
      open.push(part === '<g>' ? null : out.length);
      if (part !== '<g>') out.push(part);
    } else if (part === '</g>') {
      const from = open.pop() ?? null;
      if (from !== null && from === out.length - 1) out.pop();
      else if (from !== null) out.push(part);
    } else out.push(part);
  }
  return out;
}

/** The same picture in less text. Same text in, same text out. */
export function slim(svg: string): string {
  const parts = svg
    .split(/(<[^>]*>)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('<') ? tidyTag(part) : part))
    .filter((part) => !isBlank(part));
  const fonts = new Set(parts.flatMap((tag) => [...tag.matchAll(FONT)].map((match) => match[1]!)));
  const [font] = fonts;
  const text = unwrap(parts).join('');
  // One font for all of them is said once, and inherited.
  return fonts.size !== 1
    ? text
    : text
        .replace(/<[^>]*>/g, (tag) => tag.replace(FONT, ''))
        .replace('<svg ', `<svg font-family="${font}" `);
}
