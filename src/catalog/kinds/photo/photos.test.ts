/** Photo libraries: which files are one photo, when it was taken, its pages, and the pictures that are made of it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { OWNER_POLICY } from '../../../contract/identity/profiles.ts';
import {
  cr3File,
  exifOf,
  jpegWith,
  motionXmp,
  quarters,
  rawFile,
  type CameraFacts,
} from '../../probe/testing/pictures.ts';
import { codedHeic } from '../../testing/heic.ts';
import { flac } from '../../testing/sound.ts';
import { found, grow, makeVideo, openWorld, type World } from '../../testing/world.ts';
import { timeInName } from './time.ts';

const photo = async (taken: CameraFacts, more: Parameters<typeof jpegWith>[1] = {}): Promise<Buffer> =>
  jpegWith(await quarters(60, 40), { exif: exifOf(taken), ...more });
const at = (original: string, taken: CameraFacts = {}): CameraFacts => ({ original, camera: 'Ricoh GR III', ...taken });
const signal = new AbortController().signal;

/** Every photo and clip, the newest first, as title and kind. */
const listed = async (w: World) =>
  (await w.seen().library({ view: 'photos', offset: 0, limit: 200 })).items.map(
    ({ title, kind }) => `${title} ${kind}`,
  );
const idOf = async (w: World, title: string) =>
  found((await w.seen().library({ view: 'photos', offset: 0, limit: 200 })).items.find((one) => one.title === title))
    .id;

test('files of one stem are one photo, and each has the time that says most', async (t) => {
  const w = await openWorld(t, { photos: 'photos' });
  const jpeg = await quarters(16, 8);
  grow(w.at('photos'), {
    'Pair/DSC_1.JPG': await photo(at('2024:07:01 12:30:45', { offset: '+02:00' })),
    'Pair/DSC_1.DNG': rawFile(at('2024:07:01 12:30:45'), { small: jpeg, large: await quarters(40, 20) }),
    'Pair/DSC_2.CR3': cr3File(at('2024:07:01 12:31:00'), jpeg),
    'Live/IMG_5.jpg': await photo(at('2024:06:30 08:00:00')),
    'Live/IMG_5.MOV': true,
    'Live/IMG_6.jpg': await photo(at('2024:06:30 09:00:00')),
    'Live/IMG_6.mp4': 20,
    'Live/VID_20240630_100000.mp4': true,
    'Names/IMG_20230102_030405.jpg': jpeg,
    'Names/beside.jpg': await quarters(20, 8),
    'Names/beside.xmp': '<rdf:Description xmp:CreateDate="2022-12-31T23:00:00+01:00"/>',
    'Names/plain.png': await sharp(jpeg).png().toBuffer(),
    'Names/@eaDir/IMG_20230102_030405.jpg': jpeg,
    'notes.txt': 'x',
  });
  utimesSync(w.at('photos', 'Names/plain.png'), new Date(), new Date('2021-05-05T12:00:00'));
  await w.scan();
  assert.deepEqual(await listed(w), [
    'DSC_1 photo',
    'DSC_2 photo',
    'IMG_5 photo',
    'IMG_6 photo',
    'VID_20240630_100000 video',
    'IMG_6 video',
    'IMG_20230102_030405 photo',
    'beside photo',
    'plain photo',
  ]);
  const pair = found(await w.seen().item(await idOf(w, 'DSC_1')));
  assert.deepEqual(
    pair.versions.map(({ label, container }) => `${label} ${container ?? ''}`),
    ['JPEG jpeg', 'RAW raw'],
  );
  assert.deepEqual(pair.taken, { at: '2024-07-01T12:30:45', offset: '+02:00', by: 'camera' });
  assert.equal(pair.camera, 'Ricoh GR III');
  assert.deepEqual(pair.dimensions, { width: 60, height: 40 });
  const live = found(await w.seen().item(await idOf(w, 'IMG_5')));
  assert.equal(live.versions.length, 2, 'a short clip of the same name belongs to the picture');
  assert.equal(live.motion?.start, 0);
  const taken = async (title: string) => (await w.seen().item(await idOf(w, title)))?.taken;
  assert.deepEqual(await taken('IMG_20230102_030405'), { at: '2023-01-02T03:04:05', by: 'name' });
  assert.deepEqual(await taken('beside'), { at: '2022-12-31T23:00:00', offset: '+01:00', by: 'sidecar' });
  assert.deepEqual(await taken('plain'), { at: '2021-05-05T12:00:00', by: 'file' });
  assert.equal((await w.seen().library({ view: 'unwatched', offset: 0, limit: 10 })).total, 0);
  assert.deepEqual(await w.catalog.background.changedSince(0, 10), [], 'no subtitles are looked for');
  const before = await w.change();
  await w.scan();
  assert.equal(await w.change(), before, 'a second scan changes nothing');

  assert.equal(timeInName('PXL_20240506_070809123'), '2024-05-06T07:08:09');
  assert.equal(timeInName('Screenshot_2024-05-06-07-08-09'), '2024-05-06T07:08:09');
  assert.equal(timeInName('IMG-20240506-WA0012'), '2024-05-06T12:00:00');
  assert.equal(timeInName('DSC01234567890123'), undefined);
});

