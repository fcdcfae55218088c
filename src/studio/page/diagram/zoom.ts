/**
 * Looking closer at a picture: the wheel, + and − zoom, where the pointer is or in the middle; dragging where nothing is moves; 0 and a double click show all of it.
 * What is seen is the `viewBox` of the picture.
 */

/** As `viewBox` has it. */
export type Box = readonly [x: number, y: number, width: number, height: number];

const ONE_ZOOM = 1.5;
/** The least part of a picture that can be seen. */
const CLOSEST = 0.01;

export class Zoom {
  private whole: Box = [0, 0, 1, 1];
  private seen: Box | undefined;
  /** What is shown: another picture is seen as a whole. */
  private of = '';

  /** `isFree` says whether nothing is at a place that could be dragged. */
  constructor(
    private readonly place: HTMLElement,
    isFree: (target: Element) => boolean,
  ) {
    place.addEventListener(
      'wheel',
      (event) => {
        if (!this.svg) return;
        event.preventDefault();
        this.by(Math.exp(event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), event);
      },
      { passive: false },
    );
    place.addEventListener('dblclick', (event) => {
      if (isFree(event.target as Element)) this.set(undefined);
    });
    place.addEventListener('pointerdown', (event) => {
      if (event.button === 0 && event.pointerType === 'mouse' && isFree(event.target as Element))
        this.drag(event);
    });
  }

  /** Puts another picture there. */
  take(svg: Element, of: string): void {
    this.whole = svg.getAttribute('viewBox')!.split(' ').map(Number) as unknown as Box;
    if (of !== this.of) this.seen = undefined;
    this.of = of;
    svg.setAttribute('viewBox', (this.seen ?? this.whole).join(' '));
  }

  /** Keys for it; true where one means something. */
  pressed({ key }: KeyboardEvent): boolean {
    if (key === '+' || key === '=') this.by(1 / ONE_ZOOM);
    else if (key === '-') this.by(ONE_ZOOM);
    else if (key === '0') this.set(undefined);
    else return false;
    return true;
  }

  private get svg(): SVGSVGElement | null {
    return this.place.querySelector('svg');
  }

  private by(factor: number, at?: MouseEvent): void {
    const box = this.seen ?? this.whole;
    const [x, y, width, height] = box;
    const [px, py] = (at && this.point(at)) ?? [x + width / 2, y + height / 2];
    const share = Math.max(CLOSEST, (width / this.whole[2]) * factor);
    const scale = (share * this.whole[2]) / width;
    this.set(
      share >= 1 ? undefined : [px + (x - px) * scale, py + (y - py) * scale, width * scale, height * scale],
    );
  }

  private drag(event: PointerEvent): void {
    const [from, [x, y, width, height]] = [this.point(event), this.seen ?? this.whole];
    if (!from || !this.seen) return;
    const move = (moved: PointerEvent): void => {
      this.set([x, y, width, height]);
      const to = this.point(moved)!;
      this.set([x + from[0] - to[0], y + from[1] - to[1], width, height]);
    };
    this.place.setPointerCapture(event.pointerId);
    this.place.addEventListener('pointermove', move);
    this.place.addEventListener(
      'lostpointercapture',
      () => this.place.removeEventListener('pointermove', move),
      { once: true },
    );
  }

  private set(box: Box | undefined): void {
    this.seen = box;
    this.svg?.setAttribute('viewBox', (box ?? this.whole).join(' '));
  }

  /** Where a pointer is in the picture. */
  private point({ clientX, clientY }: MouseEvent): readonly [number, number] | undefined {
    const back = this.svg?.getScreenCTM()?.inverse();
    if (!back) return undefined;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(back);
    return [x, y];
  }
}
