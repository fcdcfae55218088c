/** Text as triangles, for viewers that have no fonts: each stroke of a letter is a flat ribbon with round ends, to be seen from both sides. */
import { lettering } from '../paint/letters.ts';
import type { TextShape, Triangles } from './animation.ts';

/** Units of the letters: the height of a capital, and half of the width of a stroke. */
const CAPITAL = 7;
const HALF = 0.45;
/** Of a round end. */
const CORNERS = 8;

export function trianglesOfText({ text, height }: TextShape): Triangles {
  const { lines, width } = lettering(text);
  const scale = height / CAPITAL;
  const positions: number[] = [];
  const indices: number[] = [];
  const point = (x: number, y: number): number => {
    positions.push((x - width / 2) * scale, (y - CAPITAL / 2) * scale, 0);
    return positions.length / 3 - 1;
  };
  for (const line of lines)
    for (let i = 0; i < line.length; i += 2) {
      const [x, y] = [line[i]!, line[i + 1]!];
      const centre = point(x, y);
      const round = Array.from({ length: CORNERS }, (_, k) => {
        const angle = (2 * Math.PI * k) / CORNERS;
        return point(x + HALF * Math.cos(angle), y + HALF * Math.sin(angle));
      });
      for (const [k, corner] of round.entries()) indices.push(centre, corner, round[(k + 1) % CORNERS]!);
      if (i + 3 >= line.length) continue;
      const [toX, toY] = [line[i + 2]!, line[i + 3]!];
      const length = Math.hypot(toX - x, toY - y) || 1;
      const [aside, up] = [(HALF * (y - toY)) / length, (HALF * (toX - x)) / length];
      const [a, b] = [point(x - aside, y - up), point(toX - aside, toY - up)];
      const [c, d] = [point(toX + aside, toY + up), point(x + aside, y + up)];
      indices.push(a, b, c, a, c, d);
    }
  return bothSides(positions, indices);
}

function bothSides(positions: readonly number[], indices: readonly number[]): Triangles {
  const count = positions.length / 3;
  const back = indices.map((_, i) => count + indices[i - (i % 3) + [0, 2, 1][i % 3]!]!);
  return {
    positions: Float32Array.from([...positions, ...positions]),
    normals: Float32Array.from({ length: 6 * count }, (_, i) => (i % 3 < 2 ? 0 : i < 3 * count ? 1 : -1)),
    indices: Uint32Array.from([...indices, ...back]),
  };
}
