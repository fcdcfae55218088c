/** Tables over time: pieces between events, limits at them, and whole runs of models that use them as `CombiTimeTable` does. */
import { describe, expect, it } from 'vitest';
import { loadModel, type SimulationResult, simulate } from '../../src/index.ts';
import { extrapolation, functions, matrix, smoothness, timeEvents, vector } from './notation.ts';

const prefix = 'ModelicaStandardTables_CombiTimeTable_';
const never = Number.MAX_VALUE;

interface Options {
  readonly kind?: keyof typeof smoothness;
  readonly beyond?: keyof typeof extrapolation;
  readonly events?: keyof typeof timeEvents;
  readonly start?: number;
  readonly shift?: number;
}

function table(rows: readonly (readonly number[])[], options: Options = {}) {
  const { kind = 'linear', beyond = 'lastTwoPoints', events = 'always', start = 0, shift = start } = options;
  const { number, call } = functions();
  const kinds = [smoothness[kind], extrapolation[beyond]];
  const object = call(
    `${prefix}init3`,
    'NoName',
    'NoName',
    ...matrix(rows),
    start,
    vector(2),
    1,
    ...kinds,
    shift,
    timeEvents[events],
    false,
    ',',
    0,
  );
  const next = (time: number): number => number(`${prefix}nextTimeEvent`, object, time);
  /** All events from a time on, at most so many. */
  const all = (time: number, most = 20): number[] => {
    const found: number[] = [];
    for (let at = next(time); at < never && found.length < most; at = next(at)) found.push(at);
    return found;
  };
  return {
    next,
    all,
    /** After the event at this time, if there is one. */
    at: (time: number) => number(`${prefix}getValue`, object, 1, time, next(time), next(time - 1e-9)),
    /** Before the event at this time is handled. */
    before: (time: number, event = time) => number(`${prefix}getValue`, object, 1, time, event, event),
    der: (time: number) => number(`${prefix}getDerValue`, object, 1, time, next(time), next(time), 1),
    der2: (time: number) => number(`${prefix}getDer2Value`, object, 1, time, next(time), next(time), 1, 0),
    range: [number(`${prefix}minimumTime`, object), number(`${prefix}maximumTime`, object)],
  };
}

const jumping = [
  [0, 0],
  [1, 1],
  [1, 3],
  [2, 0],
];

