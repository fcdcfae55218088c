/** State machines, clocks and built-in components in printed text: it loads again and gives the same results. */
import { describe, expect, test } from 'vitest';
import { capacitor } from '../../examples/typescript/capacitor.ts';
import { rocket } from '../../examples/typescript/rocket.ts';
import { rod } from '../../examples/typescript/rod.ts';
import { printFlat } from '../../src/flat/print/class.ts';
import { type BuiltIn, loadModel, simulate } from '../../src/index.ts';
import { runOf, sameWhenPrinted } from '../behaviour/printed.ts';

const hard: readonly (readonly [title: string, text: string])[] = [
  [
    'nested machines, same names on all levels, siblings that speak of each other',
    `model M
  inner Real x(start = 0, fixed = true);
  Real y;
  block Leaf outer output Real x; parameter Real k = 1; Real t = timeInState(); equation der(x) = k; end Leaf;
  block Tree
    outer Real x;
    inner Real z(start = 2*x, fixed = true);
    Leaf a(k = 2), b(k = -1);
    block Other outer output Real z; Real x(start = 3, fixed = true); equation der(x) = z; der(z) = -x; end Other;
    block Rest Real x(start = 1, fixed = true); equation der(x) = 1; end Rest;
    Other p; Rest q;
  equation
    initialState(a); transition(a, b, timeInState() > 0.3); transition(b, a, b.t > 0.2, reset = false);
    initialState(p); transition(p, q, p.x < z and activeState(b), actions = {reinit(z, z + 1)}); transition(q, p, q.x > 1.5, priority = 2);
  end Tree;
  Tree a; Leaf b(k = -0.5);
equation
  initialState(a);
  transition(a, b, timeInState() > 1.1 and a.q.x > 0);
  transition(b, a, timeInState() > 0.4);
  y = if activeState(a.p) then 1 else if activeState(a) then 7 else 0;
end M;`,
  ],
  [
    'states in components, arrays of states, protected variables, algorithms, initial equations, when',
    `model M
  model Pair
    block S parameter Real r; Real w(start = 0); Integer n(start = 0, fixed = true); Real m; protected Real h(start = 1);
      initial equation h = r;
      equation der(h) = -r*h; der(w) = h; when w > 0.3 then n = pre(n) + 1; reinit(w, 0); end when;
      algorithm m := 0; for i in 1:3 loop m := m + i*h; end for; if m > 2 then m := 2; end if;
    end S;
    S s[3](r = {1, 2, 3});
    parameter Real T = 0.3;
  equation
    initialState(s[1]);
    for k in 1:2 loop transition(s[k], s[k + 1], timeInState() >= T*k); end for;
    transition(s[3], s[1], s[3].n >= 1 or timeInState() > 0.5, immediate = false);
  end Pair;
  Pair pair[2](T = {0.3, 0.45});
end M;`,
  ],
  [
    'synchronize and inner ends; shared variable that is kept',
    `model M
  inner Real v(start = 1, fixed = true); inner Integer n(start = 0, fixed = true);
  block Up outer output Real v; equation der(v) = 1; end Up;
  block End end End;
  block Both Up u; End e; End f; End g; outer Real v; equation initialState(u); transition(u, e, v > 1.7); initialState(f); transition(f, g, timeInState() > 0.9); end Both;
  block Down outer output Real v; equation der(v) = -2*v; end Down;
  Both both; Down down;
equation
  initialState(both);
  transition(both, down, true, synchronize = true, actions = {reinit(n, n + 1)});
  transition(down, both, v < 0.5);
end M;`,
  ],
  [
    'if with activity by hand, edge, pre, else branches',
    `model M
  Real a, b; Integer c(start = 0, fixed = true);
  block S Real x(start = 1, fixed = true); equation der(x) = -x; end S;
  S s, t, u;
equation
  initialState(s); transition(s, t, s.x < 0.5); transition(t, u, t.x < 0.7); transition(u, s, u.x < 0.6);
  if activeState(s) then a = s.x; b = 1; elseif activeState(t) then a = 2*t.x; b = a; else a + b = u.x; a - b = 1; end if;
  when change(activeState(t)) then c = pre(c) + 1; end when;
end M;`,
  ],
  [
    'start values from other states and connectors between parallel machines',
    `model M
  connector P Real v; flow Real i; end P;
  model R P p; parameter Real r = 2; equation p.v = r*p.i; end R;
  model C P p; Real v(start = 3, fixed = true); equation v = p.v; 0.5*der(v) = p.i; end C;
  model I P p; Real j(start = 1, fixed = true); equation p.i = -j; der(j) = -j; end I;
  model N P p; Real k = 2 + time; equation p.i = -k; end N;
  R r; C c; I i; N n; R r0(r = 10);
equation
  initialState(r); transition(r, c, time > 0.5); transition(c, r, c.v > 4, reset = false);
  initialState(i); transition(i, n, time > 0.8); transition(n, i, timeInState() > 1);
  connect(r.p, i.p); connect(r.p, n.p); connect(c.p, i.p); connect(c.p, n.p); connect(r0.p, i.p); connect(r0.p, n.p); connect(r0.p, r.p); connect(r0.p, c.p);
end M;`,
  ],
  [
    'all operators on clocks',
    `model M
  Real x(start = 1, fixed = true); Real u, v, w, z(start = 2), q(start = 0.5), e(start = 0), h; Integer n(start = 0), m(start = 3), k(start = 0); Boolean b(start = false);
  Clock c = Clock(1, 10); Clock d = subSample(c, 3); Clock f = shiftSample(c, 1, 2); parameter Real T = 0.07; Real iv; Boolean ft; Real arr[2](start = {1, 2}); Real sa[2]; Real s2;
equation
  der(x) = -x + h; h = hold(q) + (if hold(b) then 0.1 else 0);
  u = sample(x*2 + 1, c); v = subSample(u, 3); w = superSample(v, 6); when subSample(d, 2) then z = previous(z) + noClock(u); end when;
  when d then n = previous(n) + 1; end when;
  when f then m = previous(m) + 2; q = 0.1*m + shiftSample(u, 1, 2); end when;
  when Clock(T) then k = previous(k) + 1; b = mod(k, 3) == 0; iv = interval(); ft = firstTick(); end when;
  e = previous(e) + backSample(m, 1, 2);
  when Clock(3, 10) then arr = {previous(arr[2]), previous(arr[1]) + sample(time)}; end when; sa = sample({x, time}, Clock(1, 4)); s2 = sa[1] + sa[2];
end M;`,
  ],
  [
    'event clocks and varying clocks, in when and in sample, shared by equations that nothing else connects',
    `model M
  Real x(start = 0, fixed = true); Integer a(start = 0), b(start = 5), n(start = 1); Real s, t; Real i0, i1; Real y(start=0);
equation
  der(x) = 2*cos(5*time);
  when Clock(x > 0.2, 0.3) then a = previous(a) + 1; b = previous(b) - 1; i0 = interval(); end when;
  when Clock(n, 10) then n = previous(n) + 1; i1 = interval(); end when;
  s = sample(x, Clock(time > 1)); t = previous(y) + s; y = t;
end M;`,
  ],
  [
    'a clocked machine on an event clock with names that must be quoted',
    `model M
  package P
  block S parameter Integer d; outer output Integer 'v w'; Integer 'end'(start = 0); equation 'end' = previous('end') + d; 'v w' = previous('v w') + 'end'; end S;
  end P;
  inner Integer 'v w'(start = 0); Real x; P.S 'if'(d = 1), b(d = 3); Boolean on; Integer t;
equation
  x = sin(20*time); on = hold('v w') > 10;
  when Clock(x > 0.5) then t = previous('v w'); end when;
  initialState('if'); transition('if', b, 'if'.'end' >= 2, immediate = false); transition(b, 'if', ticksInState() > 2 , reset = false);
end M;`,
  ],
  [
    'functions with two outputs, records, arrays and loops in states; names of functions as variables',
    `model M
  record Q Real a; Real b[2]; end Q;
  function f input Real u; output Real y; output Real z; algorithm y := 2*u; z := u + 1; end f;
  block S Q q; Real g[3](start = {1, 2, 3}, each fixed = true); Real f1, f2; Real cat; parameter Real k[3] = {1, 2, 3};
    equation (f1, f2) = f(g[1]); q.a = f2; q.b = {g[2], g[3]}; for i in 1:3 loop der(g[i]) = -k[i]*g[i]; end for; cat = sum(j*g[j] for j in 1:3); end S;
  block T outer output Real total; Real g(start = 5, fixed = true); equation der(g) = -g; total = g; end T;
  inner Real total(start = 0); S s; T t;
equation
  initialState(s); transition(s, t, s.g[1] < 0.5); transition(t, s, t.g < 2.5);
end M;`,
  ],
  [
    'an input, a parameter that decides transitions, enumerations, strings, asserts, terminate',
    `model M
  type E = enumeration(low, high);
  parameter Boolean early = false; parameter String name = "it";
  block S parameter E level; E now = level; Real x(start = 0, fixed = true); equation der(x) = if now == E.low then 1 else 2; assert(x < 5, "too large", AssertionLevel.warning); end S;
  S a(level = E.low), b(level = E.high); E which = if activeState(a) then a.now else b.now; Real d;
equation
  initialState(a);
  if early then transition(a, b, a.x > 0.1); else transition(a, b, a.x > 0.6); end if;
  transition(b, a, b.x > 0.7, reset = false);
  d = if which == E.low then time else -time;
  when time > 3.5 then terminate("done " + name); end when;
end M;`,
  ],
  [
    'a machine in a state that is left at once, with transitions at initialisation and delayed ones',
    `model M
  inner Real y(start = 0, fixed = true); Real w;
  block A outer output Real y; equation der(y) = 1; end A;
  block B outer output Real y; Real p(start = y + 1); equation der(y) = -1; der(p) = 0; end B;
  block C end C;
  A a; B b; C c;
equation
  w = 2*y;
  initialState(c);
  transition(c, a, initial() or timeInState() > 0.2);
  transition(a, c, y > 0.5, immediate = false, priority = 2); transition(a, b, y > 0.5 and time > 1, immediate = false);
  transition(b, a, y < 0.2, actions = {reinit(y, y/2)});
end M;`,
  ],
  [
    'classes that speak of components, constants and texts further out',
    `model M
  block B Real x(start = 0, fixed = true); equation der(x) = 1; end B;
  block L end L;
  block A outer B b; outer parameter Real k; outer constant Real g; outer parameter String s; L p, q; Real w(start = k, fixed = true); equation der(w) = -g*w; initialState(p); transition(p, q, timeInState() > 0.2 and not activeState(b)); assert(w < 100, s); end A;
  inner B b; A a; inner parameter Real k = 2; inner constant Real g = 3; inner parameter String s = "ho"; L z;
equation
  initialState(b); transition(b, z, b.x > 2);
  initialState(a); transition(a, a2, time > 1.5);
public A a2;
end M;`,
  ],
  [
    'times in states of several levels, where equations choose by hand',
    `model M
  block P Real t = 1; end P;
  block O
    P p, r; Real since; Real both;
  equation
    initialState(p); transition(p, r, timeInState() > 0.5); transition(r, p, timeInState() > 0.3);
    if activeState(p) then since = timeInState(); else since = -timeInState(); end if;
    if activeState(p) then both = timeInState() + p.t; end if;
    if activeState(r) then both = 5; end if;
  end O;
  O o; P e; Real k;
equation
  initialState(o); transition(o, e, timeInState() > 2);  transition(e, o, timeInState() > 0.1);
  if activeState(o) then k = if activeState(o) then o.since else 3; end if;
  if activeState(e) then k = 4; end if;
end M;`,
  ],
  [
    'uniform arrays of components and single ones in states',
    `model M
  connector H Real T; flow Real Q; end H;
  model Cell H a, b; Real T(start = 1, fixed = true); parameter Real C = 1; equation C*der(T) = a.Q + b.Q; a.Q = 2*(a.T - T); b.Q = 2*(b.T - T); end Cell;
  model Rod Wall w1(T = 0), w2(T = time); parameter Integer n = 4; Cell c[n](T(start = {1, 2, 3, 4}), each C = 0.5); equation for i in 1:n - 1 loop connect(c[i].b, c[i + 1].a); end for; connect(c[1].a, w1.p); connect(c[n].b, w2.p);  end Rod; model Wall H p; input Real T; equation p.T = T; end Wall;
  model Small Cell c1, c2, c3; equation connect(c1.b, c2.a); connect(c2.b, c3.a); connect(c1.a, c3.b); end Small;
  Rod rod; Small small;
equation
  initialState(rod); transition(rod, small, time > 1 and time < 2); transition(small, rod, time > 2);
end M;`,
  ],
  [
    'inputs, samples and actions on discrete variables',
    `model M
  inner input Real u(start = 0) = time; 
  block A outer Real u; Real y; discrete Real h(start = 0, fixed = true); Boolean q(start = false, fixed = true); equation y = u^2; when sample(0, 0.3) then h = u; q = not pre(q); end when; end A;
  block B outer input Real u; Real y = -u; end B;
  A a; B b; Integer i(start = 0, fixed = true); discrete Real last(start = -1, fixed = true);
equation
  initialState(a); transition(a, b, u > 1, actions = {reinit(i, i + 1), reinit(last, time)}); transition(b, a, timeInState() > 0.5, reset = false);
end M;`,
  ],
  [
    'records and arrays on clocks',
    `model M
  record R Real a; Real b[2]; end R;
  Real v[2] = {time, 2*time}; R r(a = time, b = v); R s; Real p[2](start = {1, 1}); Real w; Real y2; Real z2; Integer ii(start = 1);
equation
  s = sample(r, Clock(1, 7)); p = previous(p) + s.b; w = (sample(v))[2] + p[1]; y2 = w + s.a; z2 = y2*sample(time); ii = if y2 > 2 then previous(ii) + 1 else ii0;
public Integer ii0(start = 0) ;
equation ii0 = previous(ii0) + 2;
end M;`,
  ],
  [
    'clocks in components, clocked machines that share a variable, values that are held',
    `model M
  block S Clock c; Integer n(start = 0); equation c = Clock(0.25); when c then n = previous(n) + 1; end when; end S;
  block T outer output Integer v; Integer m(start = 0); equation m = previous(m) + 1; v = previous(v) + m; end T;
  block U outer output Integer v; equation v = -1; end U;
  S s; inner Integer v(start = 0); T t, t2; U u; Integer g; Real held = hold(v);
equation
  g = superSample(s.n, 2) + v;
  initialState(t); transition(t, u, t.m >= 3, immediate = false, reset = true); transition(u, t2, true, immediate = false); transition(t2, t, timeInState() >= 0.5, immediate = false, reset = false);
end M;`,
  ],
  [
    'clocked machines inside of states, with algorithms and enumerations',
    `model M
  type L = enumeration(red, green);
  block Count parameter Integer step = 1; Integer k(start = 0); L l(start = L.red); equation k = previous(k) + step; l = if k > 3 then L.green else previous(l); end Count;
  block Nest Count a, b(step = 5); inner Real f(start = 0); block W outer output Real f; equation f = previous(f) + 0.5; end W; W w1; Count w2; outer output Real tot; algorithm tot := previous(tot); for i in 1:2 loop tot := tot + i*a.k; end for;
   equation initialState(a); transition(a, b, ticksInState() > 2); initialState(w1); transition(w1, w2, f > 1, immediate = false); end Nest;
  block Fin end Fin;
  inner Real tot(start = 1); Nest n; Fin f; Integer c(start = 0);
equation
  when Clock(1, 5) then c = previous(c) + 1; end when;
  initialState(n); transition(n, f, c > 7, synchronize = false); transition(f, n, mod(c, 5) == 0, priority = 3);
end M;`,
  ],
  [
    'clocks that parameters choose, that are inferred, and that are derived',
    `model M
  parameter Integer n = 2; parameter Boolean fast = true; Clock c; Clock d; Real x(start = 1); Integer k(start = 0), j(start = 0); Real q; Clock e = Clock();
equation
  if fast then c = Clock(n, 20); else c = Clock(1); end if; d = if fast then subSample(c, n) else c;
  when c then x = 0.5*previous(x) + sample(time); q^3 + q = x; end when; when d then k = previous(k) + 1; end when; when e then j = previous(j) + k; end when; 
  when shiftSample(subSample(Clock(1, 100), 30), 2, 3) then jj = previous(jj) + interval(); if jj > 1 then kk = 1; else kk = 0; end if; end when;
public Real jj(start = 0); Real kk;
end M;`,
  ],
  [
    'machines in components of states',
    `model M
  model Sub
    block A outer output Real y; equation y = 1; end A; block B outer output Real y; equation y = 2 + time; end B;
    inner Real y; A a; B b; parameter Real T = 1;
  equation initialState(a); transition(a, b, time > T); end Sub;
  model Sup Sub s1(T = 0.5), s2; Real sum = s1.y + s2.y; end Sup;
  block E end E;
  Sup sup; E e; Sub s3(T = 2);
equation
  initialState(sup); transition(sup, e, time > 2.2); 
end M;`,
  ],
  [
    'times in states, in families of equations',
    `model M
  model Cell Real T(start = 1, fixed = true); Real s; parameter Real k; equation der(T) = -k*T; s = timeInState()*k; end Cell;
  model Rod Cell c[5](k = {1, 2, 3, 4, 5}); end Rod;
  model Two Cell d[2, 3](k = {{1, 2, 3}, {4, 5, 6}}); end Two;
  Rod rod; Two two;
equation
  initialState(rod); transition(rod, two, timeInState() > 1); transition(two, rod, timeInState() > 0.7);
end M;`,
  ],
  [
    'connections of states inside of states',
    `model M
  connector P Real v; flow Real i; end P;
  model R P p, n; parameter Real r = 2; equation p.v - n.v = r*p.i; p.i + n.i = 0; end R;
  model C P p, n; Real v(start = 3, fixed = true); equation v = p.v - n.v; 0.5*der(v) = p.i; p.i + n.i = 0; end C;
  model G P p; equation p.v = 0; end G;
  model S P p; equation p.v = 5 + sin(time); end S;
  model Box P p, n; R r; C c; equation connect(p, r.p); connect(p, c.p); connect(n, r.n); connect(n, c.n); initialState(r); transition(r, c, timeInState() > 0.3); transition(c, r, timeInState() > 0.4, reset = false); end Box;
  S s; R r0(r = 1); G g; Box box; R other(r = 7);
equation
  connect(s.p, r0.p); connect(r0.n, box.p); connect(box.n, g.p); connect(r0.n, other.p); connect(other.n, g.p);
  initialState(box); transition(box, other, timeInState() > 1.05); transition(other, box, timeInState() > 0.5);
end M;`,
  ],
  [
    'connections between states inside of states of two machines',
    `model M
  connector P Real v; flow Real i; end P;
  model R P p; parameter Real r = 2; equation p.v = r*p.i; end R;
  model C P p; Real v(start = 3, fixed = true); equation v = p.v; 0.5*der(v) = p.i; end C;
  model Box1 R r; C c; R always(r = 9); equation initialState(r); transition(r, c, timeInState() > 0.3); connect(always.p, c.p); connect(always.p, r.p); end Box1;
  model I P p; parameter Real j = 1; equation p.i = -j; end I;
  model Box2 I i; I k(j = 2); R always(r = 11); equation initialState(i); transition(i, k, timeInState() > 0.4); connect(always.p, i.p); connect(always.p, k.p); end Box2;
  Box1 a; R a2; Box2 b; I b2;
equation
  initialState(a); transition(a, a2, time > 1.5); initialState(b); transition(b, b2, time > 1.8);
  connect(a.always.p, b.always.p); connect(a2.p, b2.p); connect(a.always.p, b2.p); connect(a2.p, b.always.p);
end M;`,
  ],
  [
    'activity that clocked equations in loops ask for by hand',
    `model M
  block A parameter Integer k = 1; Integer n(start = 0); end A;
  A a[2](k = {1, 2}); A b; Clock c = Clock(1, 4);
equation
  for i in 1:2 loop when c then if activeState(b) then a[i].n = previous(a[i].n) + a[i].k; else a[i].n = 0; end if; end when; end for;
  when c then b.n = previous(b.n) + 1; end when; initialState(b); transition(b, d, b.n > 4, immediate = false); transition(d, b, ticksInState() > 2);
public A d; equation d.n = previous(d.n) - 1;
end M;`,
  ],
  [
    'clocks beside samples of continuous time, values that are held in equations and events',
    `model M
  Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); Boolean b; discrete Real t(start = 0);
  block A Integer n(start = 0); equation n = previous(n) + 1; end A;
  block Z outer Real x2; Real q; equation q = 2*x2; end Z;
  A a; Integer s; Z z, y;  inner Real x2 = x; 
equation
  der(x) = 1 + hold(s); s = a.n*subSample(a.n, 1); when sample(0.1, 0.4) then n = pre(n) + hold(a.n); t = time; end when; b = edge(bb);
  when Clock(n >= 1, 0.5) then k = previous(k) + 1 + sample(n); end when;
  when Clock(3, 7) then a.n = aa; end when;
public Boolean bb = x > 0.3; Integer k(start = 0); Integer aa;
end M;`,
  ],
];

