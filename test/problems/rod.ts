/** A heated rod of n cells: 493.15 K on the left, insulated on the right, 293.15 K at the beginning; with its exact solution. */

/** The rod as equations of an array. */
export const rod = `model Rod
  parameter Integer n = 5;
  parameter Real L = 1, A = 4e-4, rho = 7500, lambda = 74, c = 450;
  parameter Real dx = L/n;
  parameter Real k1 = (lambda/dx)/(c*rho*dx), k2 = 2*lambda*A/dx;
  Real T[n](each start = 293.15, each fixed = true, each unit = "K") "Temperatures of the cells";
  Real aT, bT, aQ, bQ;
  Real mean = sum(T)/n;
equation
  der(T[1]) = k1*(2*(aT - T[1]) - (T[1] - T[2]));
  for i in 2:n-1 loop
    der(T[i]) = k1*(T[i-1] - 2*T[i] + T[i+1]);
  end for;
  der(T[n]) = k1*(T[n-1] - T[n] - 2*(T[n] - bT));
  aQ = k2*(aT - T[1]);
  bQ = k2*(bT - T[n]);
  aT = 493.15;
  bQ = 0;
end Rod;`;

/** Temperature of cell i (from 1) of n at a time: a sum over the modes of the discrete problem, each with its own decay. */
export function rodTemperature(n: number, i: number, time: number): number {
  const k1 = (74 / (450 * 7500)) * n * n;
  let share = 0;
  // The modes are sin((i - 1/2) w); their sums over the cells are 1/(2 sin(w/2)), those of their squares n/2.
  for (let m = 0; m < n; m++) {
    const w = ((m + 0.5) * Math.PI) / n;
    const decay = 4 * k1 * Math.sin(w / 2) ** 2 * time;
    if (decay > 700) break;
    share += (Math.sin((i - 0.5) * w) / (n * Math.sin(w / 2))) * Math.exp(-decay);
  }
  return 493.15 - 200 * share;
}
