// A heater that is switched by a state machine: the states are members of the model.
import { Model, modelica, Par, Var } from 'mutabor';

const Room = Model({
  partial: true,
  T: Var({ outer: true, output: true }),
  tau: Par({ value: 100, unit: 's' }),
  outside: Par({ value: 10, unit: 'degC' }),
});

export const Off = Model({ extends: Room, equations: modelica`tau*der(T) = outside - T` });

export const On = Model({
  extends: Room,
  heat: Par({ value: 30, unit: 'K' }),
  equations: modelica`tau*der(T) = outside + heat - T`,
});

export const Thermostat = Model({
  T: Var({ inner: true, init: 18, unit: 'degC' }),
  low: Par({ value: 19, unit: 'degC' }),
  high: Par({ value: 21, unit: 'degC' }),
  on: On,
  off: Off.with({ outside: 5 }),
  equations: modelica`
    initialState(on);
    transition(on, off, T >= high);
    transition(off, on, T <= low);
  `,
  experiment: { stopTime: 120 },
});

export default Thermostat;
