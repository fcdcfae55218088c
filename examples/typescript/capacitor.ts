/**
 * A capacitor as a built-in component: the smallest one that has a state. Its class, `Capacitor.mo` in text, says what the model sees:
 *
 *     model Capacitor
 *       Pin p, n;
 *       parameter Real C = 1;
 *       parameter Real v0 = 0;
 *       Real w "voltage, as the component gives it";
 *     equation
 *       w = p.v - n.v;
 *       0 = p.i + n.i;
 *       annotation(__Mutabor(builtIn = "capacitor"));
 *     end Capacitor;
 *
 * Two of them in parallel cannot be computed from their states: the voltages would have to be equal, which takes a derivative. For that
 * case there are `equations`.
 */
import type { BuiltIn } from 'mutabor';

interface Capacitor {
  readonly C: number;
  readonly v0: number;
}

export const capacitor: BuiltIn<Capacitor> = {
  name: 'capacitor',
  inputs: ['p.i'],
  outputs: { w: [] },
  equations: 'C*der(w) = p.i;',
  allocate: (instance) => ({ C: instance.number('C'), v0: instance.number('v0') }),
  begin({ v0 }, segment) {
    segment.state('v', { start: v0, unit: 'V' });
  },
  stateOutputs(_, { x, y }) {
    y[0] = x[0]!;
  },
  derivatives({ C }, { u, dx }) {
    dx[0] = u[0]! / C;
  },
};
