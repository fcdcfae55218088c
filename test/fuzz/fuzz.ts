/**
 * The fuzzer: `npm run fuzz -- --seconds 600 --seed 7`. Models are mutated and sent through everything; what is found is made small and
 * printed, and kept with `--keep` in `test/fuzz/found`, where it is a test from then on. Case n of a seed is always the same text, so
 * `--seed 7 --from 1234 --cases 1` shows one again.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCorpus } from './corpus.ts';
import { type Finding, signatureOf } from './judge.ts';
import { mutated } from './mutate.ts';
import { Random } from './random.ts';
import { Runner } from './runner.ts';
import { shrunk } from './shrink.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    cases: { type: 'string' },
    from: { type: 'string', default: '0' },
    keep: { type: 'boolean', default: false },
  },
});

/** The repository; this file runs from somewhere else. */
const root = process.env.MUTABOR_ROOT!;
const seed = Number(values.seed);
const cases = values.cases === undefined ? Number.POSITIVE_INFINITY : Number(values.cases);
const seconds = values.seconds ?? (values.cases === undefined ? '60' : undefined);
const end = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * Number(seconds);

const corpus = readCorpus(root);
const runner = new Runner(new URL('./worker.js', import.meta.url));
const found = new Map<string, number>();
const counts = new Map<string, number>();

let n = Number(values.from);
const first = n;
for (; n < first + cases && performance.now() < end; n++) {
  const one = { text: mutated(new Random(seed, n), corpus), seed: n };
  const { finding, reached } = await runner.judge(one);
  counts.set(reached, (counts.get(reached) ?? 0) + 1);
  if ((n - first) % 10_000 === 9_999) console.log(`… ${n - first + 1} cases`);
  if (!finding) continue;
  const signature = signatureOf(finding);
  const known = found.get(signature) ?? 0;
  found.set(signature, known + 1);
  if (known > 0) continue;
  const shows = async (text: string): Promise<boolean> => {
    const { finding: other } = await runner.judge({ ...one, text });
    return other !== undefined && signatureOf(other) === signature;
  };
  tell(n, finding, isCostly(finding) ? one.text : await shrunk(one.text, shows));
}
runner.end();
const total = [...found.values()].reduce((sum, count) => sum + count, 0);
const reaches = [...counts].map(([reached, count]) => `${count} came to ${reached}`).join(', ');
console.log(reaches);
console.log(`${n - first} cases of seed ${seed}: ${total} findings, ${found.size} different ones.`);
process.exitCode = found.size > 0 ? 1 : 0;

/** Too much time or memory for hundreds of attempts to show it with less. */
function isCostly({ kind }: Finding): boolean {
  return kind === 'hang' || kind === 'memory';
}

function tell(number: number, { kind, stage, message }: Finding, text: string): void {
  const head = `// seed ${seed}, case ${number}: ${kind} at ${stage}: ${message.replace(/\s+/g, ' ').slice(0, 300)}`;
  const name = `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.mo`;
  if (values.keep) writeFileSync(join(root, 'test/fuzz/found', name), `${head}\n${text}\n`);
  console.log(`--- test/fuzz/found/${name}\n${head}\n${text}\n`);
}
