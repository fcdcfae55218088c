/** Animations as files. This is read only where one is asked for: the page that plays it brings a large script along. */
import { animationGlb } from '../animation/glb.ts';
import { animationPage } from '../animation/html.ts';
import { animationOf, type Recorded, type RecordedOptions } from '../animation/recorded.ts';
import type { Parts } from './write.ts';

/** The animation of a run as a file of a kind, `.glb` or `.html`, in parts. */
export function animated(run: Recorded, extension: string, options: RecordedOptions): Parts {
  const animation = animationOf(run, options)!;
  return [extension === '.glb' ? animationGlb(animation) : animationPage(animation)];
}