describe('printed and read again, results and modes are the same:', () => {
  test.each(hard)('%s', (_, text) => sameWhenPrinted(text, 3));
});

test('the classes of states hold what belongs to them, and speak of the rest as outer', () => {
  const text = `model M inner Real x(start = 0, fixed = true); parameter Real k = 2;
    block A outer output Real x; parameter Real g = 1; equation der(x) = g; end A;
    block B outer output Real x; Real y = timeInState(); equation der(x) = 2*x; end B;
    A a(g = k); B b; equation initialState(a); transition(a, b, x > 1, reset = false, priority = 2, actions = {reinit(x, 0.5*x)}); end M;`;
  expect(printFlat(loadModel(text))).toBe(`model M
  inner Real x(start = 0, fixed = true);
  inner parameter Real k = 2;
  model 'class of a'
    outer output Real x;
    outer parameter Real k;
    parameter Real g = k;
  equation
    der(x) = g;
  end 'class of a';
  'class of a' a;
  model 'class of b'
    outer output Real x;
    Real y;
  equation
    y = timeInState();
    der(x) = 2*x;
  end 'class of b';
  'class of b' b;
equation
  initialState(a);
  transition(a, b, x > 1, reset = false, priority = 2, actions = {reinit(x, 0.5*x)});
end M;
`);
});

