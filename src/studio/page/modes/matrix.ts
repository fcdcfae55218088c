/**
 * The blocks of a mode as a picture of the matrix in which they were sorted: a row for each equation, a column for each unknown, both in the order of solving. Blocks stand along the
 * diagonal; what they need of others stands at their left, so nothing does at their right.
 */
import type { BlockReport } from '../../protocol.ts';
import { makeSvg } from '../dom.ts';
import { texts } from '../texts.ts';

/** Pixels of the picture; more unknowns than this are none. */
const SIZE = 260;
const MOST_UNKNOWNS = 400;
const LARGEST = 20;

/** Undefined where there is nothing to see, or too much. */
export function matrixPicture(
  blocks: readonly BlockReport[],
  choose: (block: number) => void,
): SVGElement | undefined {
  const starts: number[] = [];
  let count = 0;
  for (const { unknowns } of blocks) {
    starts.push(count);
    count += unknowns.length;
  }
  if (count < 2 || count > MOST_UNKNOWNS) return undefined;
  const cell = Math.min(LARGEST, SIZE / count);
  const side = count * cell;
  const svg = makeSvg('svg', {
    class: 'matrix',
    viewBox: `-1 -1 ${side + 2} ${side + 2}`,
    width: side + 2,
    height: side + 2,
    role: 'img',
    'aria-label': texts.modeGraph.matrix(count, blocks.length),
  });
  svg.append(makeSvg('rect', { class: 'ground', x: 0, y: 0, width: side, height: side }));
  const gap = cell > 5 ? 1 : 0;
  const area = (kind: string, row: number, column: number, rows: number, columns: number): SVGElement =>
    makeSvg('rect', {
      class: kind,
      x: column * cell + gap / 2,
      y: row * cell + gap / 2,
      width: Math.max(0.5, columns * cell - gap),
      height: Math.max(0.5, rows * cell - gap),
    });
  for (const [k, { unknowns, kind, needs, discrete }] of blocks.entries()) {
    const group = makeSvg('g', { class: 'row', 'data-block': k });
    const rows = unknowns.length;
    const title = makeSvg('title');
    title.textContent = `${k + 1}: ${unknowns.slice(0, 8).join(', ')}${rows > 8 ? ' …' : ''}`;
    group.append(
      title,
      ...needs.flatMap((other) =>
        other < blocks.length
          ? [area('need', starts[k]!, starts[other]!, rows, blocks[other]!.unknowns.length)]
          : [],
      ),
      area(`block ${kind}${discrete ? ' discrete' : ''}`, starts[k]!, starts[k]!, rows, rows),
    );
    group.addEventListener('click', () => choose(k));
    svg.append(group);
  }
  return svg;
}
