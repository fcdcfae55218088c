// Jobs in several threads. One that takes too long or dies costs only itself: its thread is replaced.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** So much may the objects of one thread take, in megabytes. */
const MEMORY = 2048;
const threads = Math.max(1, Number(process.env.CONFORMANCE_JOBS) || availableParallelism() - 1);

/** The reports of all jobs, in their order: `{ code?, message?, … }`. */
export async function runAll(jobs, seconds) {
  const reports = new Array(jobs.length);
  let next = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: threads }, async () => {
      let worker;
      while (next < jobs.length) {
        const k = next++;
        worker ??= new Worker(new URL('./worker.mjs', import.meta.url), {
          stdout: true,
          resourceLimits: { maxOldGenerationSizeMb: MEMORY },
        });
        const report = await answer(worker, jobs[k], seconds);
        if (report.code === 'crash' || report.code === 'timeout') {
          await worker.terminate();
          worker = undefined;
        }
        reports[k] = report;
        if (process.stderr.isTTY)
          process.stderr.write(`\r${++done}/${jobs.length} ${jobs[k].name.slice(-60).padEnd(60)}`);
      }
      await worker?.terminate();
    }),
  );
  if (process.stderr.isTTY) process.stderr.write('\n');
  return reports;
}

function answer(worker, job, seconds) {
  return new Promise((resolve) => {
    const listeners = {
      message: (report) => settle(report),
      error: (error) => settle({ code: 'crash', message: String(error) }),
      exit: () => settle({ code: 'crash', message: 'the thread ended' }),
    };
    const spent = clock();
    const timer = setInterval(() => {
      if (spent() > seconds) settle({ code: 'timeout', message: `after ${seconds} s` });
    }, 500);
    const settle = (report) => {
      clearInterval(timer);
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener);
      resolve(report);
    };
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener);
    worker.postMessage(job);
  });
}

/** Seconds since now; on a busy machine those of the processor, in which other jobs of this process count too. */
function clock() {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min((performance.now() - began) / 1e3, (user + system) / 1e6);
  };
}
