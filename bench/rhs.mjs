/**
 * The right-hand side of N coupled nonlinear equations: our WebAssembly against the same equations as C compiled by
 * `gcc -O2`. Measured are the time of one evaluation after warm-up and the time from the equations to running code.
 * Each side takes the equations as data, turns them into what it compiles, compiles, and evaluates once.
 *
 *     node bench/rhs.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Memory } from '../dist/code/memory.js';
import { forgetCode } from '../dist/code/modules.js';
import { compileUnit } from '../dist/code/wasm.js';
import { Pool } from '../dist/symbolic/pool.js';

/** Two kinds of physics: rational (circuits, kinetics) and with elementary functions (mechanics, diodes). */
const kinds = {
  rational: {
    expr: (p, x, c, i) =>
      p.add(
        p.sub(p.mul(p.const(c(i, 0)), p.sub(x(i - 1), x(i))), p.mul(p.const(c(i, 1)), p.mul(x(i), x(i + 1)))),
        p.add(p.div(p.mul(p.const(c(i, 2)), x(i + 2)), p.add(p.one, p.mul(x(i), x(i)))), p.const(c(i, 3))),
      ),
    c: (x, c, i) =>
      `${c(i, 0)}*(${x(i - 1)} - ${x(i)}) - ${c(i, 1)}*(${x(i)}*${x(i + 1)})` +
      ` + (${c(i, 2)}*${x(i + 2)}/(1.0 + ${x(i)}*${x(i)}) + ${c(i, 3)})`,
  },
  elementary: {
    expr: (p, x, c, i) =>
      p.add(
        p.add(p.neg(x(i)), p.mul(p.mul(p.const(c(i, 0)), p.apply('sin', x(i - 1))), x(i + 1))),
        p.mul(p.const(c(i, 1)), p.apply('exp', p.neg(p.mul(x(i), x(i))))),
      ),
    c: (x, c, i) => `-${x(i)} + ${c(i, 0)}*sin(${x(i - 1)})*${x(i + 1)} + ${c(i, 1)}*exp(-(${x(i)}*${x(i)}))`,
  },
};

/** Different constants for every equation, with all their digits. */
const coefficient = (i, k) => 0.5 + ((i * 7919 + k * 104729 + 13) % 99991) / 99991;
const initial = (i) => 0.1 + ((i * 31) % 97) / 97;

/** Rows of the table: one a kind and size. */
export async function run(sizes = [1000, 10000]) {
  const rows = [];
  for (const kind of Object.keys(kinds)) for (const n of sizes) rows.push(measure(kind, n));
  return rows;
}

function measure(kind, n) {
  const ours = measureOurs(kind, n);
  const theirs = measureC(kind, n);
  let difference = 0;
  for (let i = 0; i < n; i++) {
    const scale = Math.max(1, Math.abs(theirs.values[i]));
    difference = Math.max(difference, Math.abs(ours.values[i] - theirs.values[i]) / scale);
  }
  if (!(difference < 1e-14)) throw new Error(`results differ by ${difference} (${kind}, N = ${n})`);
  return {
    name: `rhs ${kind} N=${n}`,
    unit: 'ns/equation',
    ours: ours.nanoseconds / n,
    gcc: theirs.nanoseconds / n,
    ratio: ours.nanoseconds / theirs.nanoseconds,
    readyOursMs: ours.readyMs,
    readyGccMs: theirs.readyMs,
    readyRatio: theirs.readyMs / ours.readyMs,
  };
}

function measureOurs(kind, n) {
  // The compiler itself is warm, as it is for every mode but the first of a session.
  const until = performance.now() + 2000;
  while (performance.now() < until) {
    forgetCode();
    prepare(equations(kind, n));
  }
  const readyTimes = [];
  let prepared;
  for (let k = 0; k < 5; k++) {
    const given = equations(kind, n);
    forgetCode();
    const start = performance.now();
    prepared = prepare(given);
    readyTimes.push(performance.now() - start);
  }
  const { program, memory, first, last } = prepared;
  const values = memory.values.slice(last, last + n);
  const x = memory.values.subarray(first, first + n);
  return {
    readyMs: median(readyTimes),
    nanoseconds: perCall(() => program.run(0), x),
    values,
  };
}

