/** The process that looks at folders: a folder that became a link is gone, however it is asked about. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { HelperReply } from '../../../lib/process/serve.ts';
import type { DirectoryReport, DirectoryRequest } from './directory-reader.ts';

test(
  'a folder is reported with its own time, and one that became a link as removed',
  { timeout: 30_000 },
  async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'look-'));
    t.after(() => rmSync(root, { recursive: true, force: true }));
    for (const name of ['Film', 'Other']) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, `${name}.mkv`), name);
      utimesSync(join(root, name, `${name}.mkv`), 1_000_000, 1_000_000);
      utimesSync(join(root, name), 2_000_000, 2_000_000);
    }
    const helper = fork(fileURLToPath(new URL('./directory-reader.ts', import.meta.url)), {
      execArgv: ['--no-warnings'],
    });
    t.after(() => helper.kill());
    const next = () =>
      new Promise<HelperReply>((resolve) => void helper.once('message', (message) => resolve(message as HelperReply)));
    assert.deepEqual(await next(), { ready: true });
    const look = async (
      request: Pick<DirectoryRequest, 'folders' | 'isFull'> & { ignored?: readonly string[] },
    ): Promise<DirectoryReport[]> => {
      helper.send({ id: 1, request: { root, now: Date.now(), placement: '', ignored: [], ...request } });
      const reply = await next();
      assert.ok('reply' in reply, JSON.stringify(reply));
      return reply.reply as DirectoryReport[];
    };
    const [film] = await look({ folders: [{ path: 'Film' }], isFull: true });
    assert.ok(film?.state === 'listed');
    assert.deepEqual([film.mtime, film.files.map(([name, size]) => [name, size])], [2_000_000_000, [['Film.mkv', 4]]]);
    const known = { path: 'Film', mtime: film.mtime, signature: film.signature };
    for (const isFull of [true, false])
      assert.deepEqual(await look({ folders: [known], isFull }), [
        { path: 'Film', state: 'same', mtime: 2_000_000_000 },
      ]);
    for (const isFull of [true, false])
      assert.deepEqual(
        await look({ folders: [known, { path: '' }], isFull, ignored: ['film', '*.MKV'] }).then((found) =>
          found.map((one) => [one.path, one.state, one.state === 'listed' ? one.folders : undefined]),
        ),
        [
          ['Film', 'ignored', undefined],
          ['', 'listed', ['Other']],
        ],
      );
    const [other] = await look({ folders: [{ path: 'Other' }], isFull: true, ignored: ['*.MKV'] });
    assert.ok(other?.state === 'listed', JSON.stringify(other));
    assert.deepEqual(other.files, []);
    renameSync(join(root, 'Film'), join(root, 'Moved'));
    symlinkSync('Other', join(root, 'Film'));
    for (const isFull of [true, false])
      assert.deepEqual(await look({ folders: [known], isFull }), [{ path: 'Film', state: 'gone' }]);
  },
);
