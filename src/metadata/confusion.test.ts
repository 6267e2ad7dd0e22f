/**
 * How often a wrong work is taken for an item, and how often an obvious one is refused: items and works are made with a
 * fixed seed, in every way in which works are mistaken for each other. The table of results is printed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeMetadata, METADATA_TOKEN } from '../../test/stand-ins/metadata.ts';
import type { MetadataPage } from '../../test/stand-ins/metadata-fixtures.ts';
import type { MetadataClient } from './client.ts';
import { isCertain, type WorkQuestion } from './confidence.ts';
import { createWorks } from './works.ts';

const SIGNAL = new AbortController().signal;
const CASES_OF_CLASS = 30;
const MINUTE_S = 60;

/** A generator of numbers from 0 to 1 with a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const chance = seeded(20_260_501);
const between = (low: number, high: number): number => low + Math.floor(chance() * (high - low + 1));
const oneOf = <T>(all: readonly T[]): T => all[between(0, all.length - 1)] as T;

const FIRST = 'Copper Silent Broken Northern Hollow Amber Crimson Distant Frozen Gilded Hidden Iron'.split(' ');
const SECOND = 'Lantern Harbour Orchard Mirror Station Garden River Tower Letter Winter Engine Window'.split(' ');
const THIRD = 'Ashby Brandt Corvin Dacosta Ellery Fenwick Galway Hartog Ingram Jarrow Kestrel Lowell'.split(' ');
const FOREIGN = 'Die Brücke von|La maison de|Het huis van|Las hijas de|Il ponte di|Сад у|Η γέφυρα της'.split('|');
let made = 0;
/** Returns a title that no other work has. */
const newTitle = (): string => {
  const name = THIRD[made % THIRD.length];
  return `${oneOf(['The ', ''])}${oneOf(FIRST)} ${oneOf(SECOND)} of ${name} ${++made}x`;
};

const films: MetadataPage[] = [];
const shows: MetadataPage[] = [];
let lastId = 1000;
interface MadeFilm {
  title: string;
  year: number;
  minutes: number | null;
  original?: string;
  others?: readonly string[];
}
function addFilm({ title, year, minutes, original = title, others = [] }: MadeFilm): string {
  const id = ++lastId;
  const alternative_titles = { titles: others.map((other) => ({ title: other })) };
  const release_date = `${year}-${String(between(1, 12)).padStart(2, '0')}-11`;
  films.push({ id, title, original_title: original, release_date, runtime: minutes, alternative_titles });
  return String(id);
}
function addShow({
  title,
  year,
  seasons,
  minutes,
}: {
  title: string;
  year: number;
  seasons: readonly number[];
  minutes?: number;
}): string {
  const id = ++lastId;
  shows.push({
    id,
    name: title,
    original_name: title,
    first_air_date: `${year}-09-02`,
    episode_run_time: minutes === undefined ? [] : [minutes],
    seasons: seasons.map((episode_count, at) => ({ season_number: at + 1, episode_count })),
  });
  return String(id);
}

interface Case {
  question: WorkQuestion;
  /** The work that it is; undefined if the provider does not have it, or nothing says which one it is. */
  right: string | undefined;
  /** Whether it has to be taken. */
  isObvious: boolean;
}
/** Makes the works of a case, and returns its item. */
type Maker = () => Case;

const years = () => between(1930, 2024);
const length = () => between(70, 180);
/** Seconds of a file of a film of so many minutes, which may be a little longer or shorter. */
const lasting = (minutes: number): number => Math.round(minutes * MINUTE_S * (1 + (chance() - 0.5) * 0.06));
const film = (titles: readonly string[], more: Partial<WorkQuestion> = {}): WorkQuestion => ({
  kind: 'movie',
  titles,
  ...more,
});
const show = (title: string, last: readonly number[], more: Partial<WorkQuestion> = {}): WorkQuestion => ({
  kind: 'show',
  titles: [title],
  seasons: last.length,
  episodes: new Map(last.map((episode, at) => [at + 1, episode])),
  ...more,
});

