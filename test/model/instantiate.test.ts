/** Instantiation: members, inheritance, arrays, conditions, prefixes, and every way in which it can fail. */
import { describe, expect, it } from 'vitest';
import { instantiate } from '../../src/model/index.ts';
import { at, load, problems, show, tree } from './notation.ts';

describe('members', () => {
  it('inherited ones come first, in the order of declaration', () => {
    const root = tree(`
      model A Real a; Real b; end A;
      model B Real c; extends A; Real d; end B;`);
    expect([...root.members.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keep the order of declaration when a size needs a later one', () => {
    const root = tree('model M Real x[n]; Real y; parameter Integer n = 2; end M;');
    expect(show(root)).toEqual(['x[2]', 'y', 'n = 2']);
    expect(at(root, 'n')).toMatchObject({ structural: true, variability: 'parameter' });
  });

  it('carry types, attributes and descriptions', () => {
    const root = tree(`
      package P
        type Voltage = Real(unit = "V", final quantity = "ElectricPotential");
        connector Pin Voltage v; flow Real i; end Pin;
      end P;
      model M "a model"
        P.Pin p "positive pin";
      protected
        parameter P.Voltage u(start = 1) = 2;
      end M;`);
    expect(root).toMatchObject({ path: '', description: 'a model', kind: 'object' });
    expect(at(root, 'p')).toMatchObject({
      kind: 'object',
      restriction: 'connector',
      description: 'positive pin',
    });
    expect(at(root, 'p.i')).toMatchObject({ path: 'p.i', name: 'i', connection: 'flow', type: 'Real' });
    expect(at(root, 'u')).toMatchObject({ protected: true, variability: 'parameter' });
    expect(show(root)).toEqual([
      'p.v (unit = "V", quantity = "ElectricPotential")',
      'p.i',
      'u (unit = "V", quantity = "ElectricPotential", start = 1) = 2',
    ]);
  });
});

describe('recursion and limits', () => {
  it('a class that contains itself', () => {
    expect(problems('model M\n M m;\nend M;')).toEqual([
      expect.stringMatching(/^2:4 cyclic-definition The class `M` contains itself\./),
    ]);
  });
  it('makes ten thousand components in well under a second', () => {
    const library = load(`
      connector Pin Real v; flow Real i; end Pin;
      model R Pin p, n; parameter Real R = 1; Real v; equation v = p.v - n.v; end R;
      model M R r[10000](each R = 2); end M;`);
    const start = process.cpuUsage();
    const { root, diagnostics } = instantiate(library, 'M');
    expect(diagnostics).toEqual([]);
    expect(at(root!, 'r[10000].n.i')).toMatchObject({ connection: 'flow' });
    const { user } = process.cpuUsage(start);
    expect(user / 1e6).toBeLessThan(1.5);
  });
});
