/** Diagrams: where components, connectors and lines are. Places are worked out by hand. */
import { describe, expect, test } from 'vitest';
import { diagramIn, viewAt } from '../../src/diagram/diagram.ts';
import { classIn, component, corners, diagram, leaves, place, texts, words } from './notation.ts';

const library = `
package L
  connector Pin Real v; flow Real i;
    annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 255})}),
      Diagram(graphics = {Rectangle(extent = {{-50, -50}, {50, 50}}), Text(extent = {{-100, 60}, {100, 100}}, textString = "%name")}));
  end Pin;
  model Part Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Pin n annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    annotation(Icon(graphics = {Rectangle(extent = {{-80, -40}, {80, 40}}), Text(extent = {{-100, 50}, {100, 90}}, textString = "%name")}));
  end Part;
end L;
`;
const placed = (extent: string, more = ''): string =>
  `annotation(Placement(transformation(extent = ${extent}${more})))`;
const model = (body: string, annotation = ''): string => `${library} model M ${body} ${annotation} end M;`;

describe('components', () => {
  test('stand where their placements say, mirrored and turned, with their connectors', () => {
    const drawn = diagram(
      model(`L.Part a ${placed('{{-10, -10}, {10, 10}}', ', origin = {50, 20}')};
        L.Part b ${placed('{{10, -10}, {-10, 10}}', ', origin = {50, 20}')};
        L.Part c ${placed('{{-10, -20}, {10, 20}}', ', origin = {50, 20}, rotation = 90')};
        L.Part d ${placed('{{0, 0}, {20, 20}}')};`),
    );
    const ends = (name: string) =>
      component(drawn, name).connectors.map(({ path, position }) => [path, ...place(position)]);
    expect(ends('a')).toEqual([
      ['a.p', 40, 20],
      ['a.n', 60, 20],
    ]);
    expect(ends('b')).toEqual([
      ['b.p', 60, 20],
      ['b.n', 40, 20],
    ]);
    expect(ends('c')).toEqual([
      ['c.p', 50, 10],
      ['c.n', 50, 30],
    ]);
    expect(ends('d')).toEqual([
      ['d.p', 0, 10],
      ['d.n', 20, 10],
    ]);
    expect(corners(component(drawn, 'c').bounds)).toEqual([30, 10, 70, 30]);
    expect(component(drawn, 'a')).toMatchObject({
      class: 'L.Part',
      automatic: false,
      inherited: undefined,
      isConnector: false,
    });
  });

  test('texts are upright and readable however a component is turned', () => {
    const angle = (rotation: number, extent = '{{-10, -10}, {10, 10}}'): number =>
      words(diagram(model(`L.Part a ${placed(extent, `, rotation = ${rotation}`)};`)))[0]!.angle;
    expect([0, 90, 180, 270, -90, 45, 135].map((turn) => angle(turn))).toEqual([0, 90, 0, 90, 90, 45, -45]);
    expect(angle(0, '{{10, -10}, {-10, 10}}')).toBe(0);
    expect(angle(0, '{{-10, 10}, {10, -10}}')).toBe(0);
  });

  test('connectors of the class show their diagram layers, with their names', () => {
    const drawn = diagram(model(`L.Pin q ${placed('{{-110, -10}, {-90, 10}}')};`));
    expect(texts(drawn)).toEqual(['q']);
    expect(component(drawn, 'q')).toMatchObject({ isConnector: true });
    expect(component(drawn, 'q').connectors.map(({ path }) => path)).toEqual(['q']);
  });

  test('variables, parameters and hidden helpers are not shown, conditional ones faintly', () => {
    const drawn = diagram(
      model(`parameter Real k = 1; Real x; parameter Boolean on = false;
        L.Part a if on ${placed('{{0, 0}, {20, 20}}')};
        protected L.Part helper;`),
    );
    expect(drawn.components.map(({ name }) => name)).toEqual(['a']);
    expect(component(drawn, 'a').absent).toBe(true);
    const group = drawn.shapes.find((shape) => shape.kind === 'group' && shape.key === 'a');
    expect(group).toMatchObject({ faint: true });
  });

  test('inherited ones are mapped with their class, and say where they come from', () => {
    const text = `${library} model B L.Part a ${placed('{{-10, -10}, {10, 10}}', ', origin = {50, 0}')}; end B;
      model M extends B annotation(DiagramMap(extent = {{0, 0}, {100, 100}})); end M;`;
    const own = component(diagram(text), 'a');
    expect(corners(own.bounds)).toEqual([70, 45, 80, 55]);
    expect(own).toMatchObject({ inherited: 'B', declaration: undefined });
  });

  test('arrays of components are drawn once, and classes that are not found as such', () => {
    const drawn = diagram(
      model(
        `parameter Integer n = 3; L.Part a[n] ${placed('{{0, 0}, {20, 20}}')}; L.Nothing b ${placed('{{30, 0}, {50, 20}}')};`,
      ),
    );
    expect(component(drawn, 'a').dims).toEqual([3]);
    expect(texts(drawn)).toEqual(['a', 'b?']);
    expect(component(drawn, 'b').class).toBe('L.Nothing');
  });

  test('values of a run reach the icons of components, by their paths', () => {
    const text = `${library} model Tank Real level; annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, DynamicSelect(0, level)}})})); end Tank;
      model Inner Tank tank ${placed('{{-100, -100}, {100, 100}}')}; end Inner; model M Inner part ${placed('{{-10, -10}, {10, 10}}')}; end M;`;
    const top = (drawn: ReturnType<typeof diagram>): number =>
      Math.max(
        ...leaves(drawn.shapes).flatMap((shape) =>
          shape.kind === 'path' ? shape.pieces.flatMap(([, ...points]) => points.map(([, y]) => y)) : [],
        ),
      );
    const values = (name: string): number | undefined => (name === 'part.tank.level' ? 40 : undefined);
    expect(top(diagramIn(viewAt(classIn(text), ['part'], values)!))).toBe(40);
    expect(top(diagramIn(viewAt(classIn(text), ['part'])!))).toBe(0);
    expect(viewAt(classIn(text), ['part', 'nothing'])).toBeUndefined();
  });
});

