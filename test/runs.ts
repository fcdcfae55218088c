/**
 * How many cases of a random law are tried, of as many as a developer's run tries. The machine that judges a change always draws the same ones: of cases that take long, a half
 * shows there what changed.
 */
export const runsOf = (runs: number): number => (process.env.CI ? Math.ceil(runs / 2) : runs);
