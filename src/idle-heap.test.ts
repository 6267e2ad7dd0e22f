/** Garbage is collected at rest and only then; the real collection frees objects that nothing holds. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mock, test } from 'node:test';
import { watchIdleHeap } from './idle-heap.ts';

const MIB = 1024 ** 2;

test('it collects at rest, when enough has piled up since the last time', (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  let [used, share, collected] = [40 * MIB, 0.5, 0];
  const heap = watchIdleHeap({
    used: () => used,
    busy: () => share,
    collect: () => {
      collected++;
      used = 25 * MIB;
    },
  });
  const later = () => {
    mock.timers.tick(5_000);
    return collected;
  };
  assert.equal(later(), 0, 'while something runs, nothing is held up');
  share = 0;
  assert.equal(later(), 1, 'what the start left behind');
  assert.equal(later(), 1, 'nothing new');
  used = 30 * MIB;
  assert.equal(later(), 1, 'too little to be worth a pause');
  used = 32 * MIB;
  assert.equal(later(), 2);
  used = 10 * MIB;
  assert.equal(later(), 2, 'the engine has collected by itself');
  used = 17 * MIB;
  assert.equal(later(), 3);
  used = 90 * MIB;
  heap.stop();
  assert.equal(later(), 3);
});

test('the engine lets itself be asked when it was told so, and what nothing holds is let go of', async () => {
  const script = `import { watchIdleHeap } from ${JSON.stringify(new URL('./idle-heap.ts', import.meta.url).href)};
    let pile = Array.from({ length: 300_000 }, (_, n) => ({ n, text: String(n) }));
    let turn;
    globalThis.setInterval = (call) => (turn = call, { unref: () => {} });
    watchIdleHeap({ busy: () => 0 });
    pile = undefined;
    const before = process.memoryUsage().heapUsed;
    turn?.();
    process.stdout.write(turn === undefined ? 'not asked' : String(process.memoryUsage().heapUsed < before - 4 * 1024 ** 2));`;
  const said = (flags: readonly string[]) =>
    new Promise<string>(
      (resolve) =>
        void execFile(process.execPath, [...flags, '--input-type=module', '-e', script], (error, text) =>
          resolve(error ? error.message : text),
        ),
    );
  assert.deepEqual([await said(['--expose-gc']), await said([])], ['true', 'not asked']);
});

const FLAGS = ['--optimize-for-size', '--heap-growing-percent=40', '--no-allocation-site-pretenuring'];

test('the program tells the engine to keep the heap small, which counts as if it had been started so', async () => {
  const main = new URL('./main.ts', import.meta.url).href;
  // Two runs of the engine have the same tag when their flags are the same.
  const script = (before: string) => `import v8 from 'node:v8';
    process.on('exit', () => {
      process.exitCode = 0;
      process.stdout.write(String(v8.cachedDataVersionTag()));
    });
    ${before}`;
  const tag = (flags: readonly string[], before = '') =>
    new Promise<string>(
      (resolve) =>
        void execFile(process.execPath, [...flags, '--input-type=module', '-e', script(before)], (error, text) =>
          resolve(error ? error.message : text),
        ),
    );
  const [plain, small] = [await tag([]), await tag(FLAGS)];
  for (const left of FLAGS) assert.notEqual(await tag(FLAGS.filter((flag) => flag !== left)), small, left);
  assert.notEqual(plain, small);
  assert.equal(
    await tag([], `process.argv.push('main', 'no-such-command'); await import(${JSON.stringify(main)});`),
    small,
  );
});
