/** The script that draws scenes in space, which is loaded when one is to be seen first: most models have none, and it is as large as all else that is seen. */
import { isTyping, Picture } from '../../../animation/player/picture.ts';
import type { Scene } from '../../../animation/scene.ts';
import { PICTURE_STYLE } from '../../../animation/style.ts';

/** A picture in an element; its styles are its own. */
export interface SpacePicture {
  change(scene: Scene, time: number): void;
  show(time: number): void;
  draw(): void;
  dark(isDark: boolean): void;
}

function picture(host: HTMLElement, scene: Scene, time: number, changed: () => void): SpacePicture {
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `${PICTURE_STYLE}\n.stage { position: absolute; inset: 0; }\n.stage h1 { display: none; }`,
  );
  root.adoptedStyleSheets = [sheet];
  const made = new Picture(root, scene, time, changed);
  host.addEventListener('keydown', (event) => {
    if (!isTyping(event) && made.key(event)) event.preventDefault();
  });
  return made;
}

declare global {
  /** What `scene.js` leaves in a page. */
  var mutaborPicture: typeof picture | undefined;
}

globalThis.mutaborPicture = picture;