/** The right-hand sides as the stages before code generation hand them on. */
function equations(kind, n) {
  const pool = new Pool();
  const refs = Array.from({ length: n }, (_, i) => pool.ref(i));
  const x = (i) => refs[(i + n) % n];
  const { expr } = kinds[kind];
  return { refs, values: refs.map((_, i) => expr(pool, x, coefficient, i)) };
}

function prepare({ refs, values }) {
  const memory = new Memory();
  const n = refs.length;
  const first = memory.layout.place(refs);
  const last = memory.reserve(n);
  const body = values.map((value, i) => ({ slot: last + i, value }));
  const unit = { routines: [{ name: 'rhs', body }], functions: [], slotOf: memory.slotOf };
  const program = compileUnit(unit, memory);
  for (let i = 0; i < n; i++) memory.values[first + i] = initial(i);
  program.run(0);
  return { program, memory, first, last };
}

/** Best of many short batches (others use the machine too), after the optimising compiler had time to finish. */
function perCall(evaluate, x) {
  const until = performance.now() + 1500;
  while (performance.now() < until) evaluate();
  const calls = Math.max(1, Math.round(1e5 / x.length));
  let best = Infinity;
  for (let batch = 0; batch < 300; batch++) {
    const start = performance.now();
    for (let k = 0; k < calls; k++) {
      x[0] += 1e-9;
      evaluate();
    }
    best = Math.min(best, (performance.now() - start) / calls);
  }
  return best * 1e6;
}

function measureC(kind, n) {
  const folder = mkdtempSync(join(tmpdir(), 'mutabor-rhs-'));
  try {
    const start = performance.now();
    const source = join(folder, 'rhs.c');
    const program = join(folder, 'rhs');
    writeFileSync(source, cProgram(kind, n));
    execFileSync('gcc', ['-O2', '-o', program, source, '-lm']);
    execFileSync(program, ['once']);
    const readyMs = performance.now() - start;
    const lines = execFileSync(program, ['time'], { maxBuffer: 1 << 28 })
      .toString()
      .trim()
      .split('\n');
    return { readyMs, nanoseconds: Number(lines[0]), values: lines.slice(1).map(Number) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Straight-line C in functions of 200 equations, as ours; a program that times itself in the same way. */
function cProgram(kind, n) {
  const x = (i) => `x[${(i + n) % n}]`;
  const { c } = kinds[kind];
  const chunks = [];
  for (let first = 0; first < n; first += 200) {
    const lines = [];
    for (let i = first; i < Math.min(n, first + 200); i++)
      lines.push(`  dx[${i}] = ${c(x, coefficient, i)};`);
    chunks.push(lines.join('\n'));
  }
  const functions = chunks.map(
    (lines, k) => `__attribute__((noinline)) void f${k}(const double *x, double *dx) {\n${lines}\n}\n`,
  );
  return `#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#define N ${n}
static double x[N], dx[N], first[N];
${functions.join('')}
__attribute__((noinline)) void rhs(const double *x, double *dx) {
${chunks.map((_, k) => `  f${k}(x, dx);`).join('\n')}
}
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
int main(int argc, char **argv) {
  for (int i = 0; i < N; i++) x[i] = 0.1 + ((long)i * 31 % 97) / 97.0;
  rhs(x, dx);
  if (argc > 1 && strcmp(argv[1], "once") == 0) return dx[0] == 12345.0;
  memcpy(first, dx, sizeof dx);
  double until = now() + 2e8;
  while (now() < until) rhs(x, dx);
  int calls = ${Math.max(1, Math.round(1e5 / n))};
  double best = 1e300;
  for (int batch = 0; batch < 300; batch++) {
    double start = now();
    for (int k = 0; k < calls; k++) {
      x[0] += 1e-9;
      rhs(x, dx);
    }
    double spent = (now() - start) / calls;
    if (spent < best) best = spent;
  }
  printf("%.17g\\n", best);
  for (int i = 0; i < N; i++) printf("%.17g\\n", first[i]);
  return 0;
}
`;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const row of await run()) {
    const { name, ours, gcc, ratio, readyOursMs, readyGccMs, readyRatio } = row;
    console.log(
      `${name.padEnd(24)} ours ${ours.toFixed(2)} gcc ${gcc.toFixed(2)} ns/equation, ratio ${ratio.toFixed(2)};` +
        ` ready in ${readyOursMs.toFixed(1)} ms against ${readyGccMs.toFixed(0)} ms: ${readyRatio.toFixed(0)} x less`,
    );
  }
}
