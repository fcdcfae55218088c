/**
 * What a person does over a diagram, with a mouse, a pen, fingers or keys: all of it changes the store.
 *
 *     wheel, two fingers, + and −         zoom, where the pointer is
 *     drag                                choose an interval;  of the time cursor: move it
 *     drag with Shift, one finger         move
 *     click                               put the time cursor there
 *     double click, 0                     all of the time
 *     arrows                              move;  with Alt: the time cursor
 */
import type { Store, Window } from '../store.ts';
import { wholeOf, windowOf } from './pictures.ts';

/** Where times are in an element. */
export interface Ruler {
  readonly over: HTMLElement;
  timeAt(x: number): number;
  placeOf(time: number): number;
}

/** Pixels: a drag that is shorter is a click, and how near the time cursor is taken. */
const CLICK = 4;
const NEAR = 6;
const ONE_ZOOM = 1.5;
/** The least part of all of the time that can be seen. */
const CLOSEST = 1e-12;

export function zoomBy(store: Store, factor: number, about?: number): void {
  const { from, to } = windowOf(store);
  const middle = about ?? (from + to) / 2;
  look(store, { from: middle - (middle - from) * factor, to: middle + (to - middle) * factor });
}

export function moveBy(store: Store, share: number): void {
  const { from, to } = windowOf(store);
  look(store, { from: from + share * (to - from), to: to + share * (to - from) });
}

/** Shows an interval, as far as there is time; all of it where it is no part. */
export function look(store: Store, { from, to }: Window): void {
  const whole = wholeOf([store.run.now, ...store.family.now]);
  const length = Math.max(CLOSEST * (whole.to - whole.from), Math.min(to - from, whole.to - whole.from));
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  const isAll = start <= whole.from && start + length >= whole.to;
  store.window.set(isAll ? undefined : { from: start, to: start + length });
}

export function seek(store: Store, time: number): void {
  const whole = wholeOf([store.run.now, ...store.family.now]);
  store.isFollowing.set(false);
  store.cursor.set(Math.min(whole.to, Math.max(whole.from, time)));
}

/** What is being dragged. */
type Drag =
  | { readonly kind: 'choose'; readonly from: number }
  | { readonly kind: 'move'; readonly from: number; readonly window: Window }
  | { readonly kind: 'cursor' };

/** Listens to a diagram; `choosing` shows the interval that a drag chooses, in pixels. */
export function listen(
  store: Store,
  ruler: Ruler,
  choosing: (interval: readonly [number, number] | undefined) => void,
): void {
  const { over } = ruler;
  const pointers = new Map<number, number>();
  let drag: Drag | undefined;
  const placeOf = (event: MouseEvent): number => event.clientX - over.getBoundingClientRect().left;

  over.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const step = event.deltaMode === 1 ? 0.05 : 0.0015;
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) moveBy(store, event.deltaX / over.clientWidth);
      else zoomBy(store, Math.exp(event.deltaY * step), ruler.timeAt(placeOf(event)));
    },
    { passive: false },
  );
  over.addEventListener('dblclick', () => store.window.set(undefined));
  over.addEventListener('pointerdown', (event) => {
    if (event.button > 0) return;
    const x = placeOf(event);
    over.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, x);
    const isCursor = Math.abs(ruler.placeOf(store.cursor.now) - x) < NEAR;
    const isMove = event.shiftKey || event.pointerType === 'touch';
    drag = isCursor
      ? { kind: 'cursor' }
      : isMove
        ? { kind: 'move', from: x, window: windowOf(store) }
        : { kind: 'choose', from: x };
  });
  over.addEventListener('pointermove', (event) => {
    const x = placeOf(event);
    store.pointed.set(event.pointerType === 'mouse' ? ruler.timeAt(x) : undefined);
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    pointers.set(event.pointerId, x);
    if (pointers.size === 2) {
      pinch(store, ruler, [...pointers].find(([id]) => id !== event.pointerId)![1], before, x);
      drag = undefined;
    } else if (drag?.kind === 'cursor') seek(store, ruler.timeAt(x));
    else if (drag?.kind === 'choose') choosing([drag.from, x]);
    else if (drag) {
      const { from, to } = drag.window;
      const moved = ((drag.from - x) / over.clientWidth) * (to - from);
      look(store, { from: from + moved, to: to + moved });
    }
  });
  const end = (event: PointerEvent): void => {
    const x = placeOf(event);
    choosing(undefined);
    const isLast = pointers.delete(event.pointerId) && pointers.size === 0;
    if (isLast && event.type === 'pointerup' && drag && drag.kind !== 'cursor') {
      if (Math.abs(x - drag.from) < CLICK) seek(store, ruler.timeAt(x));
      else if (drag.kind === 'choose') {
        const [a, b] = [ruler.timeAt(drag.from), ruler.timeAt(x)];
        look(store, { from: Math.min(a, b), to: Math.max(a, b) });
      }
    }
    drag = undefined;
  };
  over.addEventListener('pointerup', end);
  over.addEventListener('pointercancel', end);
  over.addEventListener('pointerleave', () => store.pointed.set(undefined));
}

/** What was below two fingers stays below them. */
function pinch(store: Store, ruler: Ruler, other: number, before: number, now: number): void {
  if (Math.abs(now - other) < 8) return;
  zoomBy(store, Math.abs(before - other) / Math.abs(now - other), ruler.timeAt(other));
}

/** Keys of diagrams; true where one means something. */
export function pressed(store: Store, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  const { from, to } = windowOf(store);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step !== undefined && event.altKey) seek(store, store.cursor.now + (step * (to - from)) / 200);
  else if (step !== undefined) moveBy(store, 0.1 * step);
  else if (event.key === '+' || event.key === '=') zoomBy(store, 1 / ONE_ZOOM);
  else if (event.key === '-') zoomBy(store, ONE_ZOOM);
  else if (event.key === '0' || event.key === 'Escape') store.window.set(undefined);
  else return false;
  return true;
}
