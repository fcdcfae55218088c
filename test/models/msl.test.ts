/** Components of the library connect with those of the Modelica Standard Library: each circuit is half of the one and half of the other. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from 'vitest';
import { close, impulse, library, run } from './notation.ts';

const paths = (process.env.MODELICAPATH ?? '').split(delimiter);
const found = paths.find((path) => path !== '' && existsSync(join(path, 'Modelica')));
const reason = found
  ? ''
  : ' (skipped: MODELICAPATH does not name a folder with the Modelica Standard Library)';

describe.skipIf(found === undefined)(`with the Modelica Standard Library${reason}`, () => {
  const mixed = (domain: string, elements: string, stopTime: number) =>
    run(domain, elements, stopTime, { from: library(found!) });

  test('electrical', async () => {
    const { table } = await mixed(
      'Electrical',
      `Modelica.Electrical.Analog.Sources.SineVoltage source(V = 1, f = 60, phase = Mutabor.Constants.pi/32);
       Modelica.Electrical.Analog.Basic.Resistor r(R = 1);
       Diode d;
       Modelica.Electrical.Analog.Basic.Capacitor c(C = 1e-3, v(start = 0, fixed = true));
       Resistor load(R = 50);
       Modelica.Electrical.Analog.Basic.Ground ground;
     equation
       connect(source.p, r.p); connect(r.n, d.p); connect(d.n, c.p); connect(c.p, load.p);
       connect(c.n, ground.p); connect(load.n, ground.p); connect(source.n, ground.p);`,
      0.1,
    );
    close(table.value('c.v', 0.1), 0.7378348555);
  });

  test('rotational', async () => {
    const result = await mixed(
      'Rotational',
      `Modelica.Mechanics.Rotational.Components.Inertia j1(J = 1, phi(start = 0, fixed = true), w(start = 1, fixed = true));
       Inertia j2(J = 2, phi(start = 0, fixed = true), w(start = 1.5, fixed = true));
       Modelica.Mechanics.Rotational.Components.Damper d1(d = 0.01);
       Damper d2(d = 0.0125);
       Modelica.Mechanics.Rotational.Components.Fixed fixed;
       IdealClutch c(engaged = time >= 5 and time < 7);
     equation
       connect(fixed.flange, d1.flange_a); connect(d1.flange_b, j1.flange_a);
       connect(fixed.flange, d2.flange_a); connect(d2.flange_b, j2.flange_b);
       connect(j1.flange_b, c.flange_a); connect(c.flange_b, j2.flange_a);`,
      10,
    );
    close(impulse(result, 'c.tau', 5), 0.3350802848);
    close(result.table.value('j1.w', 10), 1.229708843);
    close(result.table.value('j2.w', 10), 1.2436211776);
  });

  test('translational', async () => {
    const { table } = await mixed(
      'Translational',
      `Modelica.Mechanics.Translational.Components.Mass body(m = 1, L = 0, s(start = 0, fixed = true), v(start = 0, fixed = true));
       Modelica.Mechanics.Translational.Sources.Force push;
       Modelica.Blocks.Sources.Sine sine(amplitude = 1, f = 1/(2*Mutabor.Constants.pi));
       Friction friction(f_slip = 0.7);
     equation
       connect(sine.y, push.f); connect(push.flange, body.flange_a); connect(friction.flange_a, body.flange_b);`,
      7,
    );
    close(table.value('body.s', 3.5), 0.43249394);
  });

  test('thermal', async () => {
    const { table } = await mixed(
      'Thermal',
      `Modelica.Thermal.HeatTransfer.Components.HeatCapacitor room(C = 1, T(start = 20, fixed = true));
       ThermalConductor wall(G = 0.1);
       Modelica.Thermal.HeatTransfer.Sources.FixedTemperature outside(T = 0);
       Modelica.Blocks.Math.BooleanToReal power(realTrue = 5, realFalse = 0);
       PrescribedHeatFlow heater;
       Thermostat thermostat(T_low = 18, T_high = 22);
     equation
       connect(thermostat.on, power.u); connect(power.y, heater.Q_flow);
       connect(room.port, wall.port_a); connect(wall.port_b, outside.port);
       connect(heater.port, room.port); connect(thermostat.port, room.port);`,
      24,
    );
    close(table.value('room.T', 24), 18.8242680319);
  });

  test('signals', async () => {
    const { table } = await mixed(
      'Blocks',
      `Modelica.Blocks.Sources.BooleanPulse pulse(width = 50, period = 1);
       Switch choice;
       Modelica.Blocks.Sources.Constant one(k = 1);
       Constant two(k = -1);
       Modelica.Blocks.Continuous.Integrator integrator(k = 2);
     equation
       connect(pulse.y, choice.u2); connect(one.y, choice.u1); connect(two.y, choice.u3); connect(choice.y, integrator.u);`,
      1,
    );
    close(table.value('integrator.y', 0.5), 1);
    close(table.value('integrator.y', 0.75), 0.5);
  });
});
