/**
 * Speed of the parser on one core, in megabytes of text a second, after warm-up: on text that this file writes itself, in the style of
 * the Modelica Standard Library, and on the libraries of MODELICAPATH if it is set. Processor time counts, that of the garbage
 * collector's threads included, so that other work on the machine does not. Run `npm run build` first.
 *
 *     node bench/syntax.mjs
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Source } from '../dist/diagnostic/source.js';
import { tokenize } from '../dist/syntax/lexer.js';
import { parse } from '../dist/syntax/parser.js';
import { print } from '../dist/syntax/print.js';

const TARGET = 15;
const ROUNDS = 7;

/**
 * One table row for each text: `{name, megabytes, parse, whole, lex, print}`, speeds in MB/s (best of the rounds). In large texts the
 * bodies of most classes are built when they are asked for: `whole` is parsing and asking for all of them.
 */
export function measure() {
  const rows = [
    measureTexts(
      '150 files',
      Array.from({ length: 150 }, (_, i) => synthetic(10 * i, 10)),
    ),
    measureTexts('one file', [synthetic(0, 1500)]),
  ];
  const library = libraryTexts();
  if (library.length > 0) rows.push(measureTexts('MODELICAPATH', library));
  return rows;
}

function measureTexts(name, texts) {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const trees = () =>
    texts.map((text) => {
      const { definition, diagnostics } = parse(new Source('bench.mo', text));
      if (diagnostics.length > 0) throw new Error(`${name}: ${diagnostics[0].message}`);
      return definition;
    });
  const speed = (work, inputs) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const before = process.cpuUsage();
      for (const input of inputs) work(input);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, user + system);
    }
    return bytes / best;
  };
  return {
    name,
    megabytes: bytes / 1e6,
    parse: speed((text) => parse(new Source('bench.mo', text)), texts),
    whole: speed((text) => parse(new Source('bench.mo', text)).definition.classes.forEach(readAll), texts),
    lex: speed((text) => tokenize(new Source('bench.mo', text)), texts),
    // Last, because trees that are kept make the garbage collector slow.
    print: speed(print, trees()),
  };
}

/** Asks for the bodies of a class and of all classes in it. */
function readAll({ body }) {
  for (const { elements } of body.sections ?? [])
    for (const element of elements ?? []) if (element.kind === 'class') readAll(element);
}

/** A package of `count` models, numbered from `first`, with declarations, equations, connections, graphics and documentation; some 3 kB each. */
function synthetic(first, count) {
  const models = Array.from({ length: count }, (_, i) => model(first + i));
  return `within;\npackage Synthetic "Models in the style of a library"\n${models.join('\n')}\nend Synthetic;\n`;
}

function model(i) {
  const name = `Component${i}`;
  return `  model ${name} "Ideal element number ${i} with a loss that depends on temperature"
    extends Interfaces.TwoPin(final v_nominal = ${i}.5, redeclare package Medium = Media.Water${i % 7});
    parameter Modelica.Units.SI.Resistance R(start = 1) = ${i + 1} "Resistance at temperature T_ref"
      annotation (Dialog(group = "Parameters", enable = not useHeatPort));
    parameter Integer n(min = 1) = ${(i % 9) + 1} "Number of segments";
    // The losses of each segment
    Modelica.Units.SI.Current i[n](each start = 0, each fixed = true) "Current through the segments";
    Modelica.Units.SI.Voltage v[n] = {R*i[k]*(1 + alpha*(T_heatPort - T_ref)) for k in 1:n};
    Modelica.Blocks.Interfaces.RealInput u annotation (Placement(
        transformation(extent = {{-140, -20}, {-100, 20}}, rotation = ${(i % 4) * 90})));
    Blocks.Continuous.FirstOrder filter${i}(k = 1, T = 1e-3, initType = Modelica.Blocks.Types.Init.SteadyState)
      if useFilter annotation (Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  protected
    constant Real eps = 10*Modelica.Constants.eps;
    Boolean locked(start = false, fixed = true);
  initial equation
    if initType == Types.Init.SteadyState then
      der(x) = zeros(n);
    end if;
  equation
    assert(1 + alpha*(T_heatPort - T_ref) >= eps, "Temperature outside scope of model!");
    for k in 1:n loop
      L*der(i[k]) = v[k] - R*i[k]^2/(abs(i[k]) + eps) + (if k > 1 then v[k - 1] else p.v);
    end for;
    when {u > 0.5, pre(locked) and time > ${i}.25} then
      locked = not pre(locked);
      reinit(x, -0.7*pre(x));
    elsewhen initial() then
      locked = false;
    end when;
    connect(filter${i}.y, limiter.u) annotation (Line(points = {{11, 0}, {28, 0}, {28, 40}, {58, 40}}, color = {0, 0, 127}));
    connect(p, plug.pin[${(i % 3) + 1}]) annotation (Line(points = {{-100, 0}, {-60, 0}}, color = {0, 0, 255}));
    annotation (
      Icon(coordinateSystem(preserveAspectRatio = true, extent = {{-100, -100}, {100, 100}}), graphics = {
          Rectangle(extent = {{-70, 30}, {70, -30}}, lineColor = {0, 0, 255}, fillPattern = FillPattern.Solid),
          Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255})}),
      Documentation(info = "<html>
<p>The element <strong>${name}</strong> obeys <em>v = R*i</em>, where the resistance depends on the temperature of the
heat port. If <code>useHeatPort = false</code>, the temperature is constant, see
<a href=\\"modelica://Synthetic.Component${(i * 7) % 100}\\">this element</a> for a comparison.</p>
</html>", revisions = "<html><ul><li>Number ${i}: first written</li></ul></html>"));
  end ${name};`;
}

function libraryTexts() {
  const texts = [];
  for (const path of (process.env.MODELICAPATH ?? '').split(delimiter)) {
    if (path === '' || !existsSync(path)) continue;
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.mo')) texts.push(readFileSync(join(path, file), 'utf8'));
    }
  }
  return texts;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log('text           size/MB  parse MB/s  whole MB/s  lex MB/s  print MB/s');
  for (const row of measure()) {
    const cells = [
      row.name.padEnd(13),
      row.megabytes.toFixed(1).padStart(8),
      row.parse.toFixed(1).padStart(11),
      row.whole.toFixed(1).padStart(11),
      row.lex.toFixed(1).padStart(9),
      row.print.toFixed(1).padStart(11),
    ];
    console.log(
      `${cells.join(' ')}   ${row.parse >= TARGET ? 'reaches' : 'misses'} the target of ${TARGET} MB/s`,
    );
  }
}
