/** Drawings as SVG text: snapshots that people look at, and nothing in them that a model could use. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagramOf } from '../../src/diagram/diagram.ts';
import { iconOf } from '../../src/diagram/icon.ts';
import { drawingSvg } from '../../src/diagram/svg.ts';
import { toBase64 } from '../../src/paint/base64.ts';
import { find, parseXml } from '../results/plot/picture.ts';
import { classIn, icon, iconClass } from './notation.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const example = (name: string): string => read(`../../examples/${name}.mo`);

describe('the gallery', () => {
  test.each([
    [
      'primitives',
      drawingSvg(iconOf(classIn(read('gallery.mo'), 'Gallery.Primitives')), { size: 600, ground: '#ffffff' }),
    ],
    [
      'placements',
      drawingSvg(diagramOf(classIn(read('gallery.mo'), 'Gallery.Placements')), { ground: '#ffffff' }),
    ],
    ['drivetrain', drawingSvg(diagramOf(classIn(example('DriveTrain'))), { ground: '#ffffff' })],
    ['rectifier', drawingSvg(diagramOf(classIn(example('RectifierBridge'))), { ground: '#ffffff' })],
    ['house', drawingSvg(diagramOf(classIn(example('House'))), { ground: '#ffffff' })],
  ])('%s looks as it did', async (name, svg) => {
    await expect(svg).toMatchFileSnapshot(`snapshots/${name}.svg`);
  });
});

/** Attributes that drawings have; none of them runs or loads anything. */
const harmless =
  /^(xmlns|class|data-key|viewBox|width|height|role|aria-label|font-\w+|fill|fill-rule|stroke|stroke-\w+|d|x|y|x1|y1|x2|y2|cx|cy|r|id|offset|stop-color|opacity|transform|text-anchor|text-decoration|textLength|lengthAdjust|href|patternUnits|patternTransform|gradientUnits|gradientTransform)$/;
const tags = /^(svg|g|path|rect|text|title|defs|pattern|linearGradient|radialGradient|stop|image)$/;

function check(svg: string): void {
  for (const { tag, attributes } of find(parseXml(svg.trim()), () => true)) {
    expect(tag).toMatch(tags);
    for (const [name, value] of Object.entries(attributes)) {
      expect(name).toMatch(harmless);
      if (name === 'href')
        expect(value).toMatch(/^data:image\/(png|jpeg|gif|bmp|svg\+xml);base64,[A-Za-z0-9+/=]*$/);
      if (!/^(data-key|aria-label)$/.test(name) && value.includes('url('))
        expect(value).toMatch(/^url\(#[\w]+\)$/);
    }
  }
}

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"/><image href="http://evil"/>',
    "'); url(http://evil)",
    '&#x0;',
    ']]>',
    '\u0001\uD800',
  ),
);

/** A string of Modelica. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

describe('SVG', () => {
  test('holds nothing that runs or loads, whatever texts say', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (text, font, file) => {
        const name = `'${text.replace(/[^ -~]/g, '').replace(/['\\]/g, '\\$&') || 'x'}'`;
        const graphics = `Text(extent = {{0, 0}, {9, 9}}, textString = ${quoted(text)}, fontName = ${quoted(font)}), Bitmap(extent = {{0, 0}, {9, 9}}, fileName = ${quoted(file)}, imageSource = ${quoted(text)})`;
        const source = `model B ${quoted(text)} annotation(Icon(graphics = {${graphics}})); end B; model A B ${name} ${quoted(text)}; end A;`;
        const entity = classIn(source);
        check(drawingSvg(iconOf(classIn(source, 'B'))));
        check(drawingSvg(diagramOf(entity)));
      }),
    );
  });

  test('has pictures of libraries, and no others', () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
    const address = (item: string) => {
      const { shapes, missing } = icon(iconClass(`Bitmap(extent = {{0, 0}, {20, 10}}, ${item})`));
      const [own] = shapes;
      return own?.kind === 'picture' ? own.source : missing;
    };
    expect(address(`imageSource = "${png}"`)).toBe(`data:image/png;base64,${png}`);
    expect(address(`imageSource = "${toBase64(new TextEncoder().encode('<svg xmlns=""></svg>'))}"`)).toMatch(
      /^data:image\/svg\+xml/,
    );
    expect(address(`imageSource = "${toBase64(new TextEncoder().encode('<html></html>'))}"`)).toEqual([
      'imageSource',
    ]);
    expect(address('imageSource = "no base 64 at all!"')).toEqual(['imageSource']);
    for (const name of [
      'http://example.org/a.png',
      'file:///etc/passwd',
      '/etc/passwd',
      '../a.png',
      'modelica://Nothing/a.png',
    ])
      expect(address(`fileName = "${name}"`)).toEqual([name]);
    const files = {
      'Lib/package.mo':
        'package Lib model A annotation(Icon(graphics = {Bitmap(extent = {{0, 0}, {20, 10}}, fileName = "modelica://Lib/Resources/a.svg"), Bitmap(extent = {{0, 0}, {20, 10}}, fileName = "modelica:/Lib/Resources/a.svg"), Bitmap(extent = {{0, 0}, {1, 1}}, fileName = "modelica://Lib/../secret.svg")})); end A; end Lib;',
      'Lib/Resources/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'secret.svg': '<svg/>',
    };
    const own = iconOf(classIn('model M end M;', 'Lib.A', files));
    expect(own.shapes.map(({ kind }) => kind)).toEqual(['picture', 'picture']);
    expect(own.missing).toEqual(['modelica://Lib/../secret.svg']);
  });

  test('has the size that is asked for, and names parts with a prefix', () => {
    const text = iconClass(
      'Rectangle(extent = {{-100, -100}, {100, 100}}, fillPattern = FillPattern.Sphere)',
    );
    const picture = parseXml(drawingSvg(icon(text, 'A', { size: 50 }), { size: 50, prefix: 'tree' }).trim());
    expect(Number(picture.attributes.width)).toBe(50);
    expect(find(picture, ({ tag }) => tag === 'radialGradient')[0]!.attributes.id).toBe('treepaint1');
  });
});