const CLASSES: Readonly<Record<string, Maker>> = {
  'film with year and length': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    return {
      question: film([of.title], { year: of.year, duration: lasting(of.minutes) }),
      right: addFilm(of),
      isObvious: true,
    };
  },
  'film with year, length not known': () => {
    const of = { title: newTitle(), year: years(), minutes: chance() < 0.5 ? null : length() };
    return { question: film([of.title], { year: of.year }), right: addFilm(of), isObvious: true };
  },
  'film whose year is off by one': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    const question = film([of.title], { year: of.year + oneOf([-1, 1]), duration: lasting(of.minutes) });
    return { question, right: addFilm(of), isObvious: true };
  },
  'film without year, the only one of its title': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    const right = addFilm(of);
    addFilm({ title: `${of.title} Returns`, year: of.year + 3, minutes: of.minutes });
    return { question: film([of.title], { duration: lasting(of.minutes) }), right, isObvious: true };
  },
  'film without year, of another length': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    addFilm(of);
    return {
      question: film([of.title], { duration: of.minutes * MINUTE_S * oneOf([0.5, 0.8, 1.2, 1.6]) }),
      right: undefined,
      isObvious: false,
    };
  },
  'another cut of a film': () => {
    const of = { title: newTitle(), year: years(), minutes: between(100, 150) };
    const question = film([of.title], { year: of.year, duration: of.minutes * MINUTE_S * (1.1 + chance() * 0.15) });
    return { question, right: addFilm(of), isObvious: true };
  },
  'foreign title': () => {
    const foreign = `${oneOf(FOREIGN)} ${newTitle()}`;
    const of = { title: newTitle(), year: years(), minutes: length() };
    const right = addFilm({ ...of, ...(chance() < 0.5 ? { original: foreign } : { others: [foreign] }) });
    return { question: film([foreign], { year: of.year, duration: lasting(of.minutes) }), right, isObvious: true };
  },
  'remake, with year': () => {
    const title = newTitle();
    const [old, young] = [between(1930, 1980), between(1985, 2024)].map((year) => ({
      title,
      year,
      minutes: length(),
    })) as [MadeFilm, MadeFilm];
    const ids = [addFilm(old), addFilm(young)];
    const at = between(0, 1);
    const is = [old, young][at] as MadeFilm;
    return {
      question: film([title], { year: is.year, duration: lasting(is.minutes ?? 0) }),
      right: ids[at],
      isObvious: true,
    };
  },
  'remake, without year': () => {
    const title = newTitle();
    const minutes = length();
    addFilm({ title, year: between(1930, 1980), minutes });
    addFilm({ title, year: between(1985, 2024), minutes: minutes + between(-3, 3) });
    return { question: film([title], { duration: lasting(minutes) }), right: undefined, isObvious: false };
  },
  'remake that the provider lacks': () => {
    const of = { title: newTitle(), year: between(1930, 1980), minutes: length() };
    addFilm(of);
    return {
      question: film([of.title], { year: of.year + between(2, 40), duration: lasting(length()) }),
      right: undefined,
      isObvious: false,
    };
  },
  'remake of the next year that the provider lacks': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    addFilm(of);
    const duration = of.minutes * MINUTE_S * oneOf([0.5, 0.72, 0.86, 1.12, 1.25, 1.5]);
    return { question: film([of.title], { year: of.year + 1, duration }), right: undefined, isObvious: false };
  },
  'short of the same title and year': () => {
    const of = { title: newTitle(), year: years() };
    addFilm({ ...of, minutes: between(4, 25) });
    const minutes = length();
    const isThere = chance() < 0.5;
    const right = isThere ? addFilm({ ...of, minutes }) : undefined;
    return { question: film([of.title], { year: of.year, duration: lasting(minutes) }), right, isObvious: isThere };
  },
  'film of the title of a short': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    addFilm(of);
    return {
      question: film([of.title], { year: of.year, duration: between(4, 25) * MINUTE_S }),
      right: undefined,
      isObvious: false,
    };
  },
  'two of one title and year': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    addFilm(of);
    addFilm({ ...of, minutes: of.minutes + between(-2, 2) });
    return {
      question: film([of.title], { year: of.year, duration: lasting(of.minutes) }),
      right: undefined,
      isObvious: false,
    };
  },
  sequel: () => {
    const of = { title: newTitle(), year: between(1930, 2010), minutes: length() };
    const second = {
      title: `${of.title} ${oneOf(['2', 'II', 'Part Two'])}`,
      year: of.year + between(1, 5),
      minutes: length(),
    };
    addFilm(of);
    const isThere = chance() < 0.7;
    const right = isThere ? addFilm(second) : undefined;
    return {
      question: film([second.title], { year: second.year, duration: lasting(second.minutes) }),
      right,
      isObvious: isThere,
    };
  },
  'first film, of which only the sequel is there': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    addFilm({ title: `${of.title} 2`, year: of.year, minutes: of.minutes });
    return {
      question: film([of.title], { year: of.year, duration: lasting(of.minutes) }),
      right: undefined,
      isObvious: false,
    };
  },
  'show with year': () => {
    const of = { title: newTitle(), year: years(), seasons: [10, 12, 8] };
    return {
      question: show(of.title, [10, 4], { year: of.year, duration: 45 * MINUTE_S }),
      right: addShow({ ...of, minutes: 60 }),
      isObvious: true,
    };
  },
  'show without year, the only one of its title': () => {
    const of = { title: newTitle(), year: years(), seasons: [10, 12] };
    return { question: show(of.title, [10, between(1, 12)]), right: addShow(of), isObvious: true };
  },
  'show without year, one of two': () => {
    const of = { title: newTitle(), seasons: [6, 6] };
    addShow({ ...of, year: between(1960, 1990) });
    addShow({ ...of, year: between(1995, 2024), seasons: [24, 22, 24] });
    return { question: show(of.title, [6]), right: undefined, isObvious: false };
  },
  'show with more seasons than the work': () => {
    const of = { title: newTitle(), year: years(), seasons: [8, 8] };
    addShow(of);
    return {
      question: show(of.title, [8, 8, 8, 4], chance() < 0.5 ? { year: of.year } : {}),
      right: undefined,
      isObvious: false,
    };
  },
  'show without year, with more episodes than the work': () => {
    const of = { title: newTitle(), year: years(), seasons: [6] };
    addShow(of);
    return { question: show(of.title, [22]), right: undefined, isObvious: false };
  },
  'stated id': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    const right = addFilm(of);
    return {
      question: film([newTitle()], { id: right, foreign: { tmdb: right }, isIdStated: true }),
      right,
      isObvious: true,
    };
  },
  'stated id that the provider lacks': () => {
    const of = { title: newTitle(), year: years(), minutes: length() };
    addFilm(of);
    const foreign = chance() < 0.5 ? { tmdb: '9' } : { imdb: 'tt0000009' };
    const question = film([of.title], {
      year: of.year,
      duration: lasting(of.minutes),
      id: foreign.tmdb,
      foreign,
      isIdStated: true,
    });
    return { question, right: undefined, isObvious: false };
  },
};

