/** The browser that tests look at pages with; undefined where none is installed. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const executablePath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find(existsSync);
