// Flattening of a rod of n components, connected in a chain: how its time grows with n. The components are an array, or declared one by one; the
// latter also gathered against written out, from the text to the code.
import { loadModel, loadText, simulate } from '../dist/index.js';

const classes = (setting = '') => `
  connector Port Real T; flow Real q; end Port;
  model Cell Port a; Port b; parameter Real C = 1; parameter Real G = 2; Real T(start = 300);
  equation C*der(T) = a.q + b.q; a.q = G*(a.T - T); b.q = G*(b.T - T); ${setting} end Cell;
  model Fixed Port p; parameter Real T = 300; equation p.T = T; end Fixed;`;

const rod = (n) => `${classes()}
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

/** The same rod with components of their own names. */
function named(n, setting) {
  const all = Array.from({ length: n }, (_, k) => k + 1);
  const cells = all.map((i) => `Cell c${i}(C = 3, T(start = ${300 + (100 * i) / n}));`);
  const links = all.slice(1).map((i) => `connect(c${i - 1}.b, c${i}.a);`);
  return `${classes(setting)}
    model Rod ${cells.join('\n')} Fixed f; equation connect(f.p, c1.a); ${links.join('\n')} end Rod;`;
}

/** Milliseconds of each step from the text to the code, the best of several times. */
async function steps(text, times) {
  let best;
  for (let k = 0; k < times; k++) {
    const start = performance.now();
    const library = loadText(text);
    const read = performance.now();
    const model = loadModel(library, 'Rod');
    const flat = performance.now();
    const { statistics } = await simulate(model, { stopTime: 1e-6, intervals: 1 });
    const code = statistics.translateMs + statistics.compileMs;
    const own = { read: read - start, flatten: flat - read, code, all: flat - start + code };
    if (!best || own.all < best.all) best = own;
  }
  return best;
}

export async function runNamed() {
  const rows = [];
  for (const n of [100, 1000, 10_000]) rows.push({ how: 'gathered', n, ...(await steps(named(n), 3)) });
  const apart = 'annotation(__Mutabor(uniform = false));';
  for (const n of [100, 1000]) rows.push({ how: 'written out', n, ...(await steps(named(n, apart), 2)) });
  return rows;
}