test('names in classes that mean something else further out are changed where both are spoken of', async () => {
  const text = `model M inner Real x(start = 1, fixed = true);
    block A outer output Real x; block Part Real x; end Part; Part x_; Real y; equation y = 3; x_.x = y; der(x) = -x; end A;
    block B outer output Real x; equation der(x) = 1; end B;
    A a; B b; equation initialState(a); transition(a, b, x < 0.5); end M;`;
  const named = text
    .replaceAll('x_', 'y')
    .replace('Real y;', 'Real z;')
    .replace('y = 3', 'z = 3')
    .replace('= y;', '= z;');
  await sameWhenPrinted(text, 1);
  await sameWhenPrinted(named, 1);
  const within = `model M Real x(start = 1, fixed = true);
    block A input Real u; Real x(start = 2, fixed = true); equation der(x) = -u*x; end A;
    A a(u = x), b(u = 2*x); equation der(x) = -x; initialState(a); transition(a, b, a.x < 1.5); end M;`;
  const written = printFlat(loadModel(within));
  expect(written).toContain('der(x_2) = -u*x_2;');
  const { table } = await simulate(loadModel(written), { stopTime: 1, tolerance: 1e-10 });
  // ln(a.x/2) is minus the integral of x; twice that in b, which begins anew.
  const left = 1 - Math.log(2 / 1.5);
  expect(table.value('b.x_2', 1)).toBeCloseTo(2 * Math.exp(-2 * (left - Math.exp(-1))), 7);
});

