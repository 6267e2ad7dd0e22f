/**
 * The timing audit from a scanned library to fixed files: what is judged, what is judged again, what makes it wait or
 * stop, and that a fix changes exactly what was judged.
 *
 * Where people speak in the films is made up; everything else is real.
 */
import { textOfReason } from '../../contract/kernel/reason-texts.ts';
import { TASK_REMARKS, type TaskRemark } from '../../contract/ops/task-remarks.ts';
import assert from 'node:assert/strict';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeVideo, openTemporaryFolder, openWorld, type World } from '../../../test/subtitles/world.ts';
import { until } from '../../../test/until.ts';
import { subtitleAudit as endpoints } from '../../contract/subtitles/audit.ts';
import { film, moved } from '../../cues/align/testing.ts';
import { type Cue, spansOf, toSrt } from '../../cues/index.ts';
import type { JsonValue } from '../../lib/tasks/index.ts';
import { runTask } from '../../lib/tasks/testing.ts';
import type { Speech } from '../../speech/index.ts';

const MINUTES = 8;
const LATE_MS = 2_500;
const ENGLISH = [
  'We have been waiting here since the morning.',
  'Nobody told me that the ferry was late.',
  'I thought you knew the way to the harbour.',
  'My sister wrote to me about this house.',
];
const GERMAN = [
  'Wir warten hier schon seit heute Morgen.',
  'Niemand hat mir gesagt, dass die Fähre Verspätung hat.',
  'Ich dachte, du kennst den Weg zum Hafen.',
  'Meine Schwester hat mir von diesem Haus geschrieben.',
];
const { cues, curve } = film(5, MINUTES);
const srtOf = (of: readonly Cue[], words: readonly string[] = ENGLISH): string =>
  toSrt({
    format: 'srt',
    cues: of.map((one, n) => ({ ...one, spans: spansOf(words[n % words.length] ?? '') })),
    warnings: [],
  } as never);
const shift = (by: number) => moved(cues, (time) => time + by);

const FILMS = {
  Fitting: { 'en.srt': srtOf(cues), 'en.sdh.srt': srtOf(shift(10)) },
  Foreign: { 'en.srt': srtOf(cues, GERMAN) },
  Late: { 'en.srt': srtOf(shift(LATE_MS)) },
  Other: { 'en.srt': srtOf(film(77, MINUTES).cues) },
  Silent: { 'en.srt': srtOf(cues) },
} as const;
type Title = keyof typeof FILMS;
const year = (title: Title): number => 2001 + Object.keys(FILMS).indexOf(title);
const pathOf = (title: Title, ending: string): string =>
  join(world.media, `${title} (${year(title)})`, `${title} (${year(title)})${ending}`);

let world: World;
/** Titles of the films that were listened to. */
let listened: string[] = [];
let isPlaying = false;
/** Number of questions whether something is played. */
let questions = 0;
/** Replaces listening while it is set. */
let listening: ((signal: AbortSignal) => Promise<void>) | undefined;
const { signal } = new AbortController();

const pretend = (real: Speech): Speech => ({
  ...real,
  curve: async (source, options) => {
    if (source.file.relative.startsWith('Silent')) return real.curve(source, options);
    listened.push(source.file.relative.split(' ')[0] ?? '');
    await listening?.(options.signal);
    return { detector: 'neural', duration: MINUTES * 60, speech: curve, level: curve } as never;
  },
});

before(async (t) => {
  const folder = await openTemporaryFolder(t as never);
  for (const [title, files] of Object.entries(FILMS)) {
    const stem = join(folder, 'media', `${title} (${year(title as Title)})`, `${title} (${year(title as Title)})`);
    await makeVideo(`${stem}.mkv`, { seconds: MINUTES * 60, hasSound: title !== 'Silent' });
    for (const [ending, text] of Object.entries(files)) await writeFile(`${stem}.${ending}`, text);
  }
  world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' }, speech: pretend });
  world.subtitles.workbench.audit.yieldTo(() => ((questions += 1), isPlaying));
  await world.scan();
});
after(() => world.close());

/** Runs the task as the task floor does, with a cursor of before. */
async function audit({ saved, until: stop = signal }: { saved?: JsonValue; until?: AbortSignal } = {}): Promise<{
  saved: JsonValue | undefined;
  details: string[];
}> {
  const told: { saved: JsonValue | undefined; details: string[] } = { saved, details: [] };
  const context = {
    signal: stop,
    resumed: saved !== undefined,
    saved,
    progress: (_part: number, ...remarks: readonly TaskRemark[]) =>
      void told.details.push(remarks.map((remark) => textOfReason(TASK_REMARKS, remark)).join(', ')),
    save: async (cursor: JsonValue) => void (told.saved = cursor),
  };
  listened = [];
  const [task] = world.subtitles.workbench.audit.tasks;
  assert.ok(task);
  await runTask(task, {} as never, context);
  return told;
}
const list = async (verdict: 'misfits' | 'all' = 'misfits') =>
  endpoints.list.result.parse(await world.subtitles.workbench.audit.list({ verdict, page: 1, limit: 40 }));