async function album(w: World): Promise<void> {
  grow(w.at('photos'), {
    '2024/Lisbon/a.jpg': await photo(at('2024:05:02 10:00:00', { place: true })),
    '2024/Lisbon/b.jpg': await photo(at('2024:05:02 11:00:00')),
    '2024/Lisbon/c.jpg': await photo(at('2024:05:03 09:00:00', { camera: 'Ricoh GR II' })),
    '2023/d.jpg': await photo(at('2023:01:01 00:00:01')),
  });
  await w.scan();
}

test('days, folders, cameras and years; a folder that moves keeps its photos', async (t) => {
  const w = await openWorld(t, { photos: 'photos' });
  await album(w);
  const photos = w.catalog.photosSeenBy({ policy: OWNER_POLICY });
  const days = photos.days({});
  assert.deepEqual(days, {
    items: [
      { date: '2024-05-03', count: 1 },
      { date: '2024-05-02', count: 2 },
      { date: '2023-01-01', count: 1 },
    ],
    total: 4,
  });
  const { items: folders } = await photos.folders({ limit: 100 });
  assert.deepEqual(
    folders.map(({ title, parents, count, from, to }) => [title, parents, count, from, to]),
    [
      ['2023', [], 1, '2023-01-01', '2023-01-01'],
      ['Lisbon', ['2024'], 3, '2024-05-02', '2024-05-03'],
    ],
  );
  const folder = folders[1]?.id;
  assert.equal(photos.days({ folder }).total, 3);
  assert.equal(photos.days({ folder: '0000000000000000' }).total, 0);
  const { items, facets } = await w.seen().library({ view: 'photos', folder, offset: 0, limit: 10 });
  assert.deepEqual(
    items.map(({ title }) => title),
    ['c', 'a', 'b'],
  );
  assert.deepEqual(facets.cameras, [
    { value: 'Ricoh GR III', count: 2 },
    { value: 'Ricoh GR II', count: 1 },
  ]);
  const of = async (query: object) =>
    (await w.seen().library({ view: 'photos', offset: 0, limit: 10, ...query })).total;
  assert.equal(await of({ camera: 'Ricoh GR II' }), 1);
  assert.equal(await of({ year: 2023 }), 1);
  assert.equal(await of({ q: 'Lisbon' }), 0, 'places and folders are not searched');

  const id = await idOf(w, 'a');
  await w.catalog.watching.list('p1', id, true);
  renameSync(w.at('photos', '2024/Lisbon'), w.at('photos', '2024/Lisboa'));
  await w.scan();
  assert.equal(await idOf(w, 'a'), id);
  assert.deepEqual(
    (await w.seen().library({ view: 'list', offset: 0, limit: 10 })).items.map((one) => one.id),
    [id],
  );
  assert.deepEqual(
    (await photos.folders({ limit: 100 })).items.map(({ title }) => title),
    ['2023', 'Lisboa'],
  );
  assert.equal((await w.seen().item(id))?.folder?.title, 'Lisboa');
});

