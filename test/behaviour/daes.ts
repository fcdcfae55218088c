/**
 * Random differential-algebraic equations with a known solution. A system is a list of parts; each part is well
 * posed when the variables of the parts before it are known, so any list is. Every equation has the form
 * `f(x, der(x)) = f(s(t), s'(t))` with the known solution s on the right.
 */
import fc from 'fast-check';
import {
  cases,
  derivative,
  literal,
  orderBy,
  type Signal,
  signal,
  signalAt,
  signalText,
  tenths,
} from './random.ts';

/** A function that has to be differentiated where it occurs in a constraint. */
const bump = `function bump
  input Real u;
  output Real y;
protected
  Real z[2];
algorithm
  z[1] := 0.3*sin(u);
  for k in 2:2 loop
    z[k] := z[k - 1] + 0.1*cos(u);
  end for;
  y := u + z[2];
end bump;
`;

/** Strictly increasing functions of one variable. */
const shapes = {
  id: (x: string) => x,
  cube: (x: string) => `(${x} + 0.2*${x}^3)`,
  exp: (x: string) => `exp(0.5*${x})`,
  sinh: (x: string) => `sinh(${x})`,
  sin: (x: string) => `(2*${x} + sin(${x}))`,
  atan: (x: string) => `(${x} + atan(${x}))`,
  bump: (x: string) => `bump(${x})`,
} as const;
type Shape = keyof typeof shapes;

const shape = fc.constantFrom(...(Object.keys(shapes) as Shape[]));

/** A term of any equation: a variable known from parts before, or of a part itself where that does no harm. */
interface Coupling {
  /** Chooses among the variables that may be used. */
  readonly pick: number;
  readonly factor: number;
  readonly shape: 'id' | 'sin' | 'square';
}

const coupling: fc.Arbitrary<Coupling> = fc.record({
  pick: fc.nat({ max: 20 }),
  factor: tenths(-0.5, 0.5, { zero: false }),
  shape: fc.constantFrom('id' as const, 'sin' as const, 'square' as const),
});

const couplings = fc.array(coupling, { maxLength: 2 });

/**
 * - `explicit`: der(x) = …, `implicit`: a mass matrix that couples derivatives of all members, and `flux`: the
 *   derivative of an expression;
 * - `algebraic`: simultaneous nonlinear equations;
 * - `chain`: der(x1) = x2, …, with the input found from a condition on x1: index 1 + length, no states;
 * - `speeds`, `positions`: two bodies and a constraint with a multiplier: index 2 and 3;
 * - `circle`: a pendulum that may turn round, so that no two of its variables can be states all the time.
 */
type Part =
  | {
      readonly kind: 'explicit' | 'implicit' | 'flux' | 'algebraic' | 'chain';
      readonly signals: readonly Signal[];
      readonly shape: Shape;
      readonly couplings: readonly (readonly Coupling[])[];
    }
  | {
      readonly kind: 'speeds' | 'positions';
      readonly signals: readonly Signal[];
      readonly shape: Shape;
      readonly weights: readonly number[];
      readonly couplings: readonly (readonly Coupling[])[];
    }
  | {
      readonly kind: 'circle';
      readonly speed: number;
      readonly phase: number;
      readonly force: Signal;
    };

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('explicit' as const, 'implicit' as const, 'flux' as const, 'algebraic' as const),
    signals: fc.array(signal, { minLength: 1, maxLength: 3 }),
    shape,
    couplings: fc.array(couplings, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('chain' as const),
    signals: fc.array(signal, { minLength: 2, maxLength: 2 }),
    shape,
    couplings: fc.array(couplings, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constantFrom('speeds' as const, 'positions' as const),
    signals: fc.array(signal, { minLength: 3, maxLength: 3 }),
    shape,
    weights: fc.array(tenths(0.5, 2), { minLength: 4, maxLength: 4 }),
    couplings: fc.array(couplings, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('circle' as const),
    speed: tenths(0.5, 3),
    phase: tenths(0, 6),
    force: signal,
  }),
);

