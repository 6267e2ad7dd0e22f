/** After any sequence of changes there is one subtitle, and everything before it can be restored. */
import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { Failure } from '../../lib/failure.ts';
import { contentHash, createPreserved } from '../history/preserved.ts';
import { installingStore } from '../store/installing.ts';

const FILM = 'Winter Road (1977)';
const SIGNAL = new AbortController().signal;
const STEPS = 14;
const cue = (word: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${word}.\n`;
const ACTS = ['shift', 'import', 'role', 'text', 'restore', 'previous', 'by hand', 'removed', 'restart'] as const;

for (const seed of [3, 77, 1_234]) {
  test(`a household of one film, ${STEPS} steps (seed ${seed})`, async (t) => {
    let state = seed;
    const chance = (most: number): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % most;
    const folder = await openTemporaryFolder(t);
    const media = join(folder, 'media', FILM);
    await makeVideo(join(media, `${FILM}.mkv`));
    await writeFile(join(media, `${FILM}.eng.srt`), `\ufeff${cue("Somebody's own")}`);
    const open = () => openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
    let world = await open();
    t.after(() => world.close());
    await world.scan();
    const id = await world.idOf(FILM);
    const there = async (): Promise<[string, Buffer] | undefined> => {
      const names = (await readdir(media)).filter((name) => !name.endsWith('.mkv'));
      assert.ok(names.length <= 1, names.join());
      return names[0] === undefined ? undefined : [names[0], await readFile(join(media, names[0]))];
    };
    const replaced = new Set<string>();
    const done: string[] = [];
    for (let n = 0; n < STEPS; n++) {
      const act = ACTS[chance(ACTS.length)] ?? 'shift';
      const { workbench } = world.subtitles;
      const before = await there();
      const seen = await workbench.inspect({ id, language: 'en' }, SIGNAL);
      const apply = (change: object) =>
        workbench.apply(
          { id, language: 'en', fingerprint: seen.fingerprint, ...change } as Parameters<typeof workbench.apply>[0],
          SIGNAL,
        );
      const work = async (): Promise<unknown> => {
        switch (act) {
          case 'shift':
            return apply({ offsetMilliseconds: 250 });
          case 'import':
            return apply({ data: Buffer.from(cue(`Import ${n}`)).toString('base64') });
          case 'role':
            return apply({ role: seen.role === 'sdh' ? 'normal' : 'sdh' });
          case 'text':
            return apply({ text: cue(`Text ${n}`) });
          case 'restore':
            return workbench.restore({ id }, SIGNAL);
          case 'previous':
            return workbench.restore({ id, to: 'previous' }, SIGNAL);
          case 'by hand':
            return before && writeFile(join(media, before[0]), cue(`By hand ${n}`));
          case 'removed':
            return before && rm(join(media, before[0]));
          case 'restart': {
            await world.close();
            world = await open();
            return world.scan();
          }
        }
      };
      const isDone = await work().then(
        () => true,
        (error: unknown) => {
          if (error instanceof Failure && error.kind === 'conflict') return false;
          throw error;
        },
      );
      done.push(`${act}${isDone ? '' : ' refused'}`);
      const told = done.join(', ');
      if (act === 'restore') assert.equal(isDone, seen.restorable, told);
      const isOurs = act !== 'by hand' && act !== 'removed' && act !== 'restart';
      const after = await there();
      if (!isDone) assert.deepEqual(after, before, told);
      else if (isOurs) {
        assert.ok(after, told);
        if (before) replaced.add(contentHash(before[1]));
        const now = await world.subtitles.workbench.inspect({ id, language: 'en' }, SIGNAL);
        assert.equal(now.fingerprint, contentHash(after[1]), told);
        if (before) assert.equal(now.restorable, true, told);
      }
      const kept = createPreserved(folder);
      for (const content of replaced) assert.equal(contentHash(await kept.get(content)), content, told);
      assert.deepEqual(await installingStore(world.db).intents(), [], told);
    }
  });
}