test('a place is shown in a session only, and no search finds it', async (t) => {
  const w = await openWorld(t, { photos: 'photos' });
  await album(w);
  const id = await idOf(w, 'a');
  const by = { profile: 'p1', role: 'owner', policy: OWNER_POLICY } as const;
  const place = { latitude: 48.135, longitude: -11.5 };
  assert.deepEqual((await w.catalog.seenBy({ ...by, via: 'session' }).item(id))?.place, place);
  const others = [undefined, new Set(['library'] as const), { purpose: 'art', item: id }] as const;
  for (const via of others) {
    const item = await w.catalog.seenBy({ ...by, ...(via && { via }) }).item(id);
    assert.ok(item && !JSON.stringify(item).includes('48.1'), JSON.stringify(via));
  }
  const fileFor = (via: 'session' | ReadonlySet<'stream'>) => w.catalog.seenBy({ ...by, via }).file(id);
  assert.ok(await fileFor('session'));
  assert.equal(await fileFor(new Set(['stream'] as const)), undefined, 'the original has the place in it');
  const tables = await Promise.all(
    (['catalog_info', 'catalog_item', 'catalog_file'] as const).map((name) =>
      w.db.tables<Record<string, Record<string, unknown>>>().selectFrom(name).selectAll().execute(),
    ),
  );
  assert.ok(!JSON.stringify(tables).includes('48.1'), 'a place is in its own table only');
  // A picture that was replaced by one without a place has lost it.
  grow(w.at('photos'), { '2024/Lisbon/a.jpg': await photo(at('2024:05:02 10:00:00', { offset: '+01:00' })) });
  await w.scan();
  assert.equal((await w.catalog.seenBy({ ...by, via: 'session' }).item(id))?.place, undefined);
});

test('a hidden photo changes no byte of what a child is shown', async (t) => {
  const child = { rating: 'all', unrated: true } as const;
  const shown = async (w: World, hidden: string[]) => {
    const policy = { ...OWNER_POLICY, ...child, items: { allowed: [], hidden } };
    const seen = w.seen(policy, 'viewer', 'kid');
    const photos = w.catalog.photosSeenBy({ policy });
    return JSON.stringify([
      await seen.library({ view: 'photos', offset: 0, limit: 50 }),
      await seen.library({ view: 'all', q: 'secret', offset: 0, limit: 50 }),
      await seen.recent({ limit: 50 }),
      photos.days({}),
      await photos.folders({ limit: 100 }),
      await photos.folders({ limit: 100, library: w.catalog.background.libraries()[0]?.id }),
    ]);
  };
  const w = await openWorld(t, { photos: 'photos' });
  await album(w);
  const before = await shown(w, []);
  grow(w.at('photos'), {
    '2024/Lisbon/secret.jpg': await photo(at('2024:05:02 10:30:00', { camera: 'Ricoh Theta' })),
    'Secret/secret.jpg': await photo(at('2020:02:02 10:30:00')),
    'Secret/secret.mp4': 20,
  });
  await w.scan();
  const { items } = await w.seen().library({ view: 'photos', q: 'secret', offset: 0, limit: 50 });
  assert.equal(items.length, 3);
  const hidden = items.map(({ id }) => id);
  assert.equal(await shown(w, hidden), before);
  const seen = w.seen({ ...child, items: { allowed: [], hidden } }, 'viewer', 'kid');
  for (const id of hidden) {
    assert.equal(await seen.item(id), undefined);
    assert.equal(await seen.picture(id, 'thumb'), undefined);
    assert.equal(await seen.file(id), undefined);
  }
});

/** The colours of the four quarters of a picture, from the upper left, as words. */
async function cornersOf(bytes: Uint8Array): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const near = (x: number, y: number) => {
    const pixel = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const [r = 0, g = 0] = data.subarray(pixel, pixel + 3);
    return r > 150 && g > 150 ? 'white' : r > 150 ? 'red' : g > 150 ? 'green' : 'blue';
  };
  return [near(0.2, 0.2), near(0.8, 0.2), near(0.2, 0.8), near(0.8, 0.8)].join(' ');
}