/** Expressions over variables: `v` writes a variable, `d` its derivative. */
export type Template = (v: (variable: number) => string, d: (variable: number) => string) => string;

export interface Equation {
  readonly part: number;
  readonly template: Template;
  readonly uses: readonly number[];
}

export interface Variable {
  readonly part: number;
  readonly signal: Signal;
  /** One of a set of variables whose initial values determine all others. */
  readonly free: boolean;
  /** A start value chooses among several solutions. */
  readonly guess: boolean;
}

export interface System {
  readonly variables: readonly Variable[];
  readonly equations: readonly Equation[];
  /** Number of states. */
  readonly freedom: number;
}

export const system: fc.Arbitrary<System> = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .map((parts) => assemble(parts));

function assemble(parts: readonly Part[]): System {
  const variables: Variable[] = [];
  const equations: Equation[] = [];
  for (const [index, item] of parts.entries()) addPart(item, index, variables, equations);
  return { variables, equations, freedom: variables.filter((v) => v.free).length };
}

function addPart(item: Part, part: number, variables: Variable[], equations: Equation[]): void {
  const known = variables.length;
  const declare = (s: Signal, free: boolean) =>
    variables.push({ part, signal: s, free, guess: item.kind === 'circle' }) - 1;
  const add = (template: Template, uses: readonly number[]) => equations.push({ part, template, uses });
  if (item.kind === 'circle') {
    addCircle(item, declare, add);
    return;
  }
  const f = shapes[item.shape];
  /** Terms in the first `count` variables. */
  const terms = (list: readonly Coupling[] | undefined, count: number): [Template, number[]] => {
    const used = count === 0 ? [] : (list ?? []).map((c) => ({ ...c, variable: c.pick % count }));
    const write = (c: Coupling, x: string) =>
      c.shape === 'id' ? x : c.shape === 'sin' ? `sin(${x})` : `(0.2*${x}^2)`;
    return [
      (v) => used.map((c) => ` + ${literal(c.factor)}*${write(c, v(c.variable))}`).join(''),
      used.map((c) => c.variable),
    ];
  };
  const { signals } = item;
  switch (item.kind) {
    case 'explicit':
    case 'implicit': {
      const own = signals.map((s) => declare(s, true));
      for (const [k, x] of own.entries()) {
        const [extra, uses] = terms(item.couplings[k], variables.length);
        const others = item.kind === 'implicit' ? own.filter((o) => o !== x) : [];
        add(
          (v, d) =>
            `${d(x)}${others.map((o, n) => ` ${n + k === 1 ? '-' : '+'} 0.3*${d(o)}`).join('')} + ${f(v(x))}${extra(v, d)}`,
          [x, ...others, ...uses],
        );
      }
      return;
    }
    case 'flux': {
      for (const [k, s] of signals.entries()) {
        const x = declare(s, true);
        const [extra, uses] = terms(item.couplings[k], variables.length);
        const known = k === 0 ? '(2 + sin(time))' : '3';
        add((v, d) => `${known}*${flux(v(x), d(x))} + ${v(x)}${extra(v, d)}`, [x, ...uses]);
      }
      return;
    }
    case 'algebraic': {
      const own = signals.map((s) => declare(s, false));
      for (const [k, x] of own.entries()) {
        const [extra, uses] = terms(item.couplings[k], known);
        const next = own[(k + 1) % own.length]!;
        const loop = next === x ? [] : [next];
        add(
          (v, d) => `${f(v(x))}${loop.map((o) => ` + 0.3*sin(${v(o)})`).join('')}${extra(v, d)}`,
          [x, ...loop, ...uses],
        );
      }
      return;
    }
    case 'chain': {
      const length = item.couplings.length === 3 ? 2 : 1;
      const first = declare(signals[0]!, false);
      const own = [first];
      if (length === 2) own.push(declare(derivative(signals[0]!), false));
      const u = declare(signals[1]!, false);
      const last = own[own.length - 1]!;
      if (length === 2) add((v, d) => `${d(first)} - ${v(last)}`, [first, last]);
      const [extra, uses] = terms(item.couplings[0], known);
      add((v, d) => `${d(last)} + ${f(v(u))}${extra(v, d)}`, [last, u, ...uses]);
      const [shift, shiftUses] = terms(item.couplings[1], known);
      add((v, d) => `${f(v(first))}${shift(v, d)}`, [first, ...shiftUses]);
      return;
    }
    case 'speeds':
    case 'positions': {
      const [a1, a2, b1, b2] = item.weights as [number, number, number, number];
      const x = declare(signals[0]!, true);
      const y = declare(signals[1]!, false);
      let [vx, vy] = [x, y];
      if (item.kind === 'positions') {
        vx = declare(derivative(signals[0]!), true);
        vy = declare(derivative(signals[1]!), false);
        const [p, q] = [vx, vy];
        add((v, d) => `${d(x)} - ${v(p)}`, [x, p]);
        add((v, d) => `${d(y)} - ${v(q)}`, [y, q]);
      }
      const force = declare(signals[2]!, false);
      const bodies = [
        [vx, b1],
        [vy, b2],
      ] as const;
      for (const [k, [w, b]] of bodies.entries()) {
        const [extra, uses] = terms(item.couplings[k], known);
        add((v, d) => `${d(w)} + ${b}*${v(force)}${extra(v, d)}`, [w, force, ...uses]);
      }
      const [shift, uses] = terms(item.couplings[2], known);
      add((v, d) => `${a1}*${f(v(x))} + ${a2}*${v(y)}${shift(v, d)}`, [x, y, ...uses]);
      return;
    }
  }
}