const verdicts = async () =>
  Object.fromEntries(
    (await list('all')).items.map(({ title, role, timing }) => [
      role === 'sdh' ? `${title} sdh` : title,
      timing.verdict,
    ]),
  );
const misfit = async (title: Title) => {
  const found = (await list()).items.find((one) => one.title === title);
  assert.ok(found, `${title} is a misfit`);
  return found;
};
const fix = async (fixes: Parameters<World['subtitles']['workbench']['audit']['fix']>[0]['fixes']) =>
  endpoints.fix.result.parse(await world.subtitles.workbench.audit.fix({ fixes }, signal));
const asked = ({ id, track, judgement }: Awaited<ReturnType<typeof misfit>>) => ({ id, track, judgement });
const settled = () => until('everything is judged', async () => (await list()).pending === 0, { withinMs: 20_000 });

test('every text is judged, and each film is listened to once', async () => {
  assert.equal((await list()).pending, 5);
  const { details } = await audit();
  assert.deepEqual(await verdicts(), {
    Fitting: 'fits',
    'Fitting sdh': 'fits',
    Foreign: 'language',
    Late: 'shifted',
    Other: 'mismatch',
    Silent: 'unknown',
  });
  assert.deepEqual(listened.toSorted(), ['Fitting', 'Foreign', 'Late', 'Other']);
  assert.equal(details.at(-1), '5 of 5 videos, 3 do not fit');
  const { counts, pending, items } = await list();
  assert.deepEqual([counts.fits, counts.unknown, pending, items.length], [2, 1, 0, 3]);
  const late = await misfit('Late');
  assert.ok(Math.abs((late.timing.shiftMilliseconds ?? 0) + LATE_MS) <= 60, `${late.timing.shiftMilliseconds}`);
  assert.deepEqual([late.own, late.fixable, late.timing.reference], [true, true, 'speech']);
  assert.ok(late.timing.evidence.length > 0);
  const foreign = await misfit('Foreign');
  assert.deepEqual([foreign.fixable, foreign.timing.detected], [false, 'de']);
  assert.equal((await misfit('Other')).fixable, false);

  const { items: inventory } = await world.inventory();
  const languages = inventory.find(({ title }) => title === 'Late')?.languages;
  assert.deepEqual(
    languages?.map(({ language, timing }) => [language, timing?.verdict]),
    [['en', 'shifted']],
  );
  const silent = inventory.find(({ title }) => title === 'Silent')?.languages[0];
  assert.deepEqual([silent?.timing?.verdict, silent?.timing?.why], ['unknown', 'no-audio']);
});

test('only a text or a video that changed is judged again', async () => {
  assert.equal((await audit()).details.at(-1), 'nothing new');
  assert.deepEqual(listened, []);
  await writeFile(pathOf('Fitting', '.en.srt'), srtOf(shift(-4_000)));
  await world.scan();
  assert.equal((await list()).pending, 1);
  assert.equal((await verdicts())['Fitting'], undefined, 'what was judged is not there any more');
  await audit();
  assert.deepEqual(listened, ['Fitting']);
  assert.deepEqual([(await verdicts())['Fitting'], (await verdicts())['Fitting sdh']], ['shifted', 'fits']);
  await writeFile(pathOf('Fitting', '.en.srt'), srtOf(cues));
  await utimes(pathOf('Late', '.mkv'), new Date(), new Date());
  await world.scan();
  await audit();
  assert.deepEqual(listened.toSorted(), ['Fitting', 'Late']);
});

test('a check right after a scan judges what the scan found', async () => {
  await utimes(pathOf('Other', '.mkv'), new Date(), new Date(Date.now() + 2_000));
  // Unlike `world.scan`, which waits until the inventory has followed.
  await world.tasks.ended((await world.tasks.start('scan', {})).id);
  await audit();
  assert.deepEqual(listened, ['Other']);
});

test('playback and people who wait interrupt it, and it continues with the same film afterwards', async () => {
  await utimes(pathOf('Late', '.mkv'), new Date(), new Date(Date.now() + 5_000));
  await world.scan();
  isPlaying = true;
  const running = audit();
  questions = 0;
  await until('it waits', () => questions > 1);
  assert.deepEqual(listened, [], 'nothing is listened to while something is played');
  const begun = Promise.withResolvers<void>();
  const interrupted = Promise.withResolvers<void>();
  listening = (stop) =>
    new Promise((_, reject) => {
      begun.resolve();
      stop.addEventListener('abort', () => {
        interrupted.resolve();
        reject(stop.reason as Error);
      });
    });
  isPlaying = false;
  await begun.promise;
  isPlaying = true;
  await interrupted.promise;
  listening = undefined;
  isPlaying = false;
  await running;
  assert.deepEqual(listened, ['Late', 'Late']);
  assert.equal((await verdicts())['Late'], 'shifted');
});

