/**
 * Killed right after each of its writes, a scan has lost nothing and doubled nothing once it is done again. With
 * a planted fault, by which a folder counts as done too early, the same check fails.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { runUntilKilled } from '../../../../test/faults/killed-program.ts';
import type { ScannedState } from '../../testing/scanner.ts';
import { makeVideo } from '../../testing/world.ts';

/** Runs the program; undefined if it was killed. */
async function scan(folder: string, lastWrite: number, fault?: string): Promise<ScannedState | undefined> {
  const { code, signal, said } = await runUntilKilled('scanner', [folder, String(lastWrite)], { fault });
  if (signal === 'SIGKILL') return undefined;
  assert.equal(code, 0);
  return JSON.parse(said.slice(0, said.indexOf('\n'))) as ScannedState;
}

/** The videos of a household by their content, wherever they are. */
interface House {
  folder: string;
  at: Map<string, string>;
  ids: Map<string, string>;
  complaints: string[];
}

const put = (house: House, what: string, path: string): void => {
  makeVideo(join(house.folder, 'media', path));
  house.at.set(what, path);
};
const move = (house: House, what: string, to: string): void => {
  const [from, into] = [join(house.folder, 'media', house.at.get(what) ?? ''), join(house.folder, 'media', to)];
  mkdirSync(dirname(into), { recursive: true });
  renameSync(from, into);
  house.at.set(what, to);
};
const drop = (house: House, what: string): void => {
  rmSync(join(house.folder, 'media', house.at.get(what) ?? ''));
  house.at.delete(what);
};

/** Compares the catalogue with the files on the disk, and with its earlier contents. */
function check(house: House, { files, present, shown, watched }: ScannedState, when: string): void {
  const complain = (what: string) => house.complaints.push(`${when}: ${what}`);
  const there = new Map(files.filter(({ isMissing }) => !isMissing).map(({ path, item }) => [path, item]));
  for (const [what, path] of house.at) {
    const item = there.get(path);
    if (item == null) complain(`${what} is lost`);
    else if (house.ids.has(what) && house.ids.get(what) !== item) complain(`${what} is another item`);
    else if (!present.some(({ id }) => id === item)) complain(`${what} is not shown`);
    if (item != null && house.ids.has(what) && !watched.includes(item)) complain(`${what} lost its history`);
    if (item != null && !house.ids.has(what)) house.ids.set(what, item);
  }
  const places = new Set(house.at.values());
  for (const path of there.keys()) if (!places.has(path)) complain(`${path} is not on the disk`);
  for (const { title, kind, hasFile } of present)
    if ((kind === 'movie' || kind === 'episode') && !hasFile) complain(`${title} has no file`);
  const tops = present.filter(({ kind }) => kind === 'movie' || kind === 'show').length;
  if (tops !== shown) complain(`${shown} shown of ${tops}`);
}

async function storm(t: TestContext, writes: readonly number[], fault?: string): Promise<House> {
  const house: House = {
    folder: mkdtempSync(join(tmpdir(), 'matinee-storm-')),
    at: new Map(),
    ids: new Map(),
    complaints: [],
  };
  t.after(() => rmSync(house.folder, { recursive: true, force: true }));
  for (let n = 0; n < 70; n++) put(house, `film ${n}`, `Films ${n % 3}/Film ${n} (2001)/Film ${n} (2001).mp4`);
  for (let n = 1; n <= 6; n++) put(house, `episode ${n}`, `Show/Season ${1 + (n % 2)}/Show S0${1 + (n % 2)}E0${n}.mkv`);
  for (const at of [1, 3])
    if (await scan(house.folder, at, fault)) house.complaints.push(`its first scan ends before write ${at}`);
  check(house, (await scan(house.folder, 0, fault)) ?? assert.fail(), 'first');
  check(house, (await scan(house.folder, 0, fault)) ?? assert.fail(), 'again');
  for (const [round, at] of writes.entries()) {
    move(house, `film ${round}`, `Films 1/Moved ${round} (2002)/Moved ${round} (2002).mp4`);
    move(house, `film ${round + 20}`, `Films 2/Film ${round + 20} (2001)/Another name ${round}.mp4`);
    drop(house, `film ${round + 40}`);
    put(house, `new ${round}`, `Films 0/New ${round} (2003)/New ${round} (2003).mkv`);
    const show = join(house.folder, 'media');
    const before = readdirSync(show).find((name) => name.startsWith('Show')) ?? assert.fail();
    renameSync(join(show, before), join(show, `Show ${'abcdefghij'[round]}`));
    for (let n = 1; n <= 6; n++)
      house.at.set(`episode ${n}`, (house.at.get(`episode ${n}`) ?? '').replace(before, `Show ${'abcdefghij'[round]}`));
    const killed = await scan(house.folder, at, fault);
    const told = await scan(house.folder, 0, fault);
    check(house, told ?? assert.fail(), `round ${round}, ${killed ? 'not killed' : `killed after write ${at}`}`);
  }
  return house;
}

test(
  'killed after any write, a repeated scan has neither lost nor duplicated items',
  { timeout: 900_000 },
  async (t) => {
    const { complaints } = await storm(t, [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(complaints, []);
  },
);

test('planted: a folder that counts as done before it is fails the same check', { timeout: 900_000 }, async (t) => {
  const { complaints } = await storm(t, [2, 3, 4], 'folder-done-early');
  assert.notDeepEqual(complaints, []);
});
