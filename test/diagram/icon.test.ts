/** Icons: graphics, inheritance, connectors. Expected places are those of Modelica 3.6, section 18.6, worked out by hand. */
import { describe, expect, test } from 'vitest';
import { icon, iconClass, leaves, outline, paths, texts, words } from './notation.ts';

describe('graphic items', () => {
  test('have what the specification gives where nothing is written', () => {
    const [line, polygon, box, round] = paths(
      icon(
        iconClass(
          'Line(points = {{0, 0}, {10, 20}}), Polygon(points = {{0, 0}, {10, 0}, {0, 10}}), Rectangle(extent = {{0, 0}, {10, 20}}), Ellipse(extent = {{-10, -10}, {10, 10}})',
        ),
      ),
    );
    expect(outline(line!)).toBe('M0,0 L10,20');
    expect(line!.stroke!.color).toBe('#000000');
    expect(outline(polygon!)).toBe('M0,0 L10,0 L0,10 Z');
    expect(polygon!.fill).toBeUndefined();
    expect(outline(box!)).toBe('M0,0 L10,0 L10,20 L0,20 Z');
    // Four bends, through the ends of the axes.
    expect(outline(round!).replace(/C\S+ \S+ /g, 'C')).toBe('M10,0 C0,10 C-10,0 C0,-10 C10,0 Z');
  });

  test('are moved and turned around their origins', () => {
    const [line] = paths(
      icon(iconClass('Line(points = {{10, 0}, {20, 0}}, origin = {100, 50}, rotation = 90)')),
    );
    expect(outline(line!)).toBe('M100,60 L100,70');
  });

  test('smooth lines go from the middle of one piece to that of the next', () => {
    const [line, polygon] = paths(
      icon(
        iconClass(
          'Line(points = {{0, 0}, {10, 0}, {10, 10}, {20, 10}}, smooth = Smooth.Bezier), Polygon(points = {{0, 0}, {10, 0}, {10, 10}}, smooth = Smooth.Bezier)',
        ),
      ),
    );
    expect(outline(line!)).toBe('M0,0 L5,0 Q10,0 10,5 Q10,10 15,10 L20,10');
    expect(outline(polygon!)).toBe('M5,5 Q0,0 5,0 Q10,0 10,5 Q10,10 5,5 Z');
  });

  test('arrows are as wide as they say, and half as long again', () => {
    const [line, head] = paths(
      icon(
        iconClass(
          'Line(points = {{0, 0}, {100, 0}}, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 2)',
          '',
          'coordinateSystem(initialScale = 0.5), ',
        ),
      ),
    );
    // A millimetre is one unit here.
    expect(outline(head!)).toBe('M100,0 L97,1 L97,-1 Z');
    expect(outline(line!)).toBe('M0,0 L97,0');
    const open = paths(
      icon(
        iconClass(
          'Line(points = {{0, 0}, {100, 0}}, arrow = {Arrow.Open, Arrow.Half}, arrowSize = 2)',
          '',
          'coordinateSystem(initialScale = 0.5), ',
        ),
      ),
    );
    expect(open.map(outline)).toEqual(['M0,0 L100,0', 'M3,-1 L0,0 L3,1', 'M97,1 L100,0']);
  });

  test('parts of ellipses are closed as they say', () => {
    const arc = (more: string): string[] =>
      paths(
        icon(
          iconClass(
            `Ellipse(extent = {{-10, -10}, {10, 10}}, fillPattern = FillPattern.Solid, startAngle = 0, endAngle = 90${more})`,
          ),
        ),
      ).map((path) => `${path.pieces.map(([letter]) => letter).join('')} ${path.fill ? 'filled' : 'open'}`);
    expect(arc('')).toEqual(['MCLZ filled']);
    expect(arc(', closure = EllipseClosure.Chord')).toEqual(['MCZ filled']);
    expect(arc(', closure = EllipseClosure.None')).toEqual(['MC open']);
  });

  test('fills are colours, hatchings and gradients between the colours of line and area', () => {
    const fill = (pattern: string) =>
      paths(
        icon(
          iconClass(
            `Rectangle(extent = {{-50, -20}, {50, 20}}, lineColor = {255, 0, 0}, fillColor = {0, 128, 255}, fillPattern = FillPattern.${pattern})`,
          ),
        ),
      )[0]!.fill;
    expect(fill('None')).toBeUndefined();
    expect(fill('Solid')).toEqual({ kind: 'plain', color: '#0080ff' });
    expect(fill('Cross')).toMatchObject({
      kind: 'hatched',
      color: '#0080ff',
      lines: '#ff0000',
      angles: [0, 90],
    });
    expect(fill('Forward')).toMatchObject({ angles: [45] });
    expect(fill('Backward')).toMatchObject({ angles: [135] });
    const ends = { edge: '#ff0000', center: '#0080ff' };
    expect(fill('HorizontalCylinder')).toEqual({ kind: 'cylinder', ...ends, from: [0, -20], to: [0, 20] });
    expect(fill('VerticalCylinder')).toEqual({ kind: 'cylinder', ...ends, from: [-50, 0], to: [50, 0] });
    expect(fill('Sphere')).toEqual({ kind: 'sphere', ...ends, matrix: [50, 0, 0, 20, 0, 0] });
  });

  test('what is not visible, or has no sense, is not drawn', () => {
    const drawn = icon(
      iconClass(
        'Line(points = {{0, 0}, {1, 1}}, visible = false), Line(points = {{0, 0}}), Line(points = 3), Rectangle(extent = {{0, 0}}), Polygon(points = fill(0, 0, 2)), Unknown(a = 1), Text(textString = ""), Line(points = {{0, 0}, {1, 1}}, pattern = LinePattern.None)',
      ),
    );
    // A rectangle without an extent is a point.
    expect(leaves(drawn.shapes)).toHaveLength(1);
  });

  test('colours are clipped, and fonts follow the extent', () => {
    const [text] = words(
      icon(
        iconClass(
          'Text(extent = {{-100, -20}, {100, 20}}, textString = "abc", textColor = {300, -5, 0}, textStyle = {TextStyle.Bold, TextStyle.Italic})',
        ),
      ),
    );
    expect(text).toMatchObject({ color: '#ff0000', bold: true, italic: true, anchor: 'middle', angle: 0 });
    expect(text!.size * 1.15).toBeCloseTo(40);
    const [narrow] = words(icon(iconClass('Text(extent = {{-10, -20}, {10, 20}}, textString = "abc")')));
    // a, b and c of Arial are 1.612 of the size of the font wide.
    expect(narrow!.size * 1.612).toBeCloseTo(20);
  });
});

