import { describe, expect, it } from 'vitest';
import { Failure } from '../src/diagnostic/failure.ts';
import { Class, connect, instantiate, Library, Model, simulate, TextFiles } from '../src/index.ts';
import { loadModel, loadText } from '../src/load.ts';

const text = `
  package P
    model A parameter Real k = 1; Real x; equation x = k; end A;
    model B parameter Real k = 1; Real x; equation x = 2*k; end B;
    partial model C end C;
  end P;
  function f input Real u; output Real y; algorithm y := u; end f;`;

const failure = (action: () => unknown): Failure => {
  try {
    action();
  } catch (problem) {
    if (problem instanceof Failure) return problem;
    throw problem;
  }
  throw new Error('no failure');
};

describe('loadModel', () => {
  it('does not blame a model for what is wrong with another one of its library', () => {
    const library = loadText(`package P
      function f output Real y; algorithm y := time; end f;
      model Wrong Real x = f(); end Wrong;
      model Right Real x = 1; end Right;
    end P;`);
    const wrong = () => failure(() => loadModel(library, 'P.Wrong')).message;
    expect(wrong()).toContain('A function cannot use `time`');
    expect(loadModel(library, 'P.Right').name).toBe('P.Right');
    expect(wrong()).toContain('A function cannot use `time`');
  });

  it('takes the last model of the text, or the named one', () => {
    expect(loadModel(text).name).toBe('P.B');
    expect(loadModel(text, 'P.A').name).toBe('P.A');
    expect(loadModel(loadText(text)).name).toBe('P.B');
  });

  it('sets values', () => {
    for (const value of ['1 + 2', 3]) {
      const model = loadModel(text, 'P.A', { k: value });
      expect(model.variables.find(({ name }) => name === 'k')!.binding).toMatchObject({
        kind: 'const',
        value: 3,
      });
    }
  });

  it('sets expressions of the parameters of the model', () => {
    const model = 'model M parameter Real a = 1, b = 2; parameter Real n[2] = {a, b}; end M;';
    const { variables } = loadModel(model, undefined, { a: '3*b', b: 5 });
    expect(variables.map(({ binding }) => binding!.kind)).toEqual(['apply', 'const', 'apply']);
    expect(() => loadModel(model, undefined, { a: 'b', b: 'a' })).toThrow('defined in terms of itself');
  });

  it('points into a value that is wrong', () => {
    const { diagnostics } = failure(() => loadModel(text, 'P.A', { k: '2*(1 + abc)' }));
    const { code, span } = diagnostics[0]!;
    expect(code).toBe('unknown-name');
    expect(span!.source.name).toBe('k');
    expect(span!.source.text.slice(span!.start, span!.end)).toBe('abc');
  });

  it.each([
    ['syntax', () => loadModel('model M Real end M;'), 'syntax-error'],
    ['flatten', () => loadModel('function f end f;'), 'no-model'],
    ['flatten', () => loadModel('model M end M;', 'N'), 'unknown-class'],
    ['flatten', () => loadModel('model M Real x = y; end M;'), 'unknown-name'],
    ['syntax', () => loadModel(text, 'P.A', { k: '1 +' }), 'syntax-error'],
    ['flatten', () => loadModel(text, 'P.A', { q: 1 }), 'unknown-modifier'],
  ])('fails in stage %s', (stage, action, code) => {
    const { stage: where, diagnostics } = failure(action);
    expect(where).toBe(stage);
    expect(diagnostics[0]!.code).toBe(code);
  });
});

describe("Mutabor's own library", () => {
  const rc = `
    model RC
      import Mutabor.Electrical.*;
      Resistor r(R = 2);
      Capacitor c(C = 0.5, v(start = 3, fixed = true));
      Ground ground;
    equation
      connect(r.p, c.p);
      connect(r.n, c.n);
      connect(c.n, ground.p);
    end RC;`;

  it('is found by programs without any setting', async () => {
    const { table } = await simulate(loadModel(rc), { stopTime: 1, tolerance: 1e-9 });
    expect(table.value('c.v', 1)).toBeCloseTo(3 * Math.exp(-1), 8);
    expect(loadModel(new Library(), 'Mutabor.Electrical.Resistor').name).toBe('Mutabor.Electrical.Resistor');
  });

  it('is found after the libraries of the program: its own `Mutabor` is preferred', () => {
    const files = new TextFiles({
      'Mutabor/package.mo': 'package Mutabor model Mine Real x = 1; end Mine; end Mutabor;',
    });
    const library = new Library({ files, roots: [''] });
    expect(loadModel(library, 'Mutabor.Mine').name).toBe('Mutabor.Mine');
    expect(failure(() => loadModel(library, 'Mutabor.Electrical.Resistor')).diagnostics[0]!.code).toBe(
      'unknown-class',
    );
  });

  it('serves models written in TypeScript', async () => {
    const M = Model('M', {
      c: Class('Mutabor.Electrical.Capacitor'),
      g: Class('Mutabor.Electrical.Ground'),
      equations: connect('c.n', 'g.p'),
    });
    expect(
      instantiate(M)
        .parameters()
        .map(({ name }) => name),
    ).toContain('c.C');
  });

  it('has places that say where its text is', () => {
    const broken = failure(() => loadModel('model M Mutabor.Electrical.Resistor r(Rx = 1); end M;'));
    expect(broken.diagnostics[0]!.message).toContain('Rx');
  });
});

describe('hints', () => {
  it('of programs name no options of the command line', async () => {
    const hints = [
      ...failure(() => loadModel('model M Modelica.Blocks.Sources.Sine s; end M;')).diagnostics,
      ...(await simulate(loadModel('model M parameter Real k; input Real u; Real x = k*u; end M;')))
        .diagnostics,
      ...(
        await simulate(
          loadModel(
            'model M Real x(start = 1, fixed = true); equation der(x) = if x > 0 then -1 else 1; end M;',
          ),
          { stopTime: 2 },
        )
      ).diagnostics,
    ].map(({ hint }) => hint);
    expect(hints).toHaveLength(4);
    for (const hint of hints) {
      expect(hint).toMatch(/\w/);
      expect(hint).not.toContain('--');
    }
  });
});
