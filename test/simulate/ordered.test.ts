/**
 * What statements of algorithm sections do, they do in their order, and once: calls of impure functions, of functions of external objects, and of code from outside that does not say what it is
 * (Modelica 3.6, sections 11.2 and 12.3). The functions here act on one number, or on what an object holds, and write down what was called with what.
 */
import { describe, expect, it } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { type Externals, loadModel, simulate } from '../../src/index.ts';

const library = `
  impure function put input Real v; external "C" put(v); end put;
  impure function get output Real y; external "C" y = get(); end get;
  impure function both output Real a; output Real b; external "C" both(a, b); end both;
  impure function say input String s; external "C" say(s); end say;
  impure function read output String s; external "C" s = read(); end read;
  impure function change input Real v; output Real y; algorithm put(v); y := get(); end change;
  function store input Cell c; input Real v; external "C" store(c, v); end store;
  function stored input Cell c; output Real y; external "C" y = stored(c); end stored;
  function half input Real u; output Real y; external "C" y = half(u); annotation(Inline = false); end half;
  class Cell
    extends ExternalObject;
    function constructor input Real v; output Cell c; external "C" c = cell(v); end constructor;
    function destructor input Cell c; external "C" gone(c); end destructor;
  end Cell;`;

/** What is called in one second, and the values of y, z and a at its end. The printed text of the model calls the same. */
interface Called {
  readonly log: string;
  readonly values: readonly number[];
}

async function calls(body: string): Promise<Called> {
  const text = `package P ${library} model M ${body} end M; end P;`;
  const called = await callsOf(text, 'P.M');
  expect(await callsOf(printFlat(loadModel(text, 'P.M')))).toEqual(called);
  return called;
}

async function callsOf(text: string, name?: string): Promise<Called> {
  const log: string[] = [];
  let number = -1;
  const externals = {
    put: (v: number) => {
      log.push(`put ${Math.round(v * 1e6) / 1e6}`);
      number = v;
    },
    get: () => {
      log.push('get');
      return number;
    },
    both: (a: { value: number }, b: { value: number }) => {
      log.push('both');
      [a.value, b.value] = [number, number + 1];
    },
    say: (text: string) => {
      log.push(`say ${text}`);
    },
    read: () => {
      log.push('read');
      return `text ${log.length}`;
    },
    half: (u: number) => {
      log.push(`half ${u}`);
      return u / 2;
    },
    cell: (v: number) => ({ v }),
    gone: () => {},
    store: (cell: { v: number }, v: number) => {
      log.push(`store ${v}`);
      cell.v = v;
    },
    stored: (cell: { v: number }) => {
      log.push('stored');
      return cell.v;
    },
  } as unknown as Externals;
  const model = loadModel(text, name, {}, { externals });
  const { status, table, diagnostics } = await simulate(model, { stopTime: 1 });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(status).toBe('done');
  const asked = ['y', 'z', 'a[1]', 'a[2]', 'a[3]'].filter((name) => table.has(name));
  return { log: log.join(', '), values: asked.map((name) => table.value(name, 1)) };
}

const later = (statements: string): string => `when time > 0.5 then ${statements} end when;`;

