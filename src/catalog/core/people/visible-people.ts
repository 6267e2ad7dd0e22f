/**
 * People as one Profile may see them: a person exists while the Profile may see an item that names them.
 *
 * Everything that is returned is computed from visible credits, so no name, count or order reveals another item. A
 * person whom an item names without an id is the one whom other visible items name with an id, if only one of these
 * has the name.
 */
import type { PageSource } from '../page-source.ts';
import { z } from 'zod';
import { ITEM_KINDS, kindNames } from '../../../contract/catalog/kinds.ts';
import type { PersonCard, PersonPage } from '../../../contract/catalog/people.ts';
import { PERSON_JOBS, type PersonJob } from '../../../contract/catalog/person-jobs.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import { decodeCursor, encodeCursor } from '../../../lib/json/cursor.ts';
import type { CreditFacts, PeopleStore, SpellingRow } from '../../store/people.ts';
import { cardsOf } from '../cards/cards.ts';
import type { CardNeeds, Viewer } from '../kind.ts';
import type { ArtworkSource } from '../../types.ts';
import type { LibraryIndex } from '../library-index/types.ts';
import { searchWordsOf } from '../library-index/words.ts';
import type { KeptCredits } from './kept-credits.ts';
import { foldPersonName, personImageVersion, portraitVersion } from './identity.ts';

/** Spellings that are looked at in one turn of a search. */
const SPELLINGS_AT_ONCE = 50;
const MAX_ASKED_WORDS = 8;
/** A shorter word in Latin letters would match nearly everyone. */
const MIN_WORD = 2;
const KIND_ORDER = new Map(kindNames(ITEM_KINDS).map((kind, at) => [kind, at]));
const Position = z.tuple([z.number(), z.number(), z.string()]);

export interface PersonFacts {
  biography?: string;
  born?: string;
  died?: string;
  birthplace?: string;
  imdb?: string;
  /** Path of the picture at the metadata service. */
  picture?: string;
}
export type PersonSource = PageSource<PersonFacts>;

export interface VisiblePeople {
  /** Returns the people whose names have these words, the best match first. */
  search(query: { q: string; limit: number }): Promise<{ items: PersonCard[]; total: number }>;
  /** Returns a person with the works that may be seen; undefined if there are none. */
  person(id: string, page: { limit: number; cursor?: string | undefined }): Promise<PersonPage | undefined>;
  /** Returns the picture of a person; null without one, undefined without a person. */
  picture(id: string): Promise<ArtworkSource | null | undefined>;
}

export interface VisiblePeopleNeeds extends CardNeeds {
  people: Pick<PeopleStore, 'byId' | 'byNames' | 'byNumbers' | 'items' | 'find'>;
  credits: KeptCredits;
  persons: PersonSource;
  /** Returns the root of a library. */
  rootOf(library: string): string | undefined;
}

/** Credit of a person in one item. */
interface SeenCredit {
  item: string;
  facts: CreditFacts;
}
interface SeenWork {
  item: string;
  /** Facts of the work itself and of its parts. Equal ones that followed each other are here once. */
  facts: CreditFacts[];
  parts: number;
  /** Whether the work names the person itself. */
  isNamed: boolean;
}
/** A spelling with what its visible credits say. */
interface SeenSpelling extends SpellingRow {
  credits: number;
  works: Map<string, SeenWork>;
  /** Number of credits by the path of their picture. */
  pictures: Map<string, number>;
  /** The credit with a picture in its library, and the lowest item. */
  portrait: SeenCredit | undefined;
}
/** A person with the visible spellings, the most frequent first, and the works of all of them. */
interface SeenPerson {
  id: string;
  spellings: SeenSpelling[];
  works: ReadonlyMap<string, SeenWork>;
}

