/** What materials do to each other where they touch, if a model does not say it. */
import type { Touching } from '../contact/law.ts';

const touching = (restitution: number, friction: number, rolling: number): Touching => ({
  restitution,
  friction,
  rolling,
  stiffness: 1,
});

/** Two of one kind. Typical values of dry surfaces: they depend on how smooth these are. */
const same: Readonly<Record<string, Touching>> = {
  Steel: touching(0.7, 0.5, 0.001),
  Aluminium: touching(0.6, 0.5, 0.001),
  Brass: touching(0.6, 0.4, 0.001),
  Copper: touching(0.5, 0.5, 0.001),
  Titanium: touching(0.6, 0.4, 0.001),
  Concrete: touching(0.4, 0.6, 0.005),
  Glass: touching(0.8, 0.4, 0.001),
  Ice: touching(0.4, 0.05, 0.001),
  Rubber: touching(0.75, 1, 0.01),
  DryWood: touching(0.6, 0.3, 0.001),
  BilliardBall: touching(1, 0, 0),
  BilliardCue: touching(0.98, 0, 0),
};

/** Two of different kinds, in the order of their names. */
const mixed: Readonly<Record<string, Touching>> = {
  'BilliardBall,BilliardCue': touching(0.98, 0, 0),
  'BilliardBall,BilliardCushion': touching(0.98, 0, 0),
  'BilliardBall,BilliardTable': touching(0, 0.8, 0.01),
  'BilliardCue,BilliardTable': touching(0, 0.8, 0.01),
};

const usual = touching(0.7, 0.5, 0.001);

/** Materials of which nothing is said together are between what they are by themselves. */
export function typicalTouching(first: string, second: string): Touching {
  const own = same[first] ?? usual;
  if (first === second) return own;
  return mixed[[first, second].sort().join()] ?? meanOf(own, same[second] ?? usual);
}

/** What counts between two where neither is preferred. */
export function meanOf(a: Touching, b: Touching): Touching {
  const mean = (name: keyof Touching) => (a[name] + b[name]) / 2;
  return {
    restitution: mean('restitution'),
    friction: mean('friction'),
    rolling: mean('rolling'),
    stiffness: mean('stiffness'),
  };
}
