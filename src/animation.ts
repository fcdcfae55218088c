/**
 * `mutabor/animation`: results of models with bodies as something to see: a file of glTF for any viewer, or a page that plays it. The page carries
 * its player, which is large; so this is a module of its own.
 *
 *     const animation = animationOf(await simulate(model));
 *     const page = animation && animationPage(animation); // HTML text
 */

export type {
  AnimatedArrow,
  AnimatedNode,
  Animation,
  ArrowKind,
  Camera,
  Material,
  Note as AnimationNote,
  TextShape,
  Triangles,
  Triple,
} from './animation/animation.ts';
export { animationGlb } from './animation/glb.ts';
export { animationPage } from './animation/html.ts';
export { animationOf, type Recorded, type RecordedOptions } from './animation/recorded.ts';
export { animationNotes } from './animation/scene.ts';
