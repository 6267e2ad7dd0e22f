/** Several files in one language: an operation acts on the one whose role is named, and returns that one. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { Failure } from '../../lib/failure.ts';

const SIGNAL = new AbortController().signal;
const srt = (text: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;
const FILES = {
  'Film.en.srt': srt('regular'),
  'Film.en.forced.srt': srt('forced'),
  'Film.en.sdh.srt': srt('[sighs] hard of hearing'),
} as const;
const OF = { normal: 'Film.en.srt', forced: 'Film.en.forced.srt', sdh: 'Film.en.sdh.srt' } as const;

test('each operation uses the named role, and the regular file by default', async (t) => {
  const folder = await openTemporaryFolder(t);
  const media = join(folder, 'media');
  await makeVideo(join(media, 'Film.mkv'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(media, name), text);
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  const id = await world.idOf('Film');
  const bench = world.subtitles.workbench;
  const now = async (name: string): Promise<string> =>
    (await readFile(join(media, name), 'utf8')).trim().split('\n').slice(1).join(' ');

  for (const [role, name] of [[undefined, OF.normal], ...Object.entries(OF)] as [
    keyof typeof OF | undefined,
    keyof typeof FILES,
  ][]) {
    const seen = await bench.inspect({ id, language: 'en', role }, SIGNAL);
    assert.deepEqual(
      [seen.role, seen.current?.cues[0]?.text],
      [role ?? 'normal', FILES[name].trim().split('\n').at(-1)],
    );
    assert.equal(
      Buffer.from((await bench.export({ id, language: 'en', role, format: 'original' }, SIGNAL)).bytes).toString(),
      FILES[name],
    );
    const frozen = await bench.setReplaceable({ id, language: 'en', role, replaceable: false });
    assert.deepEqual(
      [frozen.role, frozen.installed !== undefined, frozen.replaceable],
      [role ?? 'normal', true, false],
    );
    assert.equal((await bench.setReplaceable({ id, role, replaceable: true })).role, role ?? 'normal');
  }

  for (const [role, name] of Object.entries(OF) as [keyof typeof OF, keyof typeof FILES][]) {
    const { fingerprint } = await bench.inspect({ id, language: 'en', role }, SIGNAL);
    const applied = await bench.apply(
      { id, language: 'en', currentRole: role, fingerprint, offsetMilliseconds: 500 },
      SIGNAL,
    );
    assert.deepEqual([applied.role, applied.current?.cues[0]?.start], [role, 1.5]);
    assert.match(await now(name), /^00:00:01,500/);
  }

  const back = await bench.restore({ id, language: 'en', role: 'forced' }, SIGNAL);
  assert.deepEqual(
    [back.role, back.installed?.source, await readFile(join(media, OF.forced), 'utf8')],
    ['forced', 'sidecar', FILES[OF.forced]],
  );
  assert.match(await now(OF.normal), /^00:00:01,500/, 'the regular file stays as it is');
  const regular = await bench.restore({ id }, SIGNAL);
  assert.deepEqual([regular.role, await readFile(join(media, OF.normal), 'utf8')], ['normal', FILES[OF.normal]]);
  assert.match(await now(OF.sdh), /^00:00:01,500/);

  await bench.apply(
    {
      id,
      language: 'en',
      currentRole: 'sdh',
      fingerprint: (await bench.inspect({ id, language: 'en', role: 'sdh' }, SIGNAL)).fingerprint,
      removeHearingImpaired: true,
    },
    SIGNAL,
  );
  assert.equal((await bench.restore({ id, language: 'en', role: 'sdh' }, SIGNAL)).role, 'sdh');
});

test('a role that the language does not have is refused, and nothing of another role is touched', async (t) => {
  const folder = await openTemporaryFolder(t);
  await makeVideo(join(folder, 'media', 'Film.mkv'));
  await writeFile(join(folder, 'media', 'Film.en.srt'), FILES['Film.en.srt']);
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  const id = await world.idOf('Film');
  const bench = world.subtitles.workbench;
  const isConflict = (error: unknown): boolean => error instanceof Failure && error.kind === 'conflict';
  await bench.apply(
    {
      id,
      language: 'en',
      fingerprint: (await bench.inspect({ id, language: 'en' }, SIGNAL)).fingerprint,
      offsetMilliseconds: 500,
    },
    SIGNAL,
  );
  await assert.rejects(bench.restore({ id, language: 'en', role: 'forced' }, SIGNAL), isConflict);
  await assert.rejects(bench.setReplaceable({ id, language: 'en', role: 'forced', replaceable: false }), isConflict);
  assert.equal((await bench.inspect({ id, language: 'en', role: 'forced' }, SIGNAL)).fingerprint, 'missing');
  // Created without a predecessor and removed: the state is that of the role, not of the remaining file.
  const data = Buffer.from(srt('foreign')).toString('base64');
  await bench.apply(
    { id, language: 'en', currentRole: 'forced', data, fingerprint: 'missing', role: 'forced' },
    SIGNAL,
  );
  const gone = await bench.restore({ id, language: 'en', role: 'forced', to: 'previous' }, SIGNAL);
  assert.deepEqual([gone.role, gone.installed, gone.restorable], ['forced', undefined, true]);
  assert.equal((await bench.restore({ id, language: 'en', role: 'forced' }, SIGNAL)).installed?.format, 'srt');
});