export function createVisiblePeople(
  { people: store, credits, persons, ...needs }: VisiblePeopleNeeds,
  viewer: () => Promise<Viewer>,
  policy: Policy,
): VisiblePeople {
  const { index } = needs;
  const seen = async (rows: readonly SpellingRow[]): Promise<SeenSpelling[]> => {
    const spellings: SeenSpelling[] = [];
    for (const row of rows) spellings.push(await seenSpelling({ credits, index, policy }, row));
    return spellings.filter((spelling) => spelling.credits > 0);
  };
  /** Returns the person with this id, or the one whom a name without an id means. */
  const personOf = async (id: string): Promise<SeenPerson | undefined> => {
    const own = await seen(await store.byId(id));
    const [first] = own;
    if (!first) return undefined;
    const known = new Set(own.map(({ number }) => number));
    const rows = await store.byNames([...new Set(own.map(({ folded }) => folded))]);
    const others = await seen(rows.filter(({ number }) => !known.has(number)));
    if (first.source === '') {
      const identified = [...new Set(others.filter(({ source }) => source !== '').map((row) => row.id))];
      const [only] = identified;
      if (only !== undefined && identified.length === 1) return personOf(only);
    }
    const taken = new Set(others.filter((row) => row.source !== '' && row.id !== id).map(({ folded }) => folded));
    const unnamed = others.filter(({ source, folded }) => source === '' && !taken.has(folded));
    const spellings = [...own, ...(first.source === '' ? [] : unnamed)].toSorted(byFrequency);
    return { id, spellings, works: joinedWorks(spellings) };
  };
  const cardOf = (person: SeenPerson): PersonCard => ({
    id: person.id,
    name: nameOf(person),
    ...imageOf(pictureIn(person), person),
    jobs: jobsOf(person),
    items: person.works.size,
  });

  return {
    search: async ({ q, limit }) => {
      const ids = await findPeople({ store, index, policy, personOf }, q, limit);
      return { items: ids.map(cardOf), total: ids.length };
    },
    person: async (id, { limit, cursor }) => {
      const person = await personOf(id);
      if (!person) return undefined;
      const works = sortedWorks([...person.works.values()], index);
      const bound = ['person', person.id];
      const after = cursor === undefined ? undefined : decodeCursor(bound, cursor, Position);
      const rest = after ? works.filter(({ position }) => compare(position, after) > 0) : works;
      const page = rest.slice(0, limit);
      const cards = new Map(
        (
          await cardsOf(
            needs,
            page.map(({ work }) => work.item),
            await viewer(),
          )
        ).map((c) => [c.id, c]),
      );
      const last = page.at(-1);
      const tmdb = tmdbOf(person);
      const described = tmdb === undefined ? { facts: undefined, isPending: false } : await persons.of(tmdb);
      const { picture, imdb, ...facts } = described.facts ?? {};
      return {
        id: person.id,
        name: nameOf(person),
        ...imageOf(pictureIn(person) ?? picture, person),
        ids: { ...idsOf(person), ...(imdb !== undefined && { imdb }) },
        ...facts,
        pending: described.isPending,
        items: page.flatMap(({ work: { item, facts, parts, isNamed } }) => {
          const card = cards.get(item);
          return card ? [{ item: card, credits: jobsIn(facts), ...(!isNamed && { parts }) }] : [];
        }),
        total: works.length,
        ...(last && rest.length > page.length && { nextCursor: encodeCursor(bound, last.position) }),
      };
    },
    picture: async (id) => {
      const person = await personOf(id);
      if (!person) return undefined;
      const tmdb = tmdbOf(person);
      const path = pictureIn(person) ?? (tmdb === undefined ? undefined : (await persons.of(tmdb)).facts?.picture);
      const file = path === undefined ? undefined : await persons.picture(path);
      if (path === undefined || !file) return localPicture(needs, person);
      // The path is part of the name of a picture, so one that changed is another file.
      return { ...file, size: 0, modifiedMs: 0, frameAt: undefined, version: personImageVersion(path) };
    },
  };
}

/** Returns a spelling with its visible credits. */
async function seenSpelling(
  { credits, index, policy }: Pick<VisiblePeopleNeeds, 'credits' | 'index'> & { policy: Policy },
  row: SpellingRow,
): Promise<SeenSpelling> {
  const spelling: SeenSpelling = { ...row, credits: 0, works: new Map(), pictures: new Map(), portrait: undefined };
  const { works } = index;
  await credits.each(index, row.number, () => {
    const workOf = works.of(policy);
    return (slot, facts) => {
      const work = workOf(slot);
      if (work === undefined) return;
      addCredit(spelling, work ?? works.idAt(slot), { facts, isNamed: work === null });
      if (facts.portrait) spelling.portrait = firstOf(spelling.portrait, { item: works.idAt(slot), facts });
    };
  });
  return spelling;
}