/** The derivative of x + 0.2 x^3: as such where x is a variable, by the chain rule where it is a known signal. */
function flux(x: string, dx: string): string {
  return dx.startsWith('der(') ? `der(${x} + 0.2*${x}^3)` : `(1 + 0.6*${x}^2)*${dx}`;
}

function addCircle(
  { speed, phase, force }: Part & { readonly kind: 'circle' },
  declare: (s: Signal, free: boolean) => number,
  add: (template: Template, uses: readonly number[]) => void,
): void {
  const sin: Signal = [{ kind: 'sin', a: 1, w: speed, p: phase }];
  const cos: Signal = [{ kind: 'sin', a: 1, w: speed, p: phase + Math.PI / 2 }];
  const flat = Math.abs(Math.cos(phase)) > Math.SQRT1_2;
  const x = declare(sin, flat);
  const y = declare(cos, !flat);
  const vx = declare(derivative(sin), flat);
  const vy = declare(derivative(cos), !flat);
  const tension = declare(force, false);
  add((v, d) => `${d(x)} - ${v(vx)}`, [x, vx]);
  add((v, d) => `${d(y)} - ${v(vy)}`, [y, vy]);
  add((v, d) => `${d(vx)} + ${v(x)}*${v(tension)}`, [vx, x, tension]);
  add((v, d) => `${d(vy)} + ${v(y)}*${v(tension)}`, [vy, y, tension]);
  add((v) => `${v(x)}^2 + ${v(y)}^2`, [x, y]);
}

// ---------------------------------------------------------------- as Modelica text

