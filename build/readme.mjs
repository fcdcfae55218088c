/**
 * Makes the links of `README.md` absolute for a package, and relative again afterwards: pages of registries know nothing of the files beside
 * a README, but all files of a published package have an address. `node build/readme.mjs [relative]`.
 *
 * It is the last step before npm packs, after all that can fail, so that nothing but packing sees the other links. npm calls it for
 * installations too, and there it leaves the links relative.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const readme = new URL('../README.md', import.meta.url);
const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const base = `https://unpkg.com/${name}@${version}/`;

const text = readFileSync(readme, 'utf8').replaceAll(`](${base}`, '](');
const packs = process.argv[2] !== 'relative' && ['pack', 'publish'].includes(process.env.npm_command ?? '');
const changed = packs ? text.replace(/\]\((?!https?:|#)/g, `](${base}`) : text;
writeFileSync(readme, changed);