/** How a picture of each orientation is stored, so that it is red green over blue white when it is turned. */
const STORED: readonly ((opened: Sharp) => Sharp)[] = [
  (opened) => opened,
  (opened) => opened.flop(),
  (opened) => opened.rotate(180),
  (opened) => opened.flip(),
  (opened) => opened.flop().rotate(270),
  (opened) => opened.rotate(270),
  (opened) => opened.flop().rotate(90),
  (opened) => opened.rotate(90),
];

test('pictures are upright, in sRGB and without metadata, from every format', async (t) => {
  const w = await openWorld(t, { photos: 'photos' });
  const upright = await quarters(120, 80);
  const files: Record<string, Buffer> = {};
  for (const [i, store] of STORED.entries()) {
    const jpeg = await store(sharp(upright)).jpeg({ quality: 92 }).toBuffer();
    const taken = at(`2024:01:01 00:00:0${i}`, { orientation: i + 1, place: true });
    files[`jpeg${i + 1}.jpg`] = jpegWith(jpeg, { exif: exifOf(taken) });
    files[`raw${i + 1}.dng`] = rawFile(taken, { small: await quarters(8, 8), large: jpeg });
  }
  const p3 = await sharp(upright).withIccProfile('p3').jpeg({ quality: 92 }).toBuffer();
  files['wide.jpg'] = p3;
  files['heic.heic'] = await codedHeic(w.folder, upright);
  files['broken.jpg'] = jpegWith(upright.subarray(0, 400), {});
  grow(w.at('photos'), files);
  await w.scan();
  const make = async (title: string, width: number) => {
    const picture = found(await w.seen().picture(await idOf(w, title), 'thumb'));
    return w.catalog.art.make(picture, width, signal);
  };
  const check = async (title: string) => {
    const { bytes, type } = await make(title, 160);
    assert.equal(type, 'image/webp', title);
    assert.equal(await cornersOf(bytes), 'red green blue white', title);
    const { exif, icc, xmp, orientation } = await sharp(bytes).metadata();
    assert.deepEqual([exif, icc, xmp, orientation], [undefined, undefined, undefined, undefined], title);
  };
  for (let i = 1; i <= 8; i++) {
    await check(`jpeg${i}`);
    await check(`raw${i}`);
  }
  await check('heic');
  assert.equal((await make('jpeg1', 1280)).type, 'image/jpeg');
  // The red of the wide profile is no red of sRGB, so a picture that kept its numbers would have another one.
  const red = async (bytes: Uint8Array) => (await sharp(bytes).removeAlpha().raw().toBuffer()).readUInt8(0);
  assert.ok(Math.abs((await red((await make('wide', 160)).bytes)) - (await red(upright))) <= 6);
  await assert.rejects(make('broken', 160), /cannot be read/);
});

test('the video behind a picture is part of its page', async (t) => {
  const w = await openWorld(t, { photos: 'photos' });
  makeVideo(join(w.folder, 'clip.mp4'));
  const video = readFileSync(join(w.folder, 'clip.mp4'));
  const motion = await photo(at('2024:03:03 03:03:03'), { xmp: motionXmp(video.length), end: video });
  grow(w.at('photos'), { 'PXL_1.MP.jpg': motion });
  await w.scan();
  const item = found(await w.seen().item(await idOf(w, 'PXL_1.MP')));
  assert.deepEqual(item.motion, {
    version: found(item.versions[0]).id,
    start: motion.length - video.length,
    size: video.length,
  });
});