/** How a system is written down. */
export interface Form {
  readonly names: 'short' | 'quoted' | 'long';
  readonly fixed: 'free' | 'none' | 'all';
  /** Start values of all variables, or of no more than necessary. */
  readonly starts: 'all' | 'free';
  readonly from: number;
  /**
   * - `plain`: one class;
   * - `aliases`: some variables are used through others that equal them or their negatives;
   * - `members`: variables in components, equations outside;
   * - `signals`: a component a part, inputs and outputs connected;
   * - `pins`: a component a part, connected by potentials;
   * - `inherited`: variables in a base class, start values as modifiers.
   */
  readonly structure: 'plain' | 'aliases' | 'members' | 'signals' | 'pins' | 'inherited';
  readonly equationKeys: readonly number[];
  readonly variableKeys: readonly number[];
  /** By equation: whether sides are swapped. */
  readonly swaps: readonly boolean[];
}

export const form: fc.Arbitrary<Form> = fc.record({
  names: fc.constantFrom('short' as const, 'quoted' as const, 'long' as const),
  fixed: fc.constantFrom('free' as const, 'none' as const, 'all' as const),
  starts: fc.constantFrom('all' as const, 'free' as const),
  from: fc.oneof(fc.constant(0), tenths(-1, 1)),
  structure: fc.constantFrom(
    'plain' as const,
    'aliases' as const,
    'members' as const,
    'inherited' as const,
    'signals' as const,
    'pins' as const,
  ),
  equationKeys: fc.array(fc.nat({ max: 9 }), { maxLength: 6 }),
  variableKeys: fc.array(fc.nat({ max: 9 }), { maxLength: 6 }),
  swaps: fc.array(fc.boolean(), { maxLength: 4 }),
});

export interface Dae {
  readonly system: System;
  readonly form: Form;
}

export const dae = cases(fc.record({ system, form }), ({ system, form }) => write(system, form).text);

export interface Written {
  readonly text: string;
  /** Names of the variables in results. */
  readonly names: readonly string[];
}

export function write(system: System, form: Form): Written {
  const { text, names } = writeClasses(system, form);
  return { text: text.includes('bump') ? bump + text : text, names };
}

function writeClasses(system: System, form: Form): Written {
  const n = system.variables.length;
  const base = Array.from({ length: n }, (_, k) => baseName(k, form));
  const order = orderBy(
    base.map((_, k) => k),
    form.variableKeys,
  );
  switch (form.structure) {
    case 'plain':
    case 'aliases': {
      const local = form.structure === 'aliases';
      const declarations = order.map((k) => declaration(system, form, k, base[k]!));
      const via = (k: number) => (local && k % 2 === 0 ? `(-a${k})` : local ? `b${k}` : base[k]!);
      const extra = local
        ? order.map((k) => (k % 2 === 0 ? `Real a${k} = -${base[k]};` : `Real b${k} = ${base[k]};`))
        : [];
      const lines = equationLines(system, form, via, (k) => `der(${base[k]})`);
      return { text: model('Plain', [...declarations, ...extra], lines), names: base };
    }
    case 'inherited': {
      const bare = order.map((k) => `Real ${base[k]};`);
      const changes = order.map((k) => `${base[k]}${attributes(system, form, k)}`);
      const lines = equationLines(
        system,
        form,
        (k) => base[k]!,
        (k) => `der(${base[k]})`,
      );
      const text = `partial model Base\n  ${bare.join('\n  ')}\nend Base;\n${model(
        'Derived',
        [`extends Base(${changes.join(', ')});`],
        lines,
      )}`;
      return { text, names: base };
    }
    case 'members': {
      const names = base.map((_, k) => `c[${k + 1}].x`);
      const starts = system.variables.map((v) => signalAt(v.signal, form.from));
      const flags = base.map((_, k) => isFixed(system, form, k));
      const lines = equationLines(
        system,
        form,
        (k) => names[k]!,
        (k) => `der(${names[k]})`,
      );
      const text = `model Cell\n  Real x;\nend Cell;\n${model(
        'Members',
        [`Cell c[${n}](x(start = {${starts.join(', ')}}, fixed = {${flags.join(', ')}}));`],
        lines,
      )}`;
      return { text, names };
    }
    case 'signals':
    case 'pins':
      return components(system, form, base, order);
  }
}

