/** The script of a page that `plotHtml` makes: it reads the results that the page carries, and shows them. */
import { readCarried } from './carried.ts';
import { Viewer } from './viewer.ts';

const { tables, data } = readCarried();
const { layout, options, notes } = data;
const viewer = new Viewer(document.getElementById('plot')!, tables, layout ?? undefined, options, data);
viewer.note(notes);
