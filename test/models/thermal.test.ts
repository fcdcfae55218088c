/** Heat and liquids of the library against closed solutions and balances. */
import { describe, expect, test } from 'vitest';
import { close, impulse, instants, run, states } from './notation.ts';

describe('thermal', () => {
  test('two bodies and a conductor', async () => {
    const { table } = await run(
      'Thermal',
      `HeatCapacitor a(C = 10, T(start = 400, fixed = true)), b(C = 30, T(start = 300, fixed = true));
       ThermalConductor wall(G = 3);
       HeatFlowSensor meter;
       TemperatureSensor sensor;
     equation
       connect(a.port, meter.port_a); connect(meter.port_b, wall.port_a); connect(wall.port_b, b.port); connect(sensor.port, a.port);`,
      5,
    );
    const difference = 100 * Math.exp(-3 * (1 / 10 + 1 / 30) * 5);
    close(table.value('sensor.T', 5), 325 + 0.75 * difference);
    close(table.value('b.T', 5), 325 - 0.25 * difference);
    close(table.value('meter.y', 5), 3 * difference);
  });

  test('bodies that touch share their energy', async () => {
    const result = await run(
      'Thermal',
      `HeatCapacitor a(C = 10, T(start = 400, fixed = true)), b(C = 30, T(start = 300, fixed = true));
       ThermalContact contact(touching = time >= 1 and time < 2);
       FixedHeatFlow heat(Q_flow = 40);
     equation
       connect(a.port, contact.port_a); connect(contact.port_b, b.port); connect(heat.port, a.port);`,
      3,
    );
    close(result.table.value('b.T', 1), (4040 + 9000) / 40);
    close(impulse(result, 'contact.Q_flow', 1), 30 * 26);
    close(result.table.value('a.T', 3), 327 + 4);
    close(result.table.value('b.T', 3), 327);
    expect(states(result)).toEqual([2, 1, 2]);
  });

  test('a thermostat', async () => {
    const result = await run(
      'Thermal',
      `HeatCapacitor room(C = 1, T(start = 20, fixed = true));
       ThermalConductor wall(G = 0.1);
       FixedTemperature outside(T = 0);
       PrescribedHeatFlow heater(Q_flow = if thermostat.on then 5 else 0);
       Thermostat thermostat(T_low = 18, T_high = 22);
     equation
       connect(room.port, wall.port_a); connect(wall.port_b, outside.port);
       connect(heater.port, room.port); connect(thermostat.port, room.port);`,
      24,
    );
    close(result.table.value('room.T', 24), 18.8242680319);
    const on: number[] = [];
    for (let row = 1; row < result.table.rowCount; row++)
      if (result.table.at('thermostat.on', row) !== result.table.at('thermostat.on', row - 1))
        on.push(result.table.time[row]!);
    close(on[0]!, 1.0536051566);
    close(on[1]! - on[0]!, 1.3353139262);
    close(on[2]! - on[1]!, 2.0067069546);
  });

  test('ice melts: the energy goes where it must', async () => {
    const result = await run(
      'Thermal',
      `MeltingBody ice;
       FixedHeatFlow heat(Q_flow = 1000);
     equation
       connect(heat.port, ice.port);`,
      500,
    );
    const phases = ['ice.solid', 'ice.melting', 'ice.liquid'];
    expect(result.modes.map((mode) => mode.signature)).toEqual(phases);
    const [melts, molten] = instants(result) as [number, number];
    close(melts, 21);
    close(molten, 21 + 334);
    close(result.table.value('ice.x', 121), 100 / 334);
    close(result.table.value('ice.T', 500), 273.15 + 145 / 4.2);
    expect(states(result)).toEqual([1, 1, 1]);
  });

  test('water freezes and thaws between surroundings that change', async () => {
    const result = await run(
      'Thermal',
      `MeltingBody water(T_start = 283.15, m = 0.5);
       ThermalConductor wall(G = 50);
       PrescribedTemperature outside(T = if time < 300 then 263.15 else 303.15);
     equation
       connect(water.port, wall.port_a); connect(wall.port_b, outside.port);`,
      900,
    );
    const [, freezes, thaws] = instants(result) as [number, number, number];
    // Liquid: 2100 T' = 50 (263.15 - T). Freezing takes 500 W, of 167 kJ; melting 1500 W.
    const expected = 42 * Math.log(2);
    close(freezes, expected);
    const frozen = 500 * (300 - expected);
    close(result.table.value('water.x', 300), 1 - frozen / 167e3);
    close(thaws, 300 + frozen / 1500);
    close(result.table.value('water.T', 900), 303.15 - 30 * Math.exp(-(900 - thaws) / 42));
  });

  test('a window that is opened', async () => {
    const { table } = await run(
      'Thermal',
      `HeatCapacitor room(C = 2, T(start = 300, fixed = true));
       Insulation window(G = 1, open = time >= 1);
       FixedTemperature outside(T = 280);
     equation
       connect(room.port, window.port_a); connect(window.port_b, outside.port);`,
      3,
    );
    close(table.value('room.T', 1), 300);
    close(table.value('room.T', 3), 280 + 20 * Math.exp(-1));
  });
});

