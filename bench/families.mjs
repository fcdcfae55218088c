// Flattening of a rod of n components, connected in a chain: how its time grows with n.
import { loadModel, loadText } from '../dist/index.js';

const rod = (n) => `
  connector Port Real T; flow Real q; end Port;
  model Cell Port a; Port b; parameter Real C = 1; parameter Real G = 2; Real T(start = 300);
  equation C*der(T) = a.q + b.q; a.q = G*(a.T - T); b.q = G*(b.T - T); end Cell;
  model Fixed Port p; parameter Real T = 300; equation p.T = T; end Fixed;
  model Rod parameter Integer n = ${n}; Cell c[n](each C = 3, T(start = linspace(300, 400, n))); Fixed f;
  equation connect(f.p, c[1].a); for i in 1:n - 1 loop connect(c[i].b, c[i + 1].a); end for; end Rod;`;

/** Best of several times, in milliseconds. */
function flattening(n, times = 15) {
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < times; k++) {
    const library = loadText(rod(n));
    const start = performance.now();
    loadModel(library, 'Rod');
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

export function runFamilies() {
  const few = flattening(10, 40);
  return [10, 100, 1000, 10_000, 100_000].map((n) => {
    const ms = n === 10 ? few : flattening(n);
    return { n, ms, ratio: ms / few };
  });
}
