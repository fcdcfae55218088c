/** Answers that a first look at the studio does not need; `main.ts` loads their code when somebody asks. */
import { animationOf } from '../../animation/recorded.ts';
import { sceneOf } from '../../animation/scene.ts';
import { iconOf } from '../../diagram/icon.ts';
import { drawingSvg } from '../../diagram/svg.ts';
import type { LateMethods } from '../protocol.ts';
import { Documentations } from './documentation.ts';
import { Drawings } from './drawings.ts';
import { Exports } from './exports.ts';
import type { WorkspaceFiles } from './files.ts';
import type { Libraries } from './libraries.ts';
import type { Models } from './models.ts';
import type { Runs } from './runs.ts';

/** Pixels of an icon; twice as many as it has on most screens. */
const ICON = 40;

/** What a worker knows. */
export interface Known {
  readonly files: WorkspaceFiles;
  readonly models: Models;
  readonly libraries: Libraries;
  readonly runs: Runs;
}

export function lateMethods({ files, models, libraries, runs }: Known): LateMethods {
  return {
    ...new Drawings(files, models).methods,
    ...new Exports(files, models, runs).methods,
    ...new Documentations(models).methods,
    icons: (names) =>
      libraries.each(names, (entity) =>
        drawingSvg(iconOf(entity, { size: ICON, labels: false }), { size: ICON }),
      ),
    scene: (run) => {
      const result = runs.find(run)?.result;
      const animation = result && animationOf(result);
      return animation && sceneOf(animation);
    },
  };
}