/** A component a part; variables of other parts arrive through connections. */
function components(system: System, form: Form, base: readonly string[], order: readonly number[]): Written {
  const causal = form.structure === 'signals';
  const parts = 1 + Math.max(...system.variables.map((v) => v.part));
  const classes: string[] = [];
  const connects: string[] = [];
  for (let part = 0; part < parts; part++) {
    const own = system.equations.filter((e) => e.part === part);
    const foreign = [...new Set(own.flatMap((e) => e.uses))].filter(
      (k) => system.variables[k]!.part !== part,
    );
    const used = system.equations.filter((e) => e.part !== part).flatMap((e) => e.uses);
    const given = order.filter((k) => system.variables[k]!.part === part && used.includes(k));
    const declarations = order
      .filter((k) => system.variables[k]!.part === part)
      .map((k) => declaration(system, form, k, base[k]!));
    const lines = equationLines(
      system,
      form,
      (k) => (system.variables[k]!.part === part ? base[k]! : causal ? `u${k}` : `u${k}.v`),
      (k) => `der(${base[k]})`,
      part,
    );
    for (const k of given) {
      declarations.push(causal ? `output Real y${k} = ${base[k]};` : `Pin y${k};`);
      if (!causal) lines.push(`y${k}.v = ${base[k]};`);
    }
    for (const k of foreign) {
      declarations.push(causal ? `input Real u${k};` : `Pin u${k};`);
      if (!causal) lines.push(`u${k}.i = 0;`);
      connects.push(`connect(p${system.variables[k]!.part}.y${k}, p${part}.u${k});`);
    }
    classes.push(model(`Part${part}`, declarations, lines));
  }
  const pin = 'connector Pin\n  Real v;\n  flow Real i;\nend Pin;';
  const whole = Array.from({ length: parts }, (_, part) => `Part${part} p${part};`);
  const text = [...(causal ? [] : [pin]), ...classes, model('Whole', whole, connects)].join('\n');
  return { text, names: base.map((name, k) => `p${system.variables[k]!.part}.${name}`) };
}

function model(name: string, declarations: readonly string[], equations: readonly string[]): string {
  const body = equations.length > 0 ? `\nequation\n  ${equations.join('\n  ')}` : '';
  return `model ${name}\n  ${declarations.join('\n  ')}${body}\nend ${name};`;
}

function baseName(k: number, form: Form): string {
  if (form.names === 'quoted') return `'x ${k}'`;
  return form.names === 'short' ? `x${k}` : `${'qpzrm'[k % 5]}_${'variable'.slice(0, 1 + (k % 8))}${k}`;
}

function isFixed(system: System, form: Form, k: number): boolean {
  return form.fixed === 'all' || (form.fixed === 'free' && system.variables[k]!.free);
}

function attributes(system: System, form: Form, k: number): string {
  const { signal, free, guess } = system.variables[k]!;
  if (form.starts === 'free' && form.fixed === 'free' && !free && !guess) return '';
  const start = signalAt(signal, form.from);
  return `(start = ${start}${isFixed(system, form, k) ? ', fixed = true' : ''})`;
}

function declaration(system: System, form: Form, k: number, name: string): string {
  return `Real ${name}${attributes(system, form, k)};`;
}

function equationLines(
  system: System,
  form: Form,
  v: (k: number) => string,
  d: (k: number) => string,
  part?: number,
): string[] {
  const chosen = system.equations.filter((e) => part === undefined || e.part === part);
  return orderBy(chosen, form.equationKeys).map(({ template }, k) => {
    const left = template(v, d);
    const right = template(
      (x) => signalText(system.variables[x]!.signal),
      (x) => signalText(derivative(system.variables[x]!.signal)),
    );
    return form.swaps[k % Math.max(1, form.swaps.length)] ? `${right} = ${left};` : `${left} = ${right};`;
  });
}