test('a clock that several equations speak of is one clock in the text', async () => {
  const text = `model M Integer n(start = 0), m(start = 0); Boolean up = cos(10*time) > 0;
    equation when Clock(up) then n = previous(n) + 1; m = previous(m) + 2; end when; end M;`;
  const written = printFlat(loadModel(text));
  expect(written).toContain("  Clock '$Clock1' = Clock(up);");
  const { table } = await simulate(loadModel(written), { stopTime: 2 });
  // cos(10 t) becomes positive at 10 t = 1.5 pi, 3.5 pi and 5.5 pi.
  expect(['n', 'm'].map((name) => table.value(name, 2))).toEqual([3, 6]);
});

const pins = `connector Pin Real v; flow Real i; end Pin;
  model Capacitor Pin p, n; parameter Real C = 2, v0 = 1; Real w(start = v0);
    equation w = p.v - n.v; 0 = p.i + n.i; annotation(__Mutabor(builtIn = "capacitor")); end Capacitor;
  model Resistor Pin p, n; parameter Real R = 0.5; equation p.v - n.v = R*p.i; p.i + n.i = 0; end Resistor;
  model Switch Pin p, n; Boolean closed = time > 0.5; equation p.i + n.i = 0; if closed then p.v = n.v; else p.i = 0; end if; end Switch;
  model Ground Pin p; equation p.v = 0; end Ground;`;