describe('values of attributes', () => {
  test('may depend on parameters', () => {
    const text = (b: string): string =>
      iconClass(
        'Rectangle(extent = {{-n*10, 0}, {10, if b then 5 else 20}}, fillColor = if b then {255, 0, 0} else color, fillPattern = if b then FillPattern.Solid else FillPattern.Sphere)',
        `parameter Boolean b = ${b}; parameter Integer n = 3; parameter Integer color[3] = {0, 255, 0};`,
      );
    expect(paths(icon(text('true')))[0]).toMatchObject({ fill: { kind: 'plain', color: '#ff0000' } });
    expect(outline(paths(icon(text('true')))[0]!)).toBe('M-30,0 L10,0 L10,5 L-30,5 Z');
    expect(paths(icon(text('false')))[0]).toMatchObject({ fill: { kind: 'sphere', center: '#00ff00' } });
  });

  test('a dynamic one counts where values of a run are given', () => {
    const text = iconClass(
      'Rectangle(extent = DynamicSelect({{0, 0}, {20, 20}}, {{0, 0}, {20, level[2]}}), fillPattern = FillPattern.Solid, fillColor = DynamicSelect({0, 0, 255}, if overflow then {255, 0, 0} else {0, 0, 255})), Text(extent = {{0, 0}, {10, 10}}, textString = DynamicSelect("0.0", String(level[1], significantDigits = 3)))',
      'Real level[2]; Boolean overflow;',
    );
    const still = icon(text);
    expect(outline(paths(still)[0]!)).toBe('M0,0 L20,0 L20,20 L0,20 Z');
    expect(texts(still)).toEqual(['0.0']);
    const values: Record<string, number> = { 'level[1]': 1.23456, 'level[2]': 7, overflow: 1 };
    const moving = icon(text, 'A', { values: (name) => values[name] });
    expect(outline(paths(moving)[0]!)).toBe('M0,0 L20,0 L20,7 L0,7 Z');
    expect(paths(moving)[0]!.fill).toEqual({ kind: 'plain', color: '#ff0000' });
    expect(texts(moving)).toEqual(['1.23']);
    // What the run does not have keeps its static value.
    expect(texts(icon(text, 'A', { values: () => undefined }))).toEqual(['0.0']);
  });
});