/** Asks the stand-in without a network. */
function clientOfStandIn(): Pick<MetadataClient, 'read'> {
  const protocol = fakeMetadata(() => 0, { films, shows });
  return {
    read: ({ path, query = {}, shape }) => {
      const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      const url = new URL(`https://metadata.test/3${path}?${new URLSearchParams(given).toString()}`);
      const { status, body } = protocol.answer({
        ...{ method: 'GET', path: url.pathname, query: url.searchParams, url, body: '' },
        headers: { authorization: `Bearer ${METADATA_TOKEN}` },
        step: protocol.stepOf('GET', url.pathname),
      } as never) as { status: number; body: string };
      return Promise.resolve(status === 200 ? shape.parse(JSON.parse(body)) : undefined);
    },
  };
}

test('no wrong work is taken for an item, and hardly an obvious one is refused', async (t) => {
  const cases = Object.entries(CLASSES).flatMap(([name, make]) =>
    Array.from({ length: CASES_OF_CLASS }, () => ({ name, ...make() })),
  );
  const works = createWorks({
    client: clientOfStandIn() as MetadataClient,
    picture: () => Promise.resolve(undefined),
    preferences: { language: 'en', country: undefined, isAskedFor: true },
  });
  const table = new Map(Object.keys(CLASSES).map((name) => [name, { right: 0, wrong: 0, refused: 0, missed: 0 }]));
  for (const { name, question, right, isObvious } of cases) {
    const { compared, isIdUnknown } = await works.compare(question, undefined, SIGNAL);
    const isTaken = !isIdUnknown && isCertain(compared.map(({ confidence }) => confidence));
    const row = table.get(name);
    assert.ok(row);
    if (!isTaken) row[isObvious ? 'missed' : 'refused']++;
    else row[String(compared[0]?.page.id) === right ? 'right' : 'wrong']++;
  }
  for (const [name, { right, wrong, refused, missed }] of table)
    t.diagnostic(`${name}: ${right} taken rightly, ${wrong} wrongly, ${refused} refused rightly, ${missed} wrongly`);
  const rows = [...table.values()];
  const sum = (of: 'right' | 'wrong' | 'refused' | 'missed') => rows.reduce((all, row) => all + row[of], 0);
  const obvious = cases.filter(({ isObvious }) => isObvious).length;
  const isFew = sum('missed') <= obvious * 0.03;
  t.diagnostic(`${cases.length} cases: ${sum('wrong')} wrong, ${sum('missed')} of ${obvious} obvious ones refused`);
  assert.ok(cases.length >= 400, `${cases.length} cases`);
  assert.deepEqual(
    [...table].filter(([, { wrong }]) => wrong > 0),
    [],
  );
  assert.ok(isFew, `${sum('missed')} of ${obvious} obvious works were refused`);
});