const byFrequency = (a: SeenSpelling, b: SeenSpelling): number =>
  b.credits - a.credits || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const nameOf = ({ spellings }: SeenPerson): string => spellings[0]?.name ?? '';
const idsOf = ({ spellings }: SeenPerson): Record<string, string> =>
  Object.fromEntries(spellings.flatMap(({ source }) => (source === '' ? [] : [source.split(':') as [string, string]])));
const tmdbOf = (person: SeenPerson): string | undefined => idsOf(person)['tmdb'];
/** Returns the version of the picture at the metadata service, or else of one in a library. */
function imageOf(path: string | undefined, person: SeenPerson): { image?: string } {
  if (path !== undefined) return { image: personImageVersion(path) };
  const portrait = portraitIn(person)?.facts.portrait;
  return portrait ? { image: portraitVersion(portrait) } : {};
}
/** Returns the first visible credit with a picture in its library, in the order of the items. */
const portraitIn = ({ spellings }: SeenPerson): SeenCredit | undefined =>
  spellings.reduce<SeenCredit | undefined>((first, { portrait }) => firstOf(first, portrait), undefined);
const firstOf = (a: SeenCredit | undefined, b: SeenCredit | undefined): SeenCredit | undefined =>
  a && (!b || a.item < b.item) ? a : b;

/** Returns the picture of a person next to the media of an item that the Profile may see. */
async function localPicture(
  { store, rootOf }: Pick<VisiblePeopleNeeds, 'store' | 'rootOf'>,
  person: SeenPerson,
): Promise<ArtworkSource | null> {
  const { item, facts: { portrait } = {} } = portraitIn(person) ?? {};
  const library = item === undefined ? undefined : (await store.item(item))?.library;
  const root = library === undefined ? undefined : rootOf(library);
  if (root === undefined || !portrait) return null;
  return {
    root,
    relative: portrait.at,
    size: portrait.s,
    modifiedMs: portrait.m,
    frameAt: undefined,
    version: portraitVersion(portrait),
  };
}

/** Returns the picture that most visible items name, so that all pages show the same one. */
function pictureIn({ spellings }: SeenPerson): string | undefined {
  const counts = new Map<string, number>();
  for (const { pictures } of spellings)
    for (const [picture, count] of pictures) counts.set(picture, (counts.get(picture) ?? 0) + count);
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0];
}

function jobsOf({ works }: SeenPerson): PersonJob[] {
  const jobs = new Set<PersonJob>();
  for (const { facts } of works.values()) for (const { jobs: own } of facts) for (const { job } of own) jobs.add(job);
  return PERSON_JOBS.filter((job) => jobs.has(job));
}

/** Adds a visible credit to the spelling, and to the work that the item belongs to. */
function addCredit(
  spelling: SeenSpelling,
  id: string,
  { facts, isNamed }: { facts: CreditFacts; isNamed: boolean },
): void {
  const { pictures, works } = spelling;
  spelling.credits++;
  if (facts.picture !== undefined) pictures.set(facts.picture, (pictures.get(facts.picture) ?? 0) + 1);
  let work = works.get(id);
  if (!work) works.set(id, (work = { item: id, facts: [], parts: 0, isNamed: false }));
  if (isNamed) work.isNamed = true;
  else work.parts++;
  if (work.facts.at(-1) !== facts) work.facts.push(facts);
}

/** Returns the works of all spellings: those of the first, to which the others are added. */
function joinedWorks([first, ...others]: readonly SeenSpelling[]): Map<string, SeenWork> {
  const works = first?.works ?? new Map<string, SeenWork>();
  for (const { works: own } of others)
    for (const [id, { facts, parts, isNamed }] of own) {
      const known = works.get(id);
      if (!known) works.set(id, { item: id, facts, parts, isNamed });
      else {
        known.facts.push(...facts);
        known.parts += parts;
        known.isNamed ||= isNamed;
      }
    }
  return works;
}

