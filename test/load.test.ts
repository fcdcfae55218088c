import { describe, expect, it } from 'vitest';
import { Failure } from '../src/diagnostic/diagnostic.ts';
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