test('a clip belongs to the live photo with its identifier, and to no other one', async (t) => {
  const w = await openWorld(t, { photos: 'photos' });
  makeVideo(join(w.folder, 'clip.mp4'));
  const clip = (pair: string): Buffer => {
    const to = join(w.folder, `${pair}.mov`);
    const tags = ['-movflags', 'use_metadata_tags', '-metadata', `com.apple.quicktime.content.identifier=${pair}`];
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', join(w.folder, 'clip.mp4'), '-c', 'copy', ...tags, to]);
    return readFileSync(to);
  };
  const [own, other] = [clip('first-identifier'), clip('other-identifier')];
  const taken = (n: number, pair: string) => photo(at(`2024:06:30 08:00:0${n}`, { pair }));
  grow(w.at('photos'), {
    'IMG_1.JPG': await taken(1, 'first-identifier'),
    'IMG_1.MOV': own,
    'IMG_2.JPG': await taken(2, 'second-identifier'),
    'IMG_2.MOV': other,
  });
  await w.scan();
  assert.deepEqual((await listed(w)).toSorted(), ['IMG_1 photo', 'IMG_2 photo', 'IMG_2 video']);
});

test('a clip is dated by its file only if nothing in it says when it was recorded', async (t) => {
  const w = await openWorld(t, { photos: 'photos' });
  makeVideo(join(w.folder, 'clip.mp4'));
  const clip = (name: string, ...tags: string[]): Buffer => {
    const to = join(w.folder, name);
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', join(w.folder, 'clip.mp4'), '-c', 'copy', ...tags, to]);
    return readFileSync(to);
  };
  const recorded = ['-metadata', 'creation_time=2022-08-16T12:00:05Z'];
  grow(w.at('photos'), {
    'MVI_1.mp4': clip('MVI_1.mp4', ...recorded),
    'in pieces.mp4': clip('in pieces.mp4', ...recorded, '-movflags', '+frag_keyframe+empty_moov'),
    'VID_20220101_101112.mp4': clip('named.mp4', ...recorded),
    'iPhone.mov': clip(
      'iPhone.mov',
      ...recorded,
      ...['-metadata', 'com.apple.quicktime.creationdate=2022-08-16T21:00:05+0900', '-movflags', 'use_metadata_tags'],
    ),
    'no clock.mp4': clip('no clock.mp4', '-metadata', 'creation_time=1970-01-01T00:00:00Z'),
  });
  utimesSync(w.at('photos', 'no clock.mp4'), new Date(), new Date('2021-05-05T12:00:00'));
  await w.scan();
  const taken = async (title: string) => (await w.seen().item(await idOf(w, title)))?.taken;
  // By the clock of the server, as the time of a file.
  const moment = new Date(Date.parse('2022-08-16T12:00:05Z') - new Date('2022-08-16').getTimezoneOffset() * 60_000);
  const here = { at: moment.toISOString().slice(0, 19), by: 'camera' };
  assert.deepEqual(await taken('MVI_1'), here);
  assert.deepEqual(await taken('in pieces'), here);
  assert.deepEqual(await taken('VID_20220101_101112'), { at: '2022-01-01T10:11:12', by: 'name' });
  assert.deepEqual(await taken('iPhone'), { at: '2022-08-16T21:00:05', offset: '+09:00', by: 'camera' });
  assert.deepEqual(await taken('no clock'), { at: '2021-05-05T12:00:00', by: 'file' });
});

test('everything, and what was added last, is listed with photos and clips, or without', async (t) => {
  const w = await openWorld(t, { photos: 'photos', Music: 'music' });
  grow(w.at('Music'), { 'Band/Blue/1.flac': flac({ TITLE: 'One', ALBUM: 'Blue', ALBUMARTIST: 'Band' }) });
  grow(w.at('photos'), { 'IMG_1.jpg': await photo(at('2024:06:30 08:00:00')), 'VID_2.mp4': true });
  await w.scan();
  for (const list of [
    (personal?: 'false') => w.seen().recent({ limit: 10, personal }),
    (personal?: 'false') => w.seen().library({ view: 'all', limit: 10, offset: 0, personal }),
  ]) {
    const kindsOf = async (personal?: 'false') => (await list(personal)).items.map(({ kind }) => kind).toSorted();
    assert.deepEqual(await kindsOf(), ['album', 'photo', 'video']);
    assert.deepEqual(await kindsOf('false'), ['album']);
  }
});
