/**
 * Loaded before the server by a bench: measures how long its main thread is blocked, and prints it on SIGUSR2 in a
 * separate line `@held {"p99":…,"max":…,"used":…}` in milliseconds (`used`: processor time of that thread), and begins
 * again.
 */
const STEP = 2;
let waits: number[] = [];
let last = performance.now();
let used = process.threadCpuUsage();
setInterval(() => {
  const now = performance.now();
  waits.push(Math.max(0, now - last - STEP));
  last = now;
}, STEP).unref();

process.on('SIGUSR2', () => {
  const sorted = waits.toSorted((a, b) => a - b);
  const { user, system } = process.threadCpuUsage(used);
  process.stdout.write(
    `@held ${JSON.stringify({
      p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      max: sorted.at(-1) ?? 0,
      used: (user + system) / 1000,
    })}\n`,
  );
  waits = [];
  used = process.threadCpuUsage();
  last = performance.now();
});
