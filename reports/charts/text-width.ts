/**
 * Widths of text in Inter, the charts' font, so that Vega places legends and wraps footers alike on every machine; without a canvas
 * it would take 0.8 em a character. Advance widths of ASCII from Inter 4 (regular and semibold), in thousandths of an em.
 */
const REGULAR = [
  281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 631, 407, 610, 618, 646,
  593, 620, 566, 619, 620, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601, 590, 746, 743, 269,
  571, 672, 565, 903, 753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682, 679, 629, 365, 360, 365, 471,
  456, 323, 562, 612, 571, 612, 583, 370, 613, 591, 242, 242, 549, 242, 876, 591, 600, 612, 612, 376, 528,
  327, 591, 562, 818, 546, 562, 552, 426, 333, 426, 662,
];
const SEMIBOLD_FACTOR = 1.03;
/**
 * A reader without Inter sees another font, and the widest of the usual ones (DejaVu Sans, Verdana) are so much wider: pictures keep room for it, so
 * that no name is cut.
 */
export const ROOM = 1.2;
/** Other characters: as wide as an average capital; ideographs and pictures are a whole em. */
const OTHER = 680;
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}/u;

/** The width of one line of text, px. */
export function textWidth(text: string, fontSize: number, bold = false): number {
  let thousandths = 0;
  for (const character of text)
    thousandths += REGULAR[character.codePointAt(0)! - 32] ?? (WIDE.test(character) ? 1000 : OTHER);
  return (thousandths / 1000) * fontSize * (bold ? SEMIBOLD_FACTOR : 1);
}

/** Breaks text into lines of at most `width` px, at spaces where it can. */
export function wrapText(text: string, width: number, fontSize: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((w) => pieces(w, width, fontSize))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, fontSize) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

/** A word as it is, or cut where it is wider than a line. */
function pieces(word: string, width: number, fontSize: number): string[] {
  if (textWidth(word, fontSize) <= width) return [word];
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (part !== '' && textWidth(part + character, fontSize) > width) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}
