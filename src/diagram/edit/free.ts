/** Where a new component stands: in natural size at a point of the grid or, where none is named, at the nearest place to the middle that is free. */
import type { ClassEntity } from '../../model/classes/class.ts';
import { diagramOf, placingAt, sizeOf } from '../diagram.ts';
import { type Extent, middle, type Placing, type Point, upright } from '../geometry.ts';
import { layerOf } from '../layer.ts';
import { classView } from '../view.ts';

/** Steps around the middle that are tried; behind them everything is full. */
const MOST_RINGS = 20;

export function usualPlacing(entity: ClassEntity, type: ClassEntity, at?: Point): Placing {
  const size = sizeOf(layerOf(classView(type), 'Icon'));
  const { components, system } = diagramOf(entity);
  const onGrid = (point: Point): Point => [
    rounded(point[0], system.grid[0]),
    rounded(point[1], system.grid[1]),
  ];
  if (at) return placingAt(onGrid(at), size);
  const centre = onGrid(middle(upright(system.extent)));
  // Room for lines is left beside each component.
  const [dx, dy] = [2 * size[0], 2 * size[1]];
  const taken = components.map(({ bounds }) => upright(bounds));
  for (const [i, j] of around()) {
    const point: Point = [centre[0] + i * dx, centre[1] + j * dy];
    if (!taken.some((box) => meets(box, point, size))) return placingAt(onGrid(point), size);
  }
  return placingAt(centre, size);
}

const rounded = (value: number, step: number): number => (step > 0 ? Math.round(value / step) * step : value);

/** Steps from the middle outwards, those to the right of it before those below. */
function* around(): Generator<readonly [number, number]> {
  for (let ring = 0; ring <= MOST_RINGS; ring++)
    for (let j = ring; j >= -ring; j--)
      for (let i = ring; i >= -ring; i--)
        if (Math.max(Math.abs(i), Math.abs(j)) === ring) yield [i, j === 0 ? 0 : -j];
}

function meets([[left, low], [right, high]]: Extent, [x, y]: Point, [width, height]: Point): boolean {
  return left < x + width / 2 && right > x - width / 2 && low < y + height / 2 && high > y - height / 2;
}
