/** Pictures of people in `.actors` folders: found by scans, used if there is no other, and hidden with their items. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { until } from '../../../../test/until.ts';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import { MAX_PORTRAIT_BYTES, MAX_PORTRAITS, portraitPerson } from '../../naming/portraits.ts';
import { found, grow, openWorld, type World } from '../../testing/world.ts';
import { readDirectories } from '../scan/directory-reader.ts';
import { personId } from './identity.ts';

const KID: Policy = { ...OWNER_POLICY, rating: 12, unrated: true };
const nfo = (kind: string, title: string, mpaa: string, actors: readonly string[]): string =>
  `<${kind}><title>${title}</title><mpaa>${mpaa}</mpaa>${actors
    .map((name) => `<actor><name>${name}</name></actor>`)
    .join('')}</${kind}>`;
const portrait = (red: number): Promise<Buffer> =>
  sharp({ create: { width: 20, height: 30, channels: 3, background: { r: red, g: 9, b: 9 } } })
    .jpeg()
    .toBuffer();
const idOf = (name: string, tmdb?: string): string => personId({ name, ...(tmdb !== undefined && { ids: { tmdb } }) });
const people = (w: World, policy: Policy = OWNER_POLICY) =>
  w.catalog.peopleSeenBy({ profile: 'p', role: 'viewer', policy });
const pictureOf = async (w: World, name: string, policy?: Policy) =>
  (await people(w, policy).picture(idOf(name)))?.relative;

test('a person without another picture has the one next to an item that the Profile may see', async (t) => {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  grow(w.at('films'), {
    'Kind (2001)/Kind (2001).mp4': true,
    'Kind (2001)/movie.nfo': nfo('movie', 'Kind', 'G', ['Zoë Łu-Day', 'Jo Bare']),
    'Kind (2001)/.actors/Zoe_Łu-Day.jpg': await portrait(200),
    'Kind (2001)/.actors/Not Named.jpg': await portrait(1),
    'Secret (1999)/Secret (1999).mp4': 301,
    'Secret (1999)/movie.nfo': nfo('movie', 'Secret', 'R', ['Jo Bare', 'Al Hidden']),
    'Secret (1999)/.actors/Jo_Bare.jpg': await portrait(90),
    'Secret (1999)/.actors/Al_Hidden.jpg': await portrait(30),
  });
  grow(w.at('shows'), {
    'Open/tvshow.nfo': nfo('tvshow', 'Open', 'TV-Y', ['Ann Lead']),
    'Open/.actors/Ann_Lead.jpg': await portrait(50),
    'Open/.actors/Guy_Guest.jpg': await portrait(60),
    'Open/Season 1/Open S01E01.mkv': true,
    'Open/Season 1/Open S01E01.nfo': nfo('episodedetails', 'One', 'TV-Y', ['Guy Guest']),
  });
  await w.scan();
  await until('the credits', async () => (await people(w).person(idOf('Guy Guest'), { limit: 5 }))?.image);
  assert.equal(await pictureOf(w, 'Zoë Łu-Day'), 'Kind (2001)/.actors/Zoe_Łu-Day.jpg');
  assert.equal(await pictureOf(w, 'Ann Lead'), 'Open/.actors/Ann_Lead.jpg');
  assert.equal(await pictureOf(w, 'Guy Guest'), 'Open/.actors/Guy_Guest.jpg', 'a guest has that of the show');
  assert.equal(await pictureOf(w, 'Not Named'), undefined, 'no item names this person');
  const source = found((await people(w).picture(idOf('Zoë Łu-Day'))) ?? undefined);
  const { bytes } = await w.catalog.art.make(source, 160, AbortSignal.timeout(60_000));
  assert.equal((await sharp(bytes).metadata()).format, 'webp');
  const shown = found(await w.seen().item(await w.id('Open/1x1')));
  const image = shown.people.find(({ name }) => name === 'Guy Guest')?.image;
  assert.ok(image);
  assert.equal((await people(w).search({ q: 'guest', limit: 5 })).items[0]?.image, image, 'one version on all pages');

  // The picture of a hidden film shows nothing, and changes nothing of what a child sees.
  assert.equal(await pictureOf(w, 'Jo Bare'), 'Secret (1999)/.actors/Jo_Bare.jpg');
  const kid = async () =>
    JSON.stringify([
      ...(await Promise.all(
        ['Jo Bare', 'Al Hidden'].map(async (name) => [
          (await people(w, KID).person(idOf(name), { limit: 5 })) ?? null,
          (await people(w, KID).picture(idOf(name))) ?? null,
          (await people(w, KID).search({ q: name, limit: 5 })).items,
        ]),
      )),
      (await w.seen(KID).item(await w.id('Kind')))?.people,
    ]);
  const before = await kid();
  assert.doesNotMatch(before, /Secret|actors/);
  rmSync(w.at('films', 'Secret (1999)/.actors'), { recursive: true });
  await w.scan();
  await until('the picture to go', async () => (await pictureOf(w, 'Jo Bare')) === undefined);
  assert.equal(await kid(), before);

  // A metadata service that has no picture of the person leaves it; one that has one is preferred.
  const layers = (picture?: string) =>
    w.catalog.background.layers.write([
      ...[{ item: kind, source: 'match' as const }].map((one) => ({
        ...one,
        facts: {
          people: [{ name: 'Zoë ŁU Day', job: 'actor' as const, ids: { tmdb: '7' }, ...(picture && { picture }) }],
        },
      })),
    ]);
  const kind = await w.id('Kind');
  await layers();
  const seen = () => people(w).person(idOf('', '7'), { limit: 5 });
  assert.deepEqual((await until('the match', async () => (await seen())?.image)).length, 10);
  const local = (await seen())?.image;
  await layers('/seven.jpg');
  await until('the picture of the service', async () => (await seen())?.image !== local);
});

test('a picture that is added later is found by a scan that trusts the times of folders', async (t) => {
  const w = await openWorld(t, { films: 'movies', shows: 'shows' });
  grow(w.at('films'), {
    'Kind (2001)/Kind (2001).mp4': true,
    'Kind (2001)/movie.nfo': nfo('movie', 'Kind', 'G', ['Ann Lead', 'Late Comer']),
    'Kind (2001)/.actors/Ann_Lead.jpg': await portrait(50),
  });
  grow(w.at('shows'), {
    'Open/.actors/Other.jpg': await portrait(60),
    'Open/Season 1/Open S01E01.mkv': true,
    'Open/Season 1/Open S01E01.nfo': nfo('episodedetails', 'One', 'TV-Y', ['Guy Guest']),
  });
  // Files and folders that changed lately are read by every scan.
  const aged = (folder: string, before = 1_000_000_000) => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      utimesSync(join(folder, name), before, before);
    utimesSync(folder, before, before);
  };
  for (const library of ['films', 'shows']) aged(w.at(library));
  await w.scan();
  await until('the first picture', async () => (await pictureOf(w, 'Ann Lead')) !== undefined);
  const late = await portrait(70);
  for (const [library, at] of [
    ['films', 'Kind (2001)/.actors/Late_Comer.jpg'],
    ['shows', 'Open/.actors/Guy_Guest.jpg'],
  ] as const) {
    writeFileSync(w.at(library, at), late);
    utimesSync(w.at(library, at), 1_000_000_000, 1_000_000_000);
    // Only the time of `.actors` changes, and to an older one, as restored backups have it.
    utimesSync(join(w.at(library, at), '..'), 900_000_000, 900_000_000);
  }
  await w.scan({ quick: true });
  await until('the later picture of a film', async () => (await pictureOf(w, 'Late Comer')) !== undefined);
  await until('the later picture of a guest', async () => (await pictureOf(w, 'Guy Guest')) !== undefined);
  assert.equal(await pictureOf(w, 'Guy Guest'), 'Open/.actors/Guy_Guest.jpg');

  // The folder of the show has no other file.
  rmSync(w.at('shows', 'Open/.actors'), { recursive: true });
  await w.scan({ quick: true });
  await until('the picture of a guest to go', async () => (await pictureOf(w, 'Guy Guest')) === undefined);
});

test('a scan reads pictures only, in limits, and follows no link', async (t) => {
  const w = await openWorld(t, { films: 'movies' });
  const folder = w.at('films', 'Film');
  mkdirSync(join(folder, '.actors'), { recursive: true });
  const read = (ignored: readonly string[] = []) => {
    const request = { root: w.at('films'), folders: [{ path: 'Film' }], isFull: true, now: 0, placement: '', ignored };
    const [report] = readDirectories(request);
    assert.ok(report?.state === 'listed');
    return report;
  };
  const names = (ignored?: readonly string[]) => read(ignored).portraits.map(([name]) => name);
  const at = (name: string) => join(folder, '.actors', name);
  for (const name of ['Ann.jpg', 'notes.txt', '.hidden.jpg', 'Film.mkv']) writeFileSync(at(name), 'x');
  writeFileSync(at('Empty.jpg'), '');
  writeFileSync(at('Large.jpg'), '');
  truncateSync(at('Large.jpg'), MAX_PORTRAIT_BYTES + 1);
  symlinkSync('/etc/hostname', at('Link.jpg'));
  mkdirSync(at('Folder.jpg'));
  const { signature, files, folders } = read();
  assert.deepEqual([names(), files, folders], [['.actors/Ann.jpg'], [], []]);
  assert.deepEqual(names(['.actors']), [], 'a name that the library ignores');
  writeFileSync(at('Ann.jpg'), 'changed');
  assert.notEqual(read().signature, signature, 'a changed picture is a change of the folder');
  for (let n = 0; n < MAX_PORTRAITS + 5; n++) writeFileSync(at(`P${n}.png`), 'x');
  assert.ok(names().length <= MAX_PORTRAITS);
  rmSync(join(folder, '.actors'), { recursive: true });
  mkdirSync(w.at('outside'));
  writeFileSync(w.at('outside', 'Eve.jpg'), 'x');
  symlinkSync(w.at('outside'), join(folder, '.actors'));
  assert.deepEqual(names(), [], 'a linked folder is not read');
});

test('the name of a file names a person as an NFO does', () => {
  assert.deepEqual(
    ['.actors/Zoë_Łu-Day.JPG', '.actors/__proto__.png', '.actors/三船敏郎.jpg', 'poster.jpg', '.actors/.jpg'].map(
      portraitPerson,
    ),
    ['zoe łu day', 'proto', '三船敏郎', undefined, undefined],
  );
});
