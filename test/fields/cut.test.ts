/** Which models have a vector part, and that it computes what the scalars compute. */
import { describe, expect, test } from 'vitest';
import { modulesMade } from '../../src/fields/code/wasm.ts';
import { rod } from '../problems/rod.ts';
import { compared } from './notation.ts';

const names = (list: readonly { variable: { name: string } }[]): string[] =>
  list.map(({ variable }) => variable.name);

describe('the vector part', () => {
  test('of a rod: one family and two single equations', async () => {
    const { field, difference, component } = await compared(rod);
    expect(names(field!.states)).toEqual(['T']);
    expect(names(field!.algebraic)).toEqual(['mean']);
    expect(names(field!.inputs).sort()).toEqual(['aT', 'bT']);
    expect(field!.outputs.map(({ element }) => element)).toEqual([0, 4]);
    expect(Object.values(component.outputs)).toEqual([[], []]);
    expect(difference).toBeLessThan(1e-12);
  });

  test('has one code for all sizes', async () => {
    await compared(rod);
    const before = modulesMade();
    for (const n of [4, 8, 100]) {
      const { difference } = await compared(rod, { n });
      expect(difference).toBeLessThan(1e-12);
    }
    expect(modulesMade()).toBe(before);
  });

  test('has one code for linear systems of all dimensions', async () => {
    const lti = `model LTI
      parameter Real A[:,:] = {{-1, 0.5}, {0, -2}};
      parameter Real B[size(A, 1), 1] = fill(1, size(A, 1), 1);
      parameter Real x0[size(A, 1)] = {1, 2};
      Real x[size(A, 1)](start = x0);
      Real u[1] = {time};
      Real y[size(A, 1)] = 2*x .+ 1;
    equation
      der(x) = A*x + B*u;
    end LTI;`;
    const { field, difference } = await compared(lti);
    expect(names(field!.own).sort()).toEqual(['A', 'B', 'x0']);
    expect(difference).toBeLessThan(1e-12);
    const before = modulesMade();
    const larger = await compared(lti, { A: '{{-1, 0, 2}, {0, -2, 1}, {3, 4, -3}}', x0: '{1.1, 2.1, 3.1}' });
    expect(larger.difference).toBeLessThan(1e-12);
    expect(modulesMade()).toBe(before);
  });

  test('of a chain of cells: each connection is solved for one of its variables', async () => {
    const { field, difference } = await compared(`model Chain
      parameter Integer n = 6;
      parameter Real C = 2, G = 3;
      Real T[n](each start = 1), aT[n], aQ[n], bT[n], bQ[n];
      Real srcT, srcQ, endT, endQ;
    equation
      for i in 1:n loop
        C*der(T[i]) = aQ[i] + bQ[i];
        aT[i] = T[i];
        bQ[i] = G*(bT[i] - T[i]);
      end for;
      for i in 1:n-1 loop
        bT[i] = aT[i+1];
        bQ[i] + aQ[i+1] = 0;
      end for;
      aT[1] = srcT; aQ[1] + srcQ = 0;
      bT[n] = endT; bQ[n] + endQ = 0;
      srcQ = -sin(time); endT = 5;
    end Chain;`);
    expect(names(field!.states)).toEqual(['T']);
    expect(names(field!.algebraic)).toEqual(['aT', 'aQ', 'bT', 'bQ']);
    expect(names(field!.inputs).sort()).toEqual(['endT', 'srcQ']);
    expect(difference).toBeLessThan(1e-12);
  });

  test('solves systems that stand between two neighbours', async () => {
    const { field, difference, component } = await compared(`model Chain
      parameter Integer n = 6;
      parameter Real C = 2, G = 3;
      Real T[n](each start = 1), aT[n], aQ[n], bT[n], bQ[n];
      Real srcT, srcQ, endT, endQ;
    equation
      for i in 1:n loop
        C*der(T[i]) = aQ[i] + bQ[i];
        aQ[i] = G*(aT[i] - T[i]);
        bQ[i] = G*(bT[i] - T[i]);
      end for;
      for i in 1:n-1 loop
        bT[i] = aT[i+1];
        bQ[i] + aQ[i+1] = 0;
      end for;
      aT[1] = srcT; aQ[1] + srcQ = 0;
      bT[n] = endT; bQ[n] + endQ = 0;
      srcT = 3 + sin(time); endQ = -1;
    end Chain;`);
    expect(names(field!.algebraic)).toEqual(['aT', 'aQ', 'bT', 'bQ']);
    // Each end depends on its own input only.
    expect(Object.values(component.outputs)).toEqual([['srcT'], ['endQ']]);
    expect(difference).toBeLessThan(1e-11);
  });

  test('of signals that go up and down through arrays', async () => {
    const up = await compared(`model Up
      parameter Integer n = 7;
      Real u[n], y[n], x[n];
    equation
      u[1] = time;
      for i in 2:n loop u[i] = y[i-1]; end for;
      for i in 1:n loop
        y[i] = 0.9*u[i] + 0.1*x[i];
        der(x[i]) = y[i] - x[i];
      end for;
    end Up;`);
    expect(names(up.field!.algebraic)).toEqual(['u', 'y']);
    expect(up.difference).toBeLessThan(1e-12);
    const down = await compared(`model Down
      parameter Integer n = 7;
      parameter Real k[n] = {1/i for i in 1:n};
      Real x[n](start = {i*0.1 for i in 1:n}), s[n], m, p;
    equation
      s[n] = x[n];
      for i in 1:n-1 loop s[i] = s[i+1] + k[i]*x[i]; end for;
      der(x) = -s .* k;
      m = max(x); p = product(k[i] + x[i] for i in 1:n);
    end Down;`);
    expect(names(down.field!.algebraic)).toEqual(['s', 'm', 'p']);
    expect(names(down.field!.own)).toEqual(['k']);
    expect(down.difference).toBeLessThan(1e-12);
  });

  test('of arrays that are put together from parts', async () => {
    const { field, difference } = await compared(`model Parts
      parameter Integer n = 6;
      parameter Real k = 2;
      Real T[n](start = linspace(1, 2, n)), q[n];
      Real left = if time > 0.05 then 1 else 2;
    equation
      der(T) = k*(cat(1, {left}, T[1:n-1]) - 2*T + cat(1, T[2:n], {0}));
      q = T.^2 + fill(left, n);
    end Parts;`);
    expect(names(field!.inputs)).toEqual(['left']);
    expect(difference).toBeLessThan(1e-12);
  });

  test('of matrices', async () => {
    const { field, difference } = await compared(`model Mat
      parameter Integer n = 4, m = 5;
      parameter Real A[n,n] = -identity(n) + 0.1*ones(n,n);
      parameter Real S[n,n] = transpose(A)*A;
      parameter Real M[n,m] = {{i + 0.1*j for j in 1:m} for i in 1:n};
      Real x[n](start = ones(n)), X[n,n](start = identity(n)), w[n], T[n,m](each start = 1), e[n];
    equation
      der(x) = A*x + S*w;
      w = 2*(A*x) + vector(x);
      der(X) = A*X + X*transpose(A);
      for i in 2:n-1 loop
        for j in 2:m-1 loop
          der(T[i,j]) = T[i-1,j] + T[i+1,j] + T[i,j-1] + T[i,j+1] - 4*T[i,j] + M[i,j];
        end for;
        der(T[i,1]) = i; der(T[i,m]) = -i*sin(T[i,1]);
      end for;
      der(T[1,:]) = fill(time, m);
      der(T[n,:]) = -T[n,:];
      for i in 1:n loop e[i] = sum(T[i,:].*M[i,:]); end for;
    end Mat;`);
    expect(names(field!.states)).toEqual(['x', 'X', 'T']);
    expect(names(field!.own).sort()).toEqual(['A', 'M', 'S']);
    expect(difference).toBeLessThan(1e-12);
  });
});

