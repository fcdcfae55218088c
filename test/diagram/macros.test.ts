/** Macros in texts: the examples of Modelica 3.6, section 18.6.5.5. */
import { describe, expect, test } from 'vitest';
import { diagram, icon, iconClass, texts } from './notation.ts';

/** What a text in the icon of a class is where a component `c` of it stands in a diagram. */
function shown(text: string, declarations: string, modifiers = ''): string {
  const classes = iconClass(`Text(extent = {{-100, -20}, {100, 20}}, textString = "${text}")`, declarations);
  const [own] = texts(
    diagram(
      `${classes} model M A c${modifiers} annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}))); end M;`,
    ),
  );
  return own!;
}

describe('macros', () => {
  test('give names and percent signs', () => {
    expect(shown('%name', '')).toBe('c');
    expect(shown('%class', '')).toBe('A');
    expect(shown('100%% of %name', '')).toBe('100% of c');
    expect(shown('%name1', '')).toBe('%name1');
  });

  test('give values of parameters in their display units', () => {
    expect(
      shown('%t', 'parameter Real t(unit = \\"s\\", displayUnit = \\"ms\\") = 0.1;'.replaceAll('\\"', '"')),
    ).toBe('100 ms');
    expect(shown('R=%R', 'parameter Real R(unit = "Ohm");', '(R = 2*5)')).toBe('R=10 Ω');
    expect(shown('%phi', 'parameter Real phi(unit = "rad", displayUnit = "deg") = 3.141592653589793;')).toBe(
      '180°',
    );
    expect(shown('%T', 'parameter Real T(unit = "K", displayUnit = "degC") = 293.15;')).toBe('20 °C');
    expect(shown('%{w}x%{h}', 'parameter Integer w = 3, h = 4;')).toBe('3x4');
    expect(shown('%wxh', 'parameter Integer w = 3, wxh = 5;')).toBe('5');
    expect(shown('%b', 'parameter Boolean b = not false;')).toBe('true');
    expect(shown('%s', 'parameter String s = "a" + "b";')).toBe('ab');
    expect(shown('%v', 'parameter Real v[3] = {1, 2, 3};')).toBe('{1, 2, 3}');
  });

  test('give names of literals, members of records and how a value is given that is not known yet', () => {
    expect(shown('%e', 'type E = enumeration(One, Two); parameter E e = E.Two;')).toBe('Two');
    expect(shown('%{r.p}', 'record R parameter Real p = 7; end R; R r;')).toBe('7');
    expect(shown('%x', 'Real x = 2*y; Real y;')).toBe('2*y');
    // Without a value the name stands for it, and what does not exist stays.
    expect(shown('%p', 'parameter Real p(start = 1);')).toBe('p');
    expect(shown('%nothing', '')).toBe('%nothing');
    expect(shown("%{'a b'} %{", "parameter Real 'a b' = 2;")).toBe('2 %{');
  });

  test('stay as they are in the icon of the class itself', () => {
    const text = iconClass(
      'Text(extent = {{0, 0}, {9, 9}}, textString = "%name %class %p 1%%")',
      'parameter Real p = 1;',
    );
    expect(texts(icon(text))).toEqual(['%name A %p 1%']);
    expect(texts(icon(text, 'A', { labels: false }))).toEqual([]);
  });
});
