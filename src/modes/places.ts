/**
 * Places in uniform arrays of components. Equations of such an array are a family, written once; when they are written out, each
 * belongs to one element, and messages speak of it by the name of that element: `c[3]`.
 */
import { remember } from '../collections/memo.ts';
import { subscriptedName } from '../flat/core/families.ts';
import type { FlatArray, FlatEquation, Origin } from '../flat/flat.ts';

export class Places {
  /** The element whose equations are being written out: arrays with subscripts, outermost first. */
  private readonly around: { readonly array: FlatArray; readonly subscripts: number[] }[] = [];
  /** Origins of this element that were asked for. */
  private readonly known = new Map<Origin, Origin>();

  /** What `work` writes out belongs to the element of an array with one more subscript. */
  within(array: FlatArray, subscript: number, work: () => void): void {
    const outer = this.around.at(-1);
    if (outer?.array === array) outer.subscripts.push(subscript);
    else this.around.push({ array, subscripts: [subscript] });
    this.known.clear();
    work();
    const own = this.around.at(-1)!.subscripts;
    own.pop();
    if (own.length === 0) this.around.pop();
    this.known.clear();
  }

  /** An equation of a family, with the name of the element that it is written out for. */
  placed(equation: FlatEquation): FlatEquation {
    if (this.around.length === 0) return equation;
    const origin = this.originOf(equation.origin);
    if (equation.kind !== 'when') return { ...equation, origin };
    const branches = equation.branches.map(({ condition, body }) => ({
      condition,
      body: body.map((action) => ({ ...action, origin: this.originOf(action.origin) })),
    }));
    return { ...equation, branches, origin };
  }

  private originOf(origin: Origin): Origin {
    return remember(this.known, origin, () => {
      const within = this.around.map(({ array }) => array);
      const subscripts = this.around.flatMap((one) => one.subscripts.map(String));
      return { ...origin, component: subscriptedName({ name: origin.component, within }, subscripts) };
    });
  }
}
