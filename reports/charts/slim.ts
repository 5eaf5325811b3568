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

/** What a group can say once for all of its marks: inherited, so that the picture stays the same. */
const SHARED =
  / (fill|stroke|stroke-width|stroke-dasharray|stroke-opacity|fill-opacity|text-anchor|font-size|font-weight)="([^"]*)"/g;
const IS_MARK = /^<(?:path|line|rect|circle|text)[ />]/;

/** A group of marks alone with what they have in common; as it is where they have nothing, or where it holds groups. */
function share(parts: readonly string[]): string[] {
  const marks = parts.filter((part) => IS_MARK.test(part));
  if (marks.length < 2 || parts.some((part) => part.startsWith('<g'))) return [...parts];
  const said = (mark: string) => [...mark.matchAll(SHARED)].map(([attribute]) => attribute);
  const common = said(marks[0]!).filter((attribute) => marks.every((mark) => said(mark).includes(attribute)));
  if (common.length === 0) return [...parts];
  const bare = (mark: string) => common.reduce((text, attribute) => text.replace(attribute, ''), mark);
  return [`<g${common.join('')}>`, ...parts.map((part) => (IS_MARK.test(part) ? bare(part) : part)), '</g>'];
}

/** Groups without content leave nothing; those without an attribute leave their content, or say what it has in common. */
function unwrap(parts: readonly string[]): string[] {
  const out: string[] = [];
  /** Where each open group begins. */
  const open: { readonly at: number; readonly bare: boolean }[] = [];
  for (const part of parts) {
    if (part.startsWith('<g') && !part.endsWith('/>')) {
      open.push({ at: out.length, bare: part === '<g>' });
      out.push(part);
    } else if (part === '</g>') {
      const { at, bare } = open.pop()!;
      const [head, ...content] = out.splice(at);
      if (content.length === 0) continue;
      // One by one: a long text has more parts than a call has room for arguments.
      for (const one of bare ? share(content) : [head!, ...content, part]) out.push(one);
    } else out.push(part);
  }
  return out;
}

/** A circle that Vega draws as two arcs. */
const ARCS =
  /^<path transform="translate\(([^,]+),([^)]+)\)" d="M([\d.]+),0A\3,\3,0,1,1,-\3,0A\3,\3,0,1,1,\3,0"/;
const asCircle = (tag: string): string => tag.replace(ARCS, '<circle cx="$1" cy="$2" r="$3"');

/** The same picture in less text. Same text in, same text out. */
export function slim(svg: string): string {
  const parts = svg
    .split(/(<[^>]*>)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('<') ? tidyTag(part) : part))
    .filter((part) => !isBlank(part))
    .map(asCircle);
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
