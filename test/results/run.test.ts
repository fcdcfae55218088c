/** What a run puts into its table besides the values. */
import { describe, expect, it } from 'vitest';
import { describeTable, loadModel, readArrow, readJson, simulate, toArrow, toJson } from '../../src/index.ts';

const model = `
model Chain
  model Part
    parameter String material = "steel";
    parameter Integer n = 2;
    Real x[n](each start = 1, each fixed = true, each unit = "m");
    Real s(start = 1, fixed = true);
    Real y "= s";
    Real z "= -y";
  equation
    for i in 1:n loop
      der(x[i]) = -i*x[i];
    end for;
    der(s) = -s;
    y = s;
    z = -y;
  end Part;
  Part part;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Chain;
`;

describe('the table of a run', () => {
  it('has settings, statistics and texts, also after JSON', async () => {
    const { table, statistics } = await simulate(loadModel(model), { intervals: 10, method: 'bdf' });
    for (const each of [table, readJson(toJson(table))]) {
      expect(each.attributes).toEqual({
        status: 'done',
        experiment: { startTime: 0, stopTime: 2, tolerance: 1e-8, intervals: 10, method: 'bdf' },
        statistics: JSON.parse(JSON.stringify(statistics)),
        texts: { 'part.material': 'steel' },
      });
    }
  });

  it('knows that the run failed', async () => {
    const text =
      'model Fall Real x(start = 1, fixed = true), y; equation der(x) = -1; y = sqrt(x - 0.5); end Fall;';
    const { table, status } = await simulate(loadModel(text));
    expect(status).toBe('failed');
    expect(readJson(toJson(table)).attributes.status).toBe('failed');
    expect(table.time.at(-1)).toBeCloseTo(0.5, 6);
  });

  it('says why the run failed to whoever asks for a signal that it has not', async () => {
    const text = `model Lost
      import Mutabor.Bodies.*;
      World world;
      Sphere ball(parent = "wrld", mass = 1);
    end Lost;`;
    const { table, diagnostics } = await simulate(loadModel(text));
    const [problem] = diagnostics;
    expect(problem!.hint).toContain('world');
    expect(() => table.value('ball.r[1]', 1)).toThrow(
      `There is no signal named ball.r[1]. The run failed: model.mo:4:14: ${problem!.message} ${problem!.hint}`,
    );
    expect(readJson(toJson(table)).attributes.problem).toContain(problem!.message);
    const { table: complete } = await simulate(loadModel(model));
    expect(() => complete.get('part.yy')).toThrow(/^There is no signal named part.yy. Did you mean/);
  });

  it('knows what is the same, and the negative of it', async () => {
    const { table } = await simulate(loadModel(model));
    expect(table.aliases('part.y')).toContainEqual({ name: 'part.z', sign: -1 });
    expect(table.aliases('part.s')).toContainEqual({ name: 'part.y', sign: 1 });
    expect(table.value('part.z', 1)).toBeCloseTo(-Math.exp(-1), 6);
  });

  it('has arrays as they are declared', async () => {
    const { table } = await simulate(loadModel(model), { intervals: 1 });
    const { dims, elements, values } = table.array('part.x');
    expect(dims).toEqual([2]);
    expect(elements).toEqual(['part.x[1]', 'part.x[2]']);
    expect(values.at(-2)).toBeCloseTo(Math.exp(-2), 6);
    expect(values.at(-1)).toBeCloseTo(Math.exp(-4), 6);
  });

  it('knows the names of enumerations, of arrays too and in files', async () => {
    const { table } = await simulate(
      loadModel(`package Car
  type Gear = enumeration(neutral, first, second);
  model Drive
    parameter Gear begin = Gear.first;
    Gear gear(start = Gear.neutral, fixed = true);
    Gear wanted[2] = {begin, if time > 0.5 then Gear.second else Gear.neutral};
  equation
    when time > 0.5 then
      gear = Gear.second;
    end when;
  end Drive;
end Car;`),
    );
    const literals = ['neutral', 'first', 'second'];
    for (const each of [table, readJson(toJson(table)), readArrow(toArrow(table))]) {
      for (const name of ['begin', 'gear', 'wanted[1]', 'wanted[2]'])
        expect(each.info(name)).toMatchObject({ type: 'Integer', literals });
      expect(each.value('gear', 1)).toBe(3);
    }
    expect(describeTable(table)).toMatch(/gear +\S+ +neutral … second/);
  });
});