test('a run that is cancelled keeps what it judged, and the next one continues after it', async () => {
  for (const title of ['Fitting', 'Late', 'Other'] as const)
    await utimes(pathOf(title, '.mkv'), new Date(), new Date(Date.now() + 10_000));
  await world.scan();
  assert.equal((await list()).pending, 3);
  const stop = new AbortController();
  listening = async () => {
    if (listened.length === 2) stop.abort(new Error('cancelled'));
    stop.signal.throwIfAborted();
  };
  await assert.rejects(audit({ until: stop.signal }), /cancelled/);
  listening = undefined;
  const [first, second] = listened;
  assert.equal((await list()).pending, 2, 'one film was judged');
  const { details } = await audit({ saved: { after: '', films: 1, misfits: 0, skipped: 0 } });
  assert.equal(listened.length, 2);
  assert.ok(!listened.includes(first ?? '') && listened.includes(second ?? ''), 'the judged one is not listened to');
  assert.match(details.at(-1) ?? '', /^3 of 3 videos/);
});

test('a fix shows first what moves, changes your own file only if that is permitted, and can be undone', async () => {
  const path = pathOf('Late', '.en.srt');
  const original = await readFile(path);
  const late = await misfit('Late');
  const preview = endpoints.preview.result.parse(await world.subtitles.workbench.audit.preview(asked(late), signal));
  assert.equal(preview.lines, cues.length);
  assert.deepEqual([preview.first.length, preview.last.length, preview.target], [5, 2, late.file]);
  const [line] = preview.first;
  assert.equal(line?.before, (cues[0]?.start ?? 0) / 1000 + LATE_MS / 1000);
  assert.ok(Math.abs((line?.after ?? 0) - (cues[0]?.start ?? 0) / 1000) < 0.1);
  assert.deepEqual(await readFile(path), original, 'a preview writes nothing');

  const { refused, results } = await fix([asked(late)]);
  assert.deepEqual([refused, results[0]?.reason], [1, 'own-subtitle']);
  assert.deepEqual(await readFile(path), original, 'it is your own file');

  const done = await fix([{ ...asked(late), own: true }]);
  assert.equal(done.fixed, 1, JSON.stringify(done));
  assert.notDeepEqual(await readFile(path), original);
  await settled();
  assert.equal((await verdicts())['Late'], 'fits', 'what was written is judged again');

  const written = done.results[0]?.written;
  assert.ok(written);
  const undo = () =>
    world.subtitles.workbench.audit.undo(
      { fixes: [{ id: late.id, track: written.track, fingerprint: written.fingerprint }] },
      signal,
    );
  assert.equal((await undo()).undone, 1);
  assert.deepEqual(await readFile(path), original, 'byte for byte');
  assert.equal((await undo()).results[0]?.reason, 'subtitle-changed', 'it is not what the fix wrote any more');
  assert.deepEqual(await readFile(path), original);
  await settled();
  assert.equal((await verdicts())['Late'], 'shifted');
});

test('a subtitle or a video that changed since it was judged is not written to', async () => {
  const path = pathOf('Late', '.en.srt');
  const { mtime } = await stat(path);
  const late = { ...asked(await misfit('Late')), own: true as const };
  const original = await readFile(path);
  // The same size and time, and no scan: only its bytes tell.
  const other = Buffer.from(original.toString().replace('waiting', 'WAITING'));
  await writeFile(path, other);
  await utimes(path, mtime, mtime);
  assert.equal((await fix([late])).results[0]?.reason, 'subtitle-changed');
  await assert.rejects(
    world.subtitles.workbench.audit.preview({ id: late.id, track: late.track, judgement: late.judgement }, signal),
  );
  assert.deepEqual(await readFile(path), other);
  await writeFile(path, original);
  await utimes(path, mtime, mtime);

  const video = pathOf('Late', '.mkv');
  const times = await stat(video);
  await utimes(video, new Date(), new Date(Date.now() + 60_000));
  assert.equal((await fix([late])).results[0]?.reason, 'item-changed', 'the file on the disk is another one');
  await utimes(video, times.atime, times.mtime);
  assert.equal((await fix([{ ...late, judgement: '0'.repeat(64) }])).results[0]?.reason, 'audit-outdated');
  assert.equal((await fix([{ ...late, track: 'file:../../etc/passwd' }])).results[0]?.reason, 'audit-outdated');
  const { id, track, judgement } = asked(await misfit('Foreign'));
  assert.equal((await fix([{ id, track, judgement, own: true }])).results[0]?.reason, 'not-fixable');
  assert.deepEqual(await readFile(path), original);
});
