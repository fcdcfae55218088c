/**
 * How much room words take where there is no font to measure: widths of Arial, which Helvetica and Liberation Sans share, in thousandths of the size of the font. Other fonts are made
 * to fit where that matters (`Words.width`).
 */

/** From the blank to the tilde. */
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const BOLDER = 1.07;

/** Of a line, as a multiple of the size of the font. */
export const LINE_HEIGHT = 1.15;
/** From the middle of a line down to its base line. */
export const BASE = 0.35;

/** The width of a text, as a multiple of the size of the font. */
export function wordsWidth(text: string, bold = false): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    width += WIDTHS[code - 32] ?? (code >= 0x2e80 ? 1000 : 600);
  }
  return (bold ? BOLDER : 1) * (width / 1000);
}
