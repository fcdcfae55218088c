/** Animations as files. This is read only where one is asked for: the page that plays it brings a large script along. */
import { animationGlb } from '../animation/glb.ts';
import { animationPage } from '../animation/html.ts';
import { animationOf, type Recorded, type RecordedOptions } from '../animation/recorded.ts';
import { animationNotes } from '../animation/scene.ts';
import { seenOf } from '../animation/visuals.ts';
import { warning } from '../diagnostic/diagnostic.ts';
import type { Written } from './output.ts';

/** The animation of a run as a file of a kind, `.glb` or `.html`, and what it does not show as it happened. */
export function animated(run: Recorded, extension: string, options: RecordedOptions): Written {
  const animation = animationOf(run, options);
  const notes = animation ? animationNotes(animation) : seenOf(run.visuals ?? [], run.table).notes;
  return {
    parts: animation && [extension === '.glb' ? animationGlb(animation) : animationPage(animation)],
    diagnostics: notes.map(({ text, hint }) =>
      warning('incomplete-animation', `\`--animation\`: ${text}`, { hint }),
    ),
  };
}