describe('statements of a when-clause', () => {
  it.each([
    ['what is done before acts on what is asked', 'put(3); y := get();', 'put 3, get', [3]],
    ['what is done afterwards does not', 'y := get(); put(3);', 'get, put 3', [-1]],
    [
      'equal calls give what there is then',
      'put(1); y := get(); put(2); z := get();',
      'put 1, get, put 2, get',
      [1, 2],
    ],
    ['in expressions', 'put(3); y := 2*get() + 1;', 'put 3, get', [7]],
    ['in arguments', 'put(3); put(get() + 1); y := get();', 'put 3, get, put 4, get', [4]],
    ['several results', 'put(3); (y, z) := both(); put(4);', 'put 3, both, put 4', [3, 4]],
    ['in functions', 'put(1); y := change(5); z := get();', 'put 1, put 5, get, get', [5, 5]],
    ['in `pure`', 'put(3); y := pure(get());', 'put 3, get', [3]],
    [
      'in conditions',
      'put(3); if get() > 2 then put(7); else put(8); end if; y := get();',
      'put 3, get, put 7, get',
      [7],
    ],
    [
      'in branches',
      'if time > 0.2 then put(1); else put(5); end if; y := get(); if y > 3 then put(2); elseif y > 0 then put(7); end if; z := get();',
      'put 1, get, put 7, get',
      [1, 7],
    ],
    [
      'in branches of expressions',
      'put(3); y := if time > 0.7 then get() else 1; z := if time > 0.2 then get() else change(9);',
      'put 3, get',
      [1, 3],
    ],
    ['in messages', 'put(3); assert(get() > 2, "no"); y := get();', 'put 3, get, get', [3]],
  ])('%s', async (_, statements, log, values) => {
    const declared = values.length > 1 ? 'discrete Real y, z;' : 'discrete Real y;';
    expect(await calls(`${declared} algorithm ${later(statements)}`)).toEqual({ log, values });
  });

  it('in loops of functions, with what the loops count', async () => {
    const functions = `
      impure function all
        input Real c[:, 2]; output Real y;
      algorithm
        for i in size(c, 1):-1:1 loop say(String(integer(c[i, 1])) + "!"); for j in 1:2 loop put(c[i, j] + j); end for; end for;
        y := get();
      end all;`;
    expect(
      await calls(`${functions} discrete Real y; algorithm ${later('y := all([1, 2; 3, 4]);')}`),
    ).toEqual({ log: 'say 3!, put 4, put 6, say 1!, put 2, put 4, get', values: [4] });
  });

  it('in loops', async () => {
    const body = 'for i in 1:3 loop put(i); a[i] := get(); end for;';
    const log = 'put 1, get, put 2, get, put 3, get';
    expect(await calls(`discrete Real a[3]; algorithm ${later(body)}`)).toEqual({ log, values: [1, 2, 3] });
    const endless = 'k := 0; while k < 2 loop k := k + 1; put(k); end while; y := get();';
    expect(await calls(`discrete Real y; Integer k; algorithm ${later(endless)}`)).toEqual({
      log: 'put 1, put 2, get',
      values: [2],
    });
    const array = 'put(3); a := {change(i) for i in 1:2};';
    expect(await calls(`discrete Real a[2]; algorithm ${later(array)}`)).toEqual({
      log: 'put 3, put 1, get, put 2, get',
      values: [1, 2],
    });
  });

  it('texts', async () => {
    const body = 'say("a"); s := read(); say(s + "!"); s := read() + read(); say(s);';
    expect((await calls(`String s; algorithm ${later(body)}`)).log).toBe(
      'say a, read, say text 2!, read, read, say text 4text 5',
    );
  });

  it('what objects hold, and what does not say what it is', async () => {
    const body = 'y := stored(c); store(c, 5); z := stored(c);';
    expect(await calls(`Cell c = Cell(1); discrete Real y, z; algorithm ${later(body)}`)).toEqual({
      log: 'stored, store 5, stored',
      values: [1, 5],
    });
    const twice = 'y := half(4); z := half(4);';
    expect(await calls(`discrete Real y, z; algorithm ${later(twice)}`)).toEqual({
      log: 'half 4, half 4',
      values: [2, 2],
    });
  });

  it('of clauses one after the other, and of some that are left out', async () => {
    const two = `${later('put(4);')} ${later('y := get();')}`;
    expect(await calls(`discrete Real y; algorithm ${two}`)).toEqual({ log: 'put 4, get', values: [4] });
    const other = 'when time > 2 then put(1); elsewhen time > 0.5 then put(2); y := get(); end when;';
    expect(await calls(`discrete Real y; algorithm ${other}`)).toEqual({ log: 'put 2, get', values: [2] });
    const again = 'when sample(0.25, 0.25) then put(time); y := get() + pre(y); end when;';
    expect(await calls(`discrete Real y(start = 0, fixed = true); algorithm ${again}`)).toEqual({
      log: 'put 0.25, get, put 0.5, get, put 0.75, get, put 1, get',
      values: [2.5],
    });
  });
});

describe('what cannot be taken back', () => {
  const cube = 1.2134116627622296;

  it('is done when all else has settled', async () => {
    const relations = `discrete Real y; Real x, w; Boolean b = time > 0.5, c;
      equation x = if b then 2 else 1; c = x > 1.5; w = if c then 10 else 0;
      algorithm when b then put(w); y := get(); end when;`;
    expect(await calls(relations)).toEqual({ log: 'put 10, get', values: [10] });
    const modes = relations.replace('w = if c then 10 else 0;', 'if c then w = 10; else w = x; end if;');
    expect(await calls(modes)).toEqual({ log: 'put 10, get', values: [10] });
  });

  it('is done with initial values, not with guesses of them', async () => {
    const body = `discrete Real y; Real x(start = 0.3); equation x^3 + x = 3;
      algorithm when initial() then put(x); y := get(); end when;`;
    const { log, values } = await calls(body);
    expect(log).toBe('put 1.213412, get');
    expect(values[0]).toBeCloseTo(cube, 9);
  });

  it('in initial algorithms, too', async () => {
    const plain = 'parameter Real y(fixed = false); initial algorithm put(3); y := get(); put(4);';
    expect(await calls(plain)).toEqual({ log: 'put 3, get, put 4', values: [3] });
    const solved = `parameter Real p(fixed = false), y(fixed = false); initial equation p^3 + p = 3;
      initial algorithm put(p); y := get();`;
    const { log, values } = await calls(solved);
    expect(log).toBe('put 1.213412, get');
    expect(values[0]).toBeCloseTo(cube, 9);
  });

  it('nor is a parameter given by a function of a guess', async () => {
    const body = 'parameter Real p(fixed = false), y = change(p); initial equation p^3 + p = 3;';
    const { log, values } = await calls(body);
    expect(log).toBe('put 1.213412, get');
    expect(values[0]).toBeCloseTo(cube, 9);
  });

  it('a circle through it is an error', async () => {
    const body = `discrete Real y(start = 0); Real w = if y > 2 then 10 else 4; algorithm ${later('put(w); y := get();')}`;
    const model = loadModel(
      `package P ${library} model M ${body} end M; end P;`,
      'P.M',
      {},
      {
        externals: { put: () => {}, get: () => 0 },
      },
    );
    const { status, diagnostics } = await simulate(model, { stopTime: 1 });
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.message).toMatch(/w, .*put\(w.*y depend on each other at the same instant/);
  });
});