describe('inheritance', () => {
  const base =
    'model B annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}})})); end B; ';

  test('base classes are behind, in the order of extends clauses', () => {
    const text = `model C annotation(Icon(graphics = {Line(points = {{0, 0}, {1, 1}})})); end C; ${base} model A extends B; extends C; annotation(Icon(graphics = {Line(points = {{0, 0}, {2, 2}})})); end A;`;
    expect(paths(icon(text)).map(outline)).toEqual([
      'M-100,-100 L100,-100 L100,100 L-100,100 Z',
      'M0,0 L1,1',
      'M0,0 L2,2',
    ]);
  });

  test('are mapped, mirrored or hidden as extends clauses say', () => {
    const text = (map: string): string =>
      `${base} model A extends B annotation(IconMap(${map})); annotation(Icon(graphics = {Line(points = {{0, 0}, {2, 2}})})); end A;`;
    const outlines = (map: string): string[] => paths(icon(text(map))).map(outline);
    expect(outlines('extent = {{0, 0}, {50, 50}}')[0]).toBe('M0,0 L50,0 L50,50 L0,50 Z');
    expect(outlines('extent = {{50, 0}, {0, 50}}')[0]).toBe('M50,0 L0,0 L0,50 L50,50 Z');
    // The aspect ratio is preserved: in the middle of a region that is too wide.
    expect(outlines('extent = {{0, 0}, {100, 50}}')[0]).toBe('M25,0 L75,0 L75,50 L25,50 Z');
    expect(outlines('primitivesVisible = false')).toEqual(['M0,0 L2,2']);
  });

  test('the coordinate system is that of the class, then of its first base', () => {
    const text =
      'model B annotation(Icon(coordinateSystem(extent = {{-10, -10}, {10, 10}}, initialScale = 0.5), graphics = {Line(points = {{0, 0}, {1, 1}})})); end B; model A extends B; end A;';
    const { extent } = icon(text, 'A', { size: 200 });
    expect(extent[1][0]).toBeGreaterThan(10);
    expect(extent[1][0]).toBeLessThan(11);
  });

  test('short classes inherit, and may have an icon of their own', () => {
    const text = `${base} connector I = input Real annotation(Icon(graphics = {Line(points = {{0, 0}, {3, 3}})})); model A = B annotation(Icon(graphics = {Line(points = {{0, 0}, {2, 2}})}));`;
    expect(paths(icon(text)).map(outline)).toEqual([
      'M-100,-100 L100,-100 L100,100 L-100,100 Z',
      'M0,0 L2,2',
    ]);
    expect(paths(icon(text, 'I')).map(outline)).toEqual(['M0,0 L3,3']);
  });

  test('classes that inherit from themselves are drawn once', () => {
    const text =
      'model B extends A; annotation(Icon(graphics = {Line(points = {{0, 0}, {1, 1}})})); end B; model A extends B; annotation(Icon(graphics = {Line(points = {{0, 0}, {2, 2}})})); end A;';
    expect(paths(icon(text)).map(outline)).toEqual(['M0,0 L1,1', 'M0,0 L2,2']);
  });
});

describe('connectors', () => {
  const pin =
    'connector Pin Real v; flow Real i; annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}})})); end Pin; ';
  const box = 'annotation(Icon(graphics = {Line(points = {{0, 0}, {1, 1}})}))';

  test('stand in the icon where they are placed, conditional ones if they are there', () => {
    const text = `${pin} model A parameter Boolean heat = false; parameter Boolean more = true;
      Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
      Pin n annotation(Placement(transformation(extent = {{0, 0}, {1, 1}}), iconTransformation(extent = {{-10, -10}, {10, 10}}, origin = {100, 0}, rotation = 90)));
      Pin q if more annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
      Pin r if heat annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
      Pin s annotation(Placement(visible = false, transformation(extent = {{0, 0}, {1, 1}})));
      protected Pin t annotation(Placement(transformation(extent = {{0, 0}, {1, 1}}))); ${box}; end A;`;
    const groups = icon(text).shapes.filter((shape) => shape.kind === 'group');
    expect(groups.map((group) => group.kind === 'group' && group.key)).toEqual(['p', 'n', 'q']);
    expect(outline(paths({ shapes: [groups[1]!] })[0]!)).toBe('M110,-10 L110,10 L90,10 L90,-10 Z');
  });

  test('that nobody placed stand at the edges, inputs on the left', () => {
    const text = `connector In = input Real; connector Out = output Real; ${pin} model A Out y; In u; In v; Pin n, p; ${box}; end A;`;
    const groups = icon(text).shapes.filter((shape) => shape.kind === 'group');
    const middles = groups.map((group) => {
      const points = paths({ shapes: [group] })[0]!.pieces.flatMap(([, ...own]) => own) as [number, number][];
      const xs = points.map(([x]) => x);
      return [group.kind === 'group' ? group.key : '', (Math.min(...xs) + Math.max(...xs)) / 2];
    });
    expect(middles).toEqual([
      ['u', -110],
      ['v', -110],
      ['p', -100],
      ['y', 110],
      ['n', 100],
    ]);
  });

  test('a class without graphics is an outline with its name', () => {
    expect(texts(icon('model Motor end Motor;'))).toEqual(['Motor']);
    expect(texts(icon('connector C Real x; flow Real y; end C;'))).toEqual([]);
    expect(
      icon('model A annotation(Icon(graphics = {Line(points = {{0, 0}, {1, 1}}, visible = false)})); end A;')
        .shapes,
    ).toEqual([]);
  });
});
