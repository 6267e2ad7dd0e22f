/** Writes that SQLite has acknowledged survive a power cut and a killed process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqlite } from './sqlite.ts';
import { makeFolder, noteIds, notes, type NoteTables, putNote } from './testing-sqlite.ts';
import type { Transaction } from './types.ts';

test('what a power cut leaves holds every write that was acknowledged as safe', async (t) => {
  const path = await makeFolder(t);
  const file = join(path, 'live', 'a.db');
  await mkdir(join(path, 'live'));
  /** Content known to be on the disk: the state at the end of the last sync. */
  const disk = join(path, 'disk');
  let syncs = 0;
  const run = async (isFaulty: boolean): Promise<{ acknowledged: string[]; found: string[] }> => {
    await rm(disk, { recursive: true, force: true });
    const db = await openSqlite({
      file,
      migrations: [notes],
      aroundSync: async (sync) => {
        syncs++;
        if (isFaulty) return;
        await sync();
        await cp(join(path, 'live'), disk, { recursive: true, force: true });
      },
    });
    await cp(join(path, 'live'), disk, { recursive: true });
    const acknowledged: string[] = [];
    const tag = isFaulty ? 'faulty' : 'sound';
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        await db.write('safe', putNote(`${tag}-${i}`));
        acknowledged.push(`${tag}-${i}`);
      }),
    );
    // The power goes here: what counts is the disk, not the process.
    const after = await openSqlite({ file: join(disk, 'a.db'), migrations: [notes] });
    const found = (await noteIds(after)).filter((id) => id.startsWith(tag));
    await after.close();
    await db.close();
    return { acknowledged: acknowledged.sort(), found };
  };
  const sound = await run(false);
  assert.equal(sound.acknowledged.length, 10);
  assert.deepEqual(sound.found, sound.acknowledged);
  assert.ok(syncs <= 4, 'those that wait share a sync');
  // The planted fault: a sync that does nothing.
  const faulty = await run(true);
  assert.notDeepEqual(faulty.found, faulty.acknowledged);
});

/**
 * Writes in another process until it has acknowledged `most` writes, and kills it then. Returns what it had
 * acknowledged.
 */
function killedWhileWriting(file: string, most: number, isFaulty: boolean): Promise<string[]> {
  const script = `import { openSqlite } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)};
    const db = await openSqlite({ file: process.argv[1], migrations: [{ id: 'note-001-notes', up: async () => {} }] });
    for (let i = 0; ; i++) await db.write(i % 2 ? 'safe' : 'grouped', async (tx) => {
      await tx.insertInto('note').values({ id: 'n' + i, text: 'x' }).execute();
      if (process.argv[2] === 'faulty') { process.stdout.write('n' + i + '\\n'); await new Promise((resolve) => setTimeout(resolve, i === 9 ? 1e9 : 0)); }
    }).then(() => process.argv[2] === 'faulty' || process.stdout.write('n' + i + '\\n'));`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file, isFaulty ? 'faulty' : 'sound'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split('\n').length > most) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', () => resolve(text.split('\n').slice(0, -1)));
  });
}

test('a process killed while it writes has kept every write that it acknowledged', async (t) => {
  const file = join(await makeFolder(t), 'a.db');
  const missing = async (most: number, isFaulty: boolean): Promise<string[]> => {
    await (await openSqlite({ file, migrations: [notes] })).close();
    const acknowledged = await killedWhileWriting(file, most, isFaulty);
    assert.ok(acknowledged.length >= most);
    const db = await openSqlite({ file, migrations: [notes] });
    const found = new Set(await noteIds(db));
    await db.write('safe', async (tx: Transaction<NoteTables>) => void (await tx.deleteFrom('note').execute()));
    await db.close();
    return acknowledged.filter((id) => !found.has(id));
  };
  for (const most of [1, 7, 40]) assert.deepEqual(await missing(most, false), [], `after ${most}`);
  // The planted fault: it says so before it has committed.
  assert.notDeepEqual(await missing(10, true), []);
});