describe('connections', () => {
  const two = `L.Part a ${placed('{{-50, -10}, {-30, 10}}')}; L.Part b ${placed('{{30, 30}, {50, 50}}')};`;

  test('are drawn as they are written, and those without a line are routed', () => {
    const drawn = diagram(
      model(
        `${two} equation connect(a.n, b.p) annotation(Line(points = {{-30, 0}, {0, 0}, {0, 40}, {30, 40}}, color = {0, 0, 255}, thickness = 0.5)); connect(b.n, a.p);`,
      ),
    );
    expect(drawn.connections.map(({ from, to, automatic, color }) => [from, to, automatic, color])).toEqual([
      ['a.n', 'b.p', false, '#0000ff'],
      ['b.n', 'a.p', true, '#0000ff'],
    ]);
    expect(drawn.connections[0]!.points).toEqual([
      [-30, 0],
      [0, 0],
      [0, 40],
      [30, 40],
    ]);
    const { points } = drawn.connections[1]!;
    expect([points[0], points.at(-1)]).toEqual([
      [50, 40],
      [-50, 0],
    ]);
    for (let k = 1; k < points.length; k++)
      expect(points[k]![0] === points[k - 1]![0] || points[k]![1] === points[k - 1]![1]).toBe(true);
  });

  test('in loops and branches are drawn once, and may have texts', () => {
    const drawn = diagram(
      model(
        `${two} equation if true then for i in 1:2 loop connect(a.n, b.p) annotation(Line(points = {{-30, 0}, {30, 40}}), Text(string = "%first to %second", index = 1, extent = {{3, 1}, {3, 5}})); end for; end if;`,
      ),
    );
    expect(drawn.connections).toHaveLength(1);
    const text = words(drawn).find((one) => one.text === 'n to p')!;
    expect(text.anchor).toBe('start');
    expect(text.at[0]).toBeCloseTo(-27);
  });

  test('know where they are written', () => {
    const text = model(`${two} equation connect(a.n, b.p);`);
    const { equation } = diagram(text).connections[0]!;
    expect(text.slice(equation!.from, equation!.to)).toBe('connect(a.n, b.p)');
    const { declaration } = component(diagram(text), 'b');
    expect(text.slice(declaration!.from, declaration!.to)).toBe('b');
  });

  test('with what is not there end at its component, or are left out', () => {
    const drawn = diagram(
      model(`${two} equation connect(a.nothing, b.p); connect(c.x, b.p); connect(a.n, a.n);`),
    );
    expect(drawn.connections.map(({ from }) => from)).toEqual(['a.nothing', 'a.n']);
  });
});

describe('components without places', () => {
  test('stand in the order of their connections, and apart from each other', () => {
    const drawn = diagram(model('L.Part c, b, a; equation connect(a.n, b.p); connect(b.n, c.p);'));
    const xs = ['a', 'b', 'c'].map((name) => component(drawn, name).placing.origin[0]);
    expect(xs[0]! < xs[1]! && xs[1]! < xs[2]!).toBe(true);
    expect(new Set(['a', 'b', 'c'].map((name) => component(drawn, name).placing.origin[1])).size).toBe(1);
  });

  test('stand near their neighbours where others are placed, and cover nothing', () => {
    const drawn = diagram(
      model(`L.Part a ${placed('{{-10, -10}, {10, 10}}', ', origin = {200, 200}')}; L.Part b; L.Part c ${placed('{{-10, -10}, {10, 10}}', ', origin = {240, 200}')}; L.Part lonely;
        equation connect(a.n, b.p);`),
    );
    const [b, lonely] = [component(drawn, 'b'), component(drawn, 'lonely')];
    expect(b.automatic).toBe(true);
    expect(Math.hypot(b.placing.origin[0] - 200, b.placing.origin[1] - 200)).toBeLessThan(80);
    const boxes = drawn.components.map(({ bounds }) => bounds);
    for (const [k, one] of boxes.entries())
      for (const other of boxes.slice(k + 1))
        expect(
          one[1][0] <= other[0][0] ||
            other[1][0] <= one[0][0] ||
            one[1][1] <= other[0][1] ||
            other[1][1] <= one[0][1],
        ).toBe(true);
    expect(lonely.placing.origin[1]).toBeLessThan(190);
  });

  test('hidden ones that are connected are shown', () => {
    const drawn = diagram(model('L.Part a; protected L.Part b; L.Part c; equation connect(a.n, b.p);'));
    expect(drawn.components.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
