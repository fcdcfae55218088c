// The tube of the Modelica Association's csv-compare 2.1.1: rectangles drawn along the reference, 0.002 of the length of the run to either
// side in time, 0.002 of the range of the values (at least of 0.001, or of the least value's magnitude) up and down.
const SIZE = 0.002;
const LEAST_RANGE = 0.001;
const LEAST_TIME = 1e-12;

/** The first time at which a curve leaves the tube of the reference; `undefined` where it never does. Times do not decrease. */
export function leavesTube(reference, curve) {
  const width = SIZE * spread(reference.time, LEAST_TIME);
  const height = SIZE * spread(reference.values, LEAST_RANGE);
  const upper = envelope(reference, curve.time, width, Math.max);
  const lower = envelope(reference, curve.time, width, Math.min);
  const last = reference.time.at(-1);
  for (let k = 0; k < curve.time.length && curve.time[k] <= last; k++) {
    const value = curve.values[k];
    if (!(value <= upper[k] + height && value >= lower[k] - height)) return curve.time[k];
  }
  return undefined;
}

function spread(values, least) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return Math.max(high - low, Math.abs(low), least);
}

/** The greatest (or least) value of the reference within a distance of each time: at its points there, and at both ends of the window. */
function envelope({ time, values }, at, width, extreme) {
  const result = new Float64Array(at.length);
  let [first, end] = [0, 0];
  const window = [];
  for (let k = 0; k < at.length; k++) {
    const [from, to] = [at[k] - width, at[k] + width];
    for (; end < time.length && time[end] <= to; end++) {
      while (window.length > 0 && extreme(values[window.at(-1)], values[end]) === values[end]) window.pop();
      window.push(end);
    }
    while (first < time.length && time[first] < from) first++;
    while (window.length > 0 && window[0] < first) window.shift();
    const ends = [between(time, values, first, from), between(time, values, end, to)];
    result[k] = window.length > 0 ? extreme(values[window[0]], ...ends) : extreme(...ends);
  }
  return result;
}

/** The value at a time just before the point `next`; outside of the curve that of its nearest end. */
function between(time, values, next, at) {
  if (next === 0) return values[0];
  if (next >= time.length) return values[time.length - 1];
  const [t0, t1] = [time[next - 1], time[next]];
  return t1 > t0
    ? values[next - 1] + ((values[next] - values[next - 1]) * (at - t0)) / (t1 - t0)
    : values[next];
}