const store: BuiltIn<{ C: number; v0: number }> = {
  ...capacitor,
  name: 'store',
  inputs: ['u'],
  outputs: { y: [] },
  equations: 'C*der(y) = u;',
};
const stores = `model Store parameter Real C = 1, v0 = 1; input Real u; output Real y; annotation(__Mutabor(builtIn = "store")); end Store;`;

const classes = `connector Port Real T; flow Real Q_flow; end Port;
  model Rod Port a, b; parameter Real L = 1, A = 4e-4, rho = 7500, lambda = 74, c = 450, T0[:] = {293.15};
    parameter Integer sizes[:] = {5}; parameter Real times[:] = fill(0.0, 0); Real Ta, Tb, G;
    equation a.Q_flow = G*(a.T - Ta); b.Q_flow = G*(b.T - Tb); annotation(__Mutabor(builtIn = "rod")); end Rod;
  model Rocket parameter Real m1 = 100, m2 = 100, f1max = 1e4, f2max = 2e3, t1 = 5, t2 = 10, t3 = 15, g = 9.81;
    annotation(__Mutabor(builtIn = "rocket")); end Rocket;`;

describe('a built-in component', () => {
  const again = (text: string, builtIns: readonly BuiltIn[]) =>
    loadModel(printFlat(loadModel(text, 'M', {}, { builtIns })), 'M', {}, { builtIns });

  test('stays a component with its connectors, and runs with its code', async () => {
    const text = `${pins} model M Capacitor c(v0 = k); parameter Real k = 3; Resistor r; Ground g;
      equation connect(c.p, r.p); connect(c.n, r.n); connect(c.n, g.p); end M;`;
    const model = again(text, [capacitor]);
    expect(model.components.map(({ path, inputs }) => [path, inputs.map(({ name }) => name)])).toEqual([
      ['c', ['p.i']],
    ]);
    const { status, table } = await simulate(model, { stopTime: 1, tolerance: 1e-9 });
    expect(status).toBe('done');
    expect(table.value('c.w', 1)).toBeCloseTo(3 * Math.exp(-1), 7);
    expect(table.value('c.v', 1)).toBeCloseTo(3 * Math.exp(-1), 7);
  });

  test.each([
    ['a rocket', rocket, 'model M Rocket rocket; end M;', 15],
    [
      'a rod',
      rod,
      'model M Rod rod(T0 = {300, 500, 320, 280, 450, 290, 400}, sizes = {7, 3}, times = {2}); end M;',
      5,
    ],
  ] as const)('gives the same results: %s', async (_, builtIn, model, stopTime) => {
    const text = `${classes}\n${model}`;
    const load = () => loadModel(text, 'M', {}, { builtIns: [builtIn] });
    const result = await runOf(load(), stopTime);
    expect(result.status).toBe('done');
    const written = printFlat(load());
    const other = await runOf(loadModel(written, 'M', {}, { builtIns: [builtIn] }), stopTime);
    expect(other.status).toBe('done');
    expect(other.table.names).toEqual(result.table.names);
    for (const name of result.table.names)
      expect([name, other.table.value(name, 0.9 * stopTime)]).toEqual([
        name,
        result.table.value(name, 0.9 * stopTime),
      ]);
  });

  test('says which code it needs, and is refused without it', () => {
    const text = `${pins} model M Capacitor c; Ground g; Resistor r; equation connect(c.n, g.p); connect(c.p, r.p); connect(r.n, g.p); end M;`;
    const written = printFlat(loadModel(text, 'M', {}, { builtIns: [capacitor] }));
    expect(written.split('\n')[0]).toBe(
      '// This needs the built-in component c "capacitor" gives c.w from c.p.i.',
    );
    expect(() => loadModel(written)).toThrow('There is no built-in component "capacitor"');
  });

  test('can be replaced by its equations after reading again', async () => {
    const text = `${pins} model M Capacitor a(v0 = 3), b(C = 1, v0 = 0); Switch s; Ground g;
      equation connect(a.n, g.p); connect(b.n, g.p); connect(a.p, s.p); connect(b.p, s.n); end M;`;
    const { status, table } = await simulate(again(text, [capacitor]), { stopTime: 1 });
    expect(status).toBe('done');
    // Charge is kept: (2*3 + 1*0)/3.
    expect(table.value('b.w', 1)).toBeCloseTo(2, 9);
  });

  test('can be a state, be in one, and be one of an array', async () => {
    const text = `${stores} model Load Store c(v0 = 4, u = -2*c.y); end Load;
      model M Load load; Store other(v0 = 5, u = -3*other.y); Store many[2](v0 = {6, 7});
      equation for k in 1:2 loop many[k].u = -k*many[k].y; end for;
      initialState(load); transition(load, other, time > 0.5); end M;`;
    const { status, table } = await simulate(again(text, [store]), { stopTime: 1, tolerance: 1e-9 });
    expect(status).toBe('done');
    expect(table.value('load.c.y', 0.4)).toBeCloseTo(4 * Math.exp(-0.8), 6);
    expect(table.value('load.c.y', 0.7)).toBeNaN();
    expect(table.value('other.y', 1)).toBeCloseTo(5 * Math.exp(-1.5), 6);
    expect(table.value("'many[2]'.y", 1)).toBeCloseTo(7 * Math.exp(-2), 6);
  });

  test.each([
    ['arrays of components', 'Capacitor c; ', {}, 'has arrays of components', 'Pin q[2]; '],
    [
      'initial values from outside',
      'Capacitor c; ',
      { 'c.v.start': 2 },
      'has initial values that were given from outside',
      '',
    ],
  ])('with %s cannot be written: the text says so, and is partial', (_, declared, given, reason, more) => {
    const text = `${pins.replace('Pin p, n; parameter Real C', `${more}Pin p, n; parameter Real C`)} model M ${declared} Ground g;
      equation connect(c.n, g.p); c.p.i = -c.w; end M;`;
    const written = printFlat(loadModel(text, 'M', given, { builtIns: [capacitor] }));
    expect(written).toContain(`//   The built-in component c ${reason}.\npartial model M`);
    expect(() => loadModel(written, 'M', {}, { builtIns: [capacitor] })).toThrow('partial');
  });
});