/** Returns each job and part once. */
function jobsIn(facts: readonly CreditFacts[]): { job: PersonJob; role?: string }[] {
  const jobs = new Map<string, { job: PersonJob; role?: string }>();
  for (const { jobs: own } of facts) for (const job of own) jobs.set(`${job.job} ${job.role ?? ''}`, job);
  return [...jobs.values()];
}

type WorkPosition = z.output<typeof Position>;
const compare = (a: WorkPosition, b: WorkPosition): number =>
  a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);

interface PlacedWork {
  work: SeenWork;
  position: WorkPosition;
}
function sortedWorks(works: readonly SeenWork[], index: LibraryIndex): PlacedWork[] {
  const placed = works.map((work): PlacedWork => {
    const { kind, year } = index.works.place(work.item) ?? {};
    // A work without a year comes last.
    return { work, position: [(kind && KIND_ORDER.get(kind)) ?? 0, -(year ?? 0), work.item] };
  });
  return placed.sort((a, b) => compare(a.position, b.position));
}

/**
 * Returns the people of a search. The candidates come with the number of all items that name them, which bounds the
 * number of visible ones: the search ends when no other candidate can have as many, and the result is that of counting
 * the visible items of each.
 */
async function findPeople(
  {
    store,
    index,
    policy,
    personOf,
  }: Pick<VisiblePeopleNeeds, 'index'> & {
    store: VisiblePeopleNeeds['people'];
    policy: Policy;
    personOf(id: string): Promise<SeenPerson | undefined>;
  },
  q: string,
  limit: number,
): Promise<SeenPerson[]> {
  const words = searchWordsOf(q).slice(0, MAX_ASKED_WORDS);
  if (!words.some((word) => word.length >= MIN_WORD || /[^ -~]/.test(word))) return [];
  const exact = foldPersonName(q);
  const people = new Map<string, RankedPerson>();
  const add = async (rows: readonly (SpellingRow & { seen: number })[]): Promise<void> => {
    for (const { id, seen, folded } of rows) {
      const person = await personOf(id);
      if (!person) continue;
      const found = { person, rank: folded === exact ? Infinity : seen, id };
      const known = people.get(person.id);
      if (!known || byRank(found, known) < 0) people.set(person.id, found);
    }
  };
  await add((await store.byNames([exact])).map((row) => ({ ...row, seen: 0 })));
  const candidates = await store.find(words);
  for (let at = 0; at < candidates.length; at += SPELLINGS_AT_ONCE) {
    const some = candidates.slice(at, at + SPELLINGS_AT_ONCE);
    const [next] = some;
    const last = [...people.values()].toSorted(byRank)[limit - 1];
    if (last && next && byRank(last, { rank: next.credits, id: next.id }) < 0) break;
    const counts = new Map<number, number>();
    for (const { person, item } of await store.items(some.map(({ number }) => number)))
      if (index.isVisible(item, policy)) counts.set(person, (counts.get(person) ?? 0) + 1);
    // Candidates that cannot be among the result are not read.
    const useful = some.filter(({ number, id }) => {
      const rank = counts.get(number) ?? 0;
      return rank > 0 && (last === undefined || byRank({ rank, id }, last) < 0);
    });
    const rows = await store.byNumbers(useful.map(({ number }) => number));
    await add(rows.map((row) => ({ ...row, seen: counts.get(row.number) ?? 0 })));
    await new Promise(setImmediate);
  }
  return [...people.values()]
    .toSorted(byRank)
    .slice(0, limit)
    .toSorted((a, b) => (a.rank === b.rank ? byName(a.person, b.person) : b.rank - a.rank))
    .map(({ person }) => person);
}

interface RankedPerson {
  person: SeenPerson;
  rank: number;
  /** Id of the spelling that has this rank. */
  id: string;
}
const byRank = (a: Omit<RankedPerson, 'person'>, b: Omit<RankedPerson, 'person'>): number =>
  // Two infinite ranks have no difference.
  (a.rank === b.rank ? 0 : b.rank - a.rank) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

function byName(a: SeenPerson, b: SeenPerson): number {
  const [x, y] = [`${nameOf(a)} ${a.id}`, `${nameOf(b)} ${b.id}`];
  return x < y ? -1 : x > y ? 1 : 0;
}