describe('fluid', () => {
  const g = 9.80665;

  test('a tank runs over, sinks and runs dry', async () => {
    const result = await run(
      'Fluid',
      `Tank tank(h(start = 0.5, fixed = true));
       PrescribedFlow tap(m_flow = if time < 100 then 10 elseif time < 1000 then 0 else 0.5);
       Pipe pipe(k = 5e-4);
       Ambient drain(p = -2000);
       Real spilt(start = 0, fixed = true);
     equation
       der(spilt) = tank.overflow;
       connect(tap.port, tank.inlet); connect(tank.outlet, pipe.port_a); connect(pipe.port_b, drain.port);`,
      1500,
    );
    // 1000 h' = q - 5e-4 (1000 g h + 2000)
    const rate = 5e-4 * g;
    const steady = (q: number) => (q - 1) / (1000 * rate);
    const [full, sinks, dry] = instants(result) as [number, number, number];
    close(full, Math.log((0.5 - steady(10)) / (1 - steady(10))) / rate);
    close(sinks, 100);
    close(result.table.value('spilt', 1500), (10 - 5e-4 * (1000 * g + 2000)) * (100 - full));
    close(result.table.value('tank.h', 300), steady(0) + (1 - steady(0)) * Math.exp(-rate * 200));
    close(dry, 100 + Math.log((1 - steady(0)) / -steady(0)) / rate);
    // A dry tank passes on what flows in: the outlet sucks so that the pipe carries no more.
    close(result.table.value('tank.outlet.p', 900), -2000);
    close(result.table.value('tank.outlet.p', 1200), -1000);
    expect(states(result)).toEqual([2, 1, 2, 1]);
  });

  test('a tank with a hole empties in finite time', async () => {
    const { table } = await run(
      'Fluid',
      `Tank tank(A = 0.5, h(start = 1, fixed = true));
       Orifice hole(A = 0.01);
       Ambient ambient;
     equation
       connect(tank.outlet, hole.port_a); connect(hole.port_b, ambient.port);`,
      20,
    );
    // Torricelli: sqrt h sinks at a constant rate; empty after 22.58 s.
    close(table.value('tank.h', 20), (1 - (0.01 / 0.5) * Math.sqrt(g / 2) * 20) ** 2);
  });

  test('a tank runs over in front of a closed valve and an orifice, which then opens', async () => {
    const result = await run(
      'Fluid',
      `FixedFlow tap(m_flow = 1);
       Tank tank(A = 0.1, height = 0.2, h(start = 0.1, fixed = true));
       Valve valve(open = time > 50);
       Orifice hole(A = 1e-3);
       Ambient ambient;
     equation
       connect(tap.port, tank.inlet); connect(tank.outlet, valve.port_a); connect(valve.port_b, hole.port_a); connect(hole.port_b, ambient.port);`,
      100,
    );
    close(instants(result)[0]!, 10);
    close(instants(result)[1]!, 50);
    close(result.table.value('tank.overflow', 30), 1);
    close(result.table.value('hole.dp', 30), 0, 1e-9);
    // 100 h' = 1 - sqrt(2 g h), in small steps.
    const rate = (h: number): number => (1 - Math.sqrt(2 * g * h)) / 100;
    const n = 10_000;
    let h = 0.2;
    for (let k = 0; k < n; k++) {
      const middle = h + (25 / n) * rate(h);
      h += (50 / n) * rate(middle);
    }
    close(result.table.value('tank.h', 100), h);
  });

  test('two orifices with a valve between them that closes and opens again', async () => {
    const { table } = await run(
      'Fluid',
      `Tank tank(A = 1, height = 2, h(start = 1, fixed = true));
       Orifice a(A = 0.01), b(A = 0.02);
       Valve valve(open = time < 5 or time > 8);
       Ambient ambient;
     equation
       connect(tank.outlet, a.port_a); connect(a.port_b, valve.port_a); connect(valve.port_b, b.port_a); connect(b.port_b, ambient.port);`,
      20,
    );
    // g h = (v^2 + (v/2)^2)/2 with v in the first one; open for 17 s.
    close(table.value('a.v', 4), 2 * table.value('b.v', 4));
    close(table.value('tank.h', 7), (1 - 0.005 * Math.sqrt(1.6 * g) * 5) ** 2);
    close(table.value('tank.h', 20), (1 - 0.005 * Math.sqrt(1.6 * g) * 17) ** 2);
  });

  test('a valve between two tanks makes the levels equal', async () => {
    const result = await run(
      'Fluid',
      `Tank a(A = 1, h(start = 0.9, fixed = true)), b(A = 2, h(start = 0.3, fixed = true));
       Valve valve(open = time >= 1);
       FixedFlow tap(m_flow = 30);
     equation
       connect(a.outlet, valve.port_a); connect(valve.port_b, b.outlet); connect(tap.port, b.inlet);`,
      4,
    );
    close(result.table.value('a.h', 1), (0.9 + 0.6 + 0.03) / 3);
    close(impulse(result, 'valve.m_flow', 1), 1000 * (0.9 - 0.51));
    close(result.table.value('b.h', 4), 0.54);
    expect(states(result)).toEqual([2, 1]);
  });

  test('a check valve lets nothing back', async () => {
    const { table } = await run(
      'Fluid',
      `Tank tank(h(start = 0.2, fixed = true));
       CheckValve valve;
       Pipe pipe(k = 1e-3);
       PrescribedPressure pump(p = if mod(time, 2) < 1 then 10000 else -5000);
     equation
       connect(pump.port, pipe.port_a); connect(pipe.port_b, valve.port_a); connect(valve.port_b, tank.outlet);`,
      4,
    );
    // 1000 h' = 1e-3 (10000 - 1000 g h) in the first halves of two periods.
    const steady = 10 / g;
    close(table.value('tank.h', 4), steady + (0.2 - steady) * Math.exp(-1e-3 * g * 2));
  });
});