describe('events', () => {
  it('are at all points, at jumps, or at the ends only', () => {
    expect(table(jumping).all(-1)).toEqual([0, 1, 2]);
    expect(
      table(
        [
          [0, 0],
          [1, 1],
          [2, 1],
          [2, 5],
          [3, 0],
        ],
        { events: 'atDiscontinuities' },
      ).all(0),
    ).toEqual([2, 3]);
    expect(table(jumping, { events: 'never' }).all(0)).toEqual([2]);
    expect(table([[0, 7]]).all(0)).toEqual([]);
  });

  it('before the start there is only the start', () => {
    expect(table(jumping, { start: 5, shift: 4 }).all(0)).toEqual([5, 6]);
  });

  it('repeat', () => {
    expect(table(jumping, { beyond: 'periodic' }).all(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(table(jumping, { beyond: 'periodic', events: 'never', shift: 0.5 }).all(0.6, 3)).toEqual([
      2.5, 4.5, 6.5,
    ]);
  });

  it('come once, also where times are not exact', () => {
    const rows = [
      [0, 0],
      [0.1, 1],
      [0.3, 2],
      [0.7, 0],
    ];
    const own = table(rows, { beyond: 'periodic', shift: 0.123 });
    const found = own.all(0, 3000);
    expect(found).toHaveLength(3000);
    for (const [k, at] of found.entries()) {
      const point = [0.1, 0.3, 0.7][(k + 2) % 3]!;
      const period = Math.floor((k + 2) / 3) - 1;
      expect(Math.abs(at - (0.123 + point + period * 0.7))).toBeLessThan(1e-9);
    }
  });
});

describe('values', () => {
  it('are those of the pieces on both sides of a jump', () => {
    const own = table(jumping);
    expect([own.before(1), own.at(1), own.at(0.5), own.at(1.5)]).toEqual([1, 3, 0.5, 1.5]);
    // A step that goes beyond the event stays on its piece.
    expect(own.before(1.25, 1)).toBe(1.25);
    expect([own.der(0.5), own.der(1.5), own.der2(0.5)]).toEqual([1, -3, 0]);
    expect(own.range).toEqual([0, 2]);
  });

  it('are held from event to event', () => {
    const own = table(
      [
        [0, 1],
        [1, 5],
        [2, 7],
      ],
      { kind: 'constant', beyond: 'hold' },
    );
    expect([
      own.at(0),
      own.before(1),
      own.before(1.3, 1),
      own.at(1),
      own.before(2),
      own.at(2),
      own.at(9),
    ]).toEqual([1, 1, 1, 5, 5, 7, 7]);
    expect(own.der(0.5)).toBe(0);
  });

  it('repeat, with a jump where one period ends', () => {
    const own = table(
      [
        [0, 0],
        [1, 10],
      ],
      { beyond: 'periodic' },
    );
    for (const n of [1, 2, 57]) {
      expect(own.before(n)).toBeCloseTo(10, 12);
      expect(own.at(n)).toBeCloseTo(0, 12);
      expect(own.at(n + 0.25)).toBeCloseTo(2.5, 10);
      expect(own.der(n + 0.25)).toBeCloseTo(10, 12);
    }
  });

  it('are right after each of many events whose times are not exact', () => {
    const own = table(
      [
        [0, 1],
        [0.1, 2],
        [0.3, 3],
        [0.7, 4],
      ],
      { kind: 'constant', beyond: 'periodic' },
    );
    for (const [k, at] of own.all(0, 300).entries()) {
      expect(own.before(at)).toBe((k % 3) + 1);
      expect(own.at(at)).toBe(((k + 1) % 3) + 1);
    }
  });

  it('are zero before the start, and shifted', () => {
    const own = table(jumping, { start: 5, shift: 4.5 });
    expect([own.at(4.9), own.before(5), own.at(5), own.at(5.25)]).toEqual([0, 0, 0.5, 0.75]);
  });

  it('go on before the first and after the last point', () => {
    const rows = [
      [1, 1],
      [2, 3],
      [4, 4],
    ];
    expect([table(rows).at(0), table(rows).at(5)]).toEqual([-1, 4.5]);
    expect([table(rows, { beyond: 'hold' }).at(0), table(rows, { beyond: 'hold' }).at(5)]).toEqual([1, 4]);
    const none = table(rows, { beyond: 'none', shift: 10, start: 0 });
    expect([none.at(11), none.at(14)]).toEqual([1, 4]);
    expect(() => none.at(14.5)).toThrow(/time is 14\.5, outside of the table, whose largest value is 14/);
    expect(() => none.at(3)).toThrow(/least value is 11/);
  });

  it('are smooth where that is asked for', () => {
    const rows = [0, 1, 2, 3, 4].map((x) => [x, x * x]);
    const own = table(rows, { kind: 'akima', events: 'never' });
    expect([own.at(2.5), own.der(2.5), own.at(5), own.der(5)]).toEqual([6.25, 5, 24, 8]);
    expect(own.der2(2.5)).toBeCloseTo(2, 12);
  });

  it('at one row are constant', () => {
    expect([table([[3, 7]]).at(0), table([[3, 7]]).at(10), table([[3, 7]]).der(4)]).toEqual([7, 7, 0]);
  });

  it.each([
    [
      'times that go back',
      [
        [0, 0],
        [2, 0],
        [1, 0],
      ],
      {},
      /must increase, but table\[2, 1\] = 2/,
    ],
    ['jumps of what is smooth', jumping, { kind: 'akima' as const }, /must increase strictly/],
    [
      'a period of zero',
      [
        [1, 0],
        [1, 1],
      ],
      { beyond: 'periodic' as const },
      /its period is zero/,
    ],
  ])('refuses %s', (_, rows, options, message) => {
    expect(() => table(rows, options)).toThrow(message);
  });
});

// ---------------------------------------------------------------- whole runs

/** A table as blocks of the Modelica Standard Library have it. */
const source = `
  class Table
    extends ExternalObject;
    function constructor
      input Real table[:, :];
      input Integer smoothness;
      input Integer extrapolation;
      output Table t;
      external "C" t = ModelicaStandardTables_CombiTimeTable_init3("NoName", "NoName", table, size(table, 1), size(table, 2), 0.0, {2}, 1,
        smoothness, extrapolation, 0.0, 1, false, ",", 0);
    end constructor;
    function destructor
      input Table t;
      external "C" ModelicaStandardTables_CombiTimeTable_close(t);
    end destructor;
  end Table;
  function nextEvent
    input Table t;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(t, u);
  end nextEvent;
  function derValue
    input Table t;
    input Real u;
    input Real next;
    input Real before;
    input Real der_u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getDerValue(t, 1, u, next, before, der_u);
  end derValue;
  function value
    input Table t;
    input Real u;
    input Real next;
    input Real before;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(t, 1, u, next, before);
    annotation(derivative(noDerivative = next, noDerivative = before) = derValue);
  end value;
  parameter Integer smoothness = 1;
  parameter Integer extrapolation = 3;
  parameter Real table[:, :] = [0, 0; 1, 1; 1, 3; 2, 0];
  parameter Table t = Table(table, smoothness, extrapolation);
  discrete Real next(start = 0, fixed = true);
  Real y = value(t, time, next, pre(next));`;

async function run(equations: string, variables = '', stopTime = 5): Promise<SimulationResult> {
  const text = `model M ${source} ${variables} equation
    when {time >= pre(next), initial()} then
      next = nextEvent(t, time);
    end when;
    ${equations} end M;`;
  const result = await simulate(loadModel(text, 'M'), { stopTime, tolerance: 1e-9 });
  expect(result.diagnostics).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

describe('in a run', () => {
  it('its integral is exact, and there is an event at each point', async () => {
    const { table, statistics } = await run('der(x) = y;', 'Real x(start = 0, fixed = true);');
    // 1/2 and 3/2 in each period.
    expect(table.value('x', 1)).toBeCloseTo(0.5, 8);
    expect(table.value('x', 5)).toBeCloseTo(4.5, 8);
    expect(statistics.events).toBe(5);
  });

  it('gives both limits at a jump', async () => {
    const { table } = await run('');
    const [time, y] = [table.time, table.get('y')];
    const pairs = [...time].flatMap((t, k) => (t === 1 && time[k + 1] === 1 ? [[y[k], y[k + 1]]] : []));
    expect(pairs).toEqual([[1, 3]]);
  });

  it('its derivative is the given one, bit for bit, also where the table jumps', async () => {
    const { table } = await run('x = y;', 'Real x; Real v(stateSelect = StateSelect.never) = der(x);', 0.9);
    expect([0, 0.5, 0.9].map((t) => table.value('v', t))).toEqual([1, 1, 1]);
  });
});
