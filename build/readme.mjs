/**
 * Makes the links of `README.md` absolute while the package is packed, and relative again afterwards: pages of registries know nothing of
 * the files beside a README, but all files of a published package have an address. `node build/readme.mjs absolute|relative`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const readme = new URL('../README.md', import.meta.url);
const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const base = `https://unpkg.com/${name}@${version}/`;

const text = readFileSync(readme, 'utf8').replaceAll(`](${base}`, '](');
const changed = process.argv[2] === 'absolute' ? text.replace(/\]\((?!https?:|#)/g, `](${base}`) : text;
writeFileSync(readme, changed);