describe('factors that are divided by', () => {
  const conductors = (declaration: string, equation: string): string => `model M
    parameter Integer n = 6;
    Real T[n](start = {i for i in 1:n}, each fixed = true), Tm[n], Q[n];
    ${declaration}
  equation
    for i in 1:n loop Q[i] = G[i]*(Tm[i] - T[i]); Q[i] + 2*(Tm[i] - time) = 0; der(T[i]) = Q[i]; ${equation} end for;
  end M;`;

  test.each([
    ['bounds say so', 'Real G[n](each min = 0);', 'G[i] = 3 - 0.1*T[i];'],
    [
      'their equations say so',
      'Real G[n], k[n];',
      'k[i] = if T[i] > 2 then 3 else 1 + T[i]^2; G[i] = 2*k[i];',
    ],
    ['both say so', 'Real G[n], k[n](each max = 0);', 'k[i] = -1 - 0.1*T[i]; G[i] = 1 - k[i];'],
  ])('have a sign where %s', async (_, declaration, equation) => {
    const { leftOut, field, difference } = await compared(conductors(declaration, equation));
    expect(leftOut).toEqual([]);
    expect(field!.assumes).toBe(true);
    expect(difference).toBeLessThan(1e-12);
  });
});

describe('left to the scalar part', () => {
  const cases: Record<string, [string, string]> = {
    'integers of elements that cause events': ['der(x) = {floor(x[i]) for i in 1:n};', 'causes events'],
    'user functions that give large arrays': ['der(x) = f(x);', 'gives a large array'],
    'what cannot be solved by formula': ['for i in 1:n loop x[i] + sin(x[i]) = time; end for;', 'solved'],
    'second derivatives': ['der(x) = v; der(v) = -x; y = der(v);', ''],
    'discrete values': ['when sample(0, 1) then x = fill(time, n); end when;', ''],
    'subscripts that change while it runs': [
      'for i in 1:n loop der(x[i]) = x[if time > 1 then 1 else 2]; end for;',
      'not known',
    ],
  };
  for (const [what, [equations, reason]] of Object.entries(cases)) {
    test(what, async () => {
      const more = equations.includes('der(v)') ? 'Real v[n], y[n];' : '';
      const { field, leftOut } = await compared(`model M
        function f input Real a[:]; output Real b[size(a, 1)]; algorithm b := a; while b[1] > 1 loop b := b/2; end while; end f;
        parameter Integer n = ${equations.includes('f(x)') ? 17 : 4};
        Real x[n]; ${more}
      equation
        ${equations}
      end M;`);
      if (equations.includes('der(v)')) expect(names(field!.states)).toEqual(['x', 'v']);
      else expect(field).toBeUndefined();
      if (reason !== '') expect(leftOut.join()).toContain(reason);
    });
  }

  test('states that initial equations determine together', async () => {
    const { field } = await compared(`model M
      Real x[4];
    initial equation
      2*x = {1, 2, 3, 4} + x;
    equation
      der(x) = -x;
    end M;`);
    expect(field).toBeUndefined();
  });

  test('arrays whose elements all have equations of their own', async () => {
    const n = 250;
    const single = Array.from({ length: n }, (_, i) => `der(x[${i + 1}]) = -${i + 1}*x[${i + 1}];`);
    const { field, leftOut } = await compared(`model M Real x[${n}]; equation ${single.join(' ')} end M;`);
    expect(field).toBeUndefined();
    expect(leftOut.join()).toContain('too many equations of their own');
  });

  test('what falls out takes along what it speaks of as a whole', async () => {
    const { field } = await compared(`model M
      parameter Integer n = 4;
      Real x[n], y[n], z[n];
    equation
      der(x) = -y;
      for i in 1:n loop y[i] + sin(y[i]) = x[i]; end for;
      der(z) = -z;
    end M;`);
    expect(names(field!.states)).toEqual(['z']);
  });
});
