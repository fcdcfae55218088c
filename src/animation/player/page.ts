/** The script of a page that `animationPage` makes: it reads the scene and the results that the page carries, and plays them. */
import { readCarried } from '../../results/plot/carried.ts';
import { make } from '../../results/plot/elements.ts';
import { Viewer } from '../../results/plot/viewer.ts';
import { unpacked } from '../pack.ts';
import type { Scene } from '../scene.ts';
import { Player } from './player.ts';

const root = document.getElementById('player')!;
root.replaceChildren();
const player = new Player(root, unpacked(document.getElementById('scene')!.textContent!) as Scene);
const side = make('section', 'side');
side.setAttribute('aria-label', 'Plot');
root.append(side);
const unplotted = document.getElementById('unplotted');
if (unplotted) side.append(unplotted);
else if (document.getElementById('data')) {
  const { tables, data } = readCarried();
  const seek = (time: number) => player.seek(time);
  const plot = new Viewer(side, tables, data.layout ?? undefined, data.options, data, seek);
  plot.note(data.notes);
  player.join(plot);
} else root.classList.add('alone');
