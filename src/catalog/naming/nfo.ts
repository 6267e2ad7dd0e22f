/**
 * Reads NFO files as Kodi writes them: of films, shows, artists (with their biography as the plot), and one or several
 * episodes in a file. Others hold only an address at IMDb, TMDB or TheTVDB.
 *
 * The bytes are untrusted: at most 1 MiB, no document type, no entity except the five of XML, bounded depth, lists and
 * texts. A refused file is returned with the reason; nothing here throws.
 */
import { xmlParser } from '../../lib/xml/parser.ts';
import { nfoDay, decodeEntities, nfoNumber, nfoText, runtimeOf, wholeOf } from './nfo-values.ts';
import type { AirsPlace, ExternalIds } from './types.ts';
import { scanXml } from './xml-scan.ts';

export interface Nfo {
  kind: 'movie' | 'show' | 'season' | 'episode' | 'artist' | 'link';
  title?: string;
  originalTitle?: string;
  sortTitle?: string;
  /** For an episode: the title of its show. */
  showTitle?: string;
  year?: number;
  /** `1999-03-31` */
  premiered?: string;
  aired?: string;
  plot?: string;
  outline?: string;
  tagline?: string;
  /** Minutes. */
  runtime?: number;
  /** The age rating as written: `PG-13`, `DE:12`. */
  mpaa?: string;
  /** 0 to 10. */
  rating?: number;
  ratings: { name: string; value: number; votes?: number }[];
  genres: string[];
  studios: string[];
  countries: string[];
  directors: string[];
  writers: string[];
  actors: {
    name: string;
    role?: string;
    order?: number;
    ids?: { tmdb?: string; imdb?: string };
    /** Path of the picture at TMDB. */
    picture?: string;
  }[];
  tags: string[];
  /** The name of the collection it belongs to. */
  set?: string;
  /** Number of that collection at TMDB. */
  setId?: string;
  season?: number;
  episode?: number;
  /** Place of a special among the regular episodes. */
  airs?: AirsPlace;
  ids: ExternalIds;
  /** Whether `lockdata` says that nothing may replace what it states. */
  isLocked?: true;
}

/** `nfo` is the first of `documents`, of which only files of several episodes have more than one. */
export type NfoResult = { ok: true; nfo: Nfo; documents: Nfo[] } | { ok: false; reason: string };

export const MAX_NFO_BYTES = 1024 * 1024;
const LONGEST_TEXT = 20_000;
const MAX_NAME_LENGTH = 300;
const MAX_NAMES = 100;
const MAX_ACTORS = 500;
const MAX_DOCUMENTS = 200;
const KINDS: Readonly<Record<string, Nfo['kind']>> = {
  movie: 'movie',
  tvshow: 'show',
  episodedetails: 'episode',
  season: 'season',
  artist: 'artist',
};

/** Every element is a list, so that one child and several are handled alike. */
type Node = Readonly<Record<string, unknown>>;

const parse = xmlParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  alwaysCreateTextNode: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  trimValues: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** Reads an NFO file. */
export function parseNfo(bytes: Uint8Array): NfoResult {
  if (bytes.length > MAX_NFO_BYTES) return { ok: false, reason: 'the file is larger than 1 MiB' };
  const text = decoded(bytes);
  if (text === undefined) return { ok: false, reason: 'the text is in an unknown or broken encoding' };
  if (!/<[A-Za-z]/.test(text)) return linkOnly(text);
  const scan = scanXml(text);
  if (!scan.ok) return scan;
  const roots = scan.roots.filter(({ name }) => Object.hasOwn(KINDS, name)).slice(0, MAX_DOCUMENTS);
  if (roots.length === 0) return { ok: false, reason: 'it describes no film, show or episode' };
  const documents: Nfo[] = [];
  for (const { name, start, end } of roots) {
    const node = parsed(text.slice(start, end), name);
    const kind = KINDS[name];
    if (!node || !kind) return { ok: false, reason: 'the text is not well formed' };
    documents.push(read(node, kind));
  }
  const [nfo] = documents;
  if (!nfo) return { ok: false, reason: 'it describes no film, show or episode' };
  // An address may follow the elements.
  nfo.ids = { ...linkedIds(scan.outside), ...nfo.ids };
  return { ok: true, nfo, documents };
}

function linkOnly(text: string): NfoResult {
  const ids = linkedIds(text);
  if (Object.keys(ids).length === 0) return { ok: false, reason: 'it contains neither elements nor a known address' };
  const nfo: Nfo = { kind: 'link', ...emptyLists(), ids };
  return { ok: true, nfo, documents: [nfo] };
}

const emptyLists = () => ({
  ratings: [],
  genres: [],
  studios: [],
  countries: [],
  directors: [],
  writers: [],
  actors: [],
  tags: [],
});

/** Finds the addresses of metadata services in a text. */
function linkedIds(text: string): ExternalIds {
  const ids: ExternalIds = {};
  const imdb =
    /imdb\.com\/(?:[a-z]{2}\/)?title\/tt(\d{7,9})/i.exec(text)?.[1] ?? /^\s{0,20}tt(\d{7,9})\s{0,20}$/i.exec(text)?.[1];
  const tmdb = /themoviedb\.org\/(?:movie|tv)\/(\d{1,9})/i.exec(text)?.[1];
  const tvdb =
    /thetvdb\.com\/(?:dereferrer\/(?:series|movie|episode)\/|[^\s"'<>]{0,60}[?&](?:series)?id=)(\d{1,9})/i.exec(
      text,
    )?.[1];
  if (imdb !== undefined) ids.imdb = `tt${imdb}`;
  if (tmdb !== undefined) ids.tmdb = tmdb;
  if (tvdb !== undefined) ids.tvdb = tvdb;
  return ids;
}

/** Decodes by the byte order mark, else by the declaration, else as UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  const mark =
    a === 0xef && b === 0xbb && c === 0xbf
      ? 'utf-8'
      : a === 0xff && b === 0xfe
        ? 'utf-16le'
        : a === 0xfe && b === 0xff
          ? 'utf-16be'
          : undefined;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 300));
  const declared = /^\s{0,100}<\?xml\s[^<>]{0,100}encoding\s{0,5}=\s{0,5}["']([\w.:-]{1,40})["']/.exec(head)?.[1];
  try {
    return new TextDecoder(mark ?? declared ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsed(xml: string, name: string): Node | undefined {
  try {
    const [node] = listOf(parse(xml) as Node, name);
    return node;
  } catch {
    return undefined;
  }
}

function read(node: Node, kind: Nfo['kind']): Nfo {
  const out: Nfo = { kind, ...emptyLists(), ids: idsOf(node, kind) };
  const put = <K extends keyof Nfo>(key: K, value: Nfo[K] | undefined) => {
    if (value !== undefined) out[key] = value;
  };
  const premiered = nfoDay(first(node, 'premiered') ?? first(node, 'releasedate'));
  const aired = nfoDay(first(node, 'aired'));
  put('title', first(node, 'title', MAX_NAME_LENGTH) ?? first(node, 'name'));
  put('originalTitle', first(node, 'originaltitle', MAX_NAME_LENGTH));
  put('sortTitle', first(node, 'sorttitle', MAX_NAME_LENGTH));
  put('showTitle', first(node, 'showtitle', MAX_NAME_LENGTH));
  put('premiered', premiered);
  put('aired', aired);
  put('year', wholeOf(first(node, 'year'), 1800, 2200) ?? wholeOf((premiered ?? aired)?.slice(0, 4), 1800, 2200));
  put('plot', first(node, 'plot', LONGEST_TEXT) ?? first(node, 'biography', LONGEST_TEXT));
  put('outline', first(node, 'outline', LONGEST_TEXT));
  put('tagline', first(node, 'tagline', LONGEST_TEXT));
  put('runtime', runtimeOf(first(node, 'runtime')));
  put('mpaa', first(node, 'mpaa', MAX_NAME_LENGTH) ?? first(node, 'certification', MAX_NAME_LENGTH));
  put('set', first(listOf(node, 'set')[0] ?? {}, 'name', MAX_NAME_LENGTH) ?? first(node, 'set', MAX_NAME_LENGTH));
  put('setId', setIdOf(node));
  put('season', wholeOf(first(node, 'season') ?? first(node, 'seasonnumber'), 0, 9999));
  put('episode', wholeOf(first(node, 'episode'), 0, 99_999));
  put('airs', airsOf(node));
  out.genres = names(node, 'genre');
  out.studios = names(node, 'studio');
  out.countries = names(node, 'country');
  out.directors = names(node, 'director');
  out.writers = [...new Set([...names(node, 'credits'), ...names(node, 'writer')])];
  out.tags = names(node, 'tag');
  out.actors = actorsOf(node);
  if (first(node, 'lockdata')?.toLowerCase() === 'true') out.isLocked = true;
  const ratings = ratingsOf(node);
  out.ratings = ratings.all;
  put('rating', ratings.chosen);
  return out;
}

/** Returns the elements of a name. Elements of text only are included. */
function listOf(node: Node, name: string): Node[] {
  const value = Object.hasOwn(node, name) ? node[name] : undefined;
  if (!Array.isArray(value)) return [];
  return value.map((one: unknown): Node =>
    typeof one === 'object' && one !== null ? (one as Node) : { '#text': String(one) },
  );
}

function textOf(node: Node, longest: number): string | undefined {
  const value = node['#text'];
  const raw = Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '';
  const text = nfoText(decodeEntities(raw)).slice(0, longest).trim().toWellFormed();
  return text === '' ? undefined : text;
}

function first(node: Node, name: string, longest = MAX_NAME_LENGTH): string | undefined {
  for (const one of listOf(node, name)) {
    const text = textOf(one, longest);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns names, each once; one element may hold several between slashes or bars. */
function names(node: Node, name: string): string[] {
  const all = listOf(node, name)
    .slice(0, MAX_NAMES)
    .flatMap((one) => (textOf(one, MAX_NAME_LENGTH) ?? '').split(/ \/ |\|/));
  return [...new Set(all.map((one) => one.trim()).filter(Boolean))].slice(0, MAX_NAMES);
}

/**
 * Address of a picture at TMDB. Only its path is kept, so that an address in an NFO cannot make the server send a
 * request to another host.
 */
const PERSON_PICTURE =
  /^https?:\/\/(?:image\.tmdb\.org|www\.themoviedb\.org)\/t\/p\/\w{1,12}(\/[\w-]{1,100}\.(?:jpg|png|webp))$/;

function actorsOf(node: Node): Nfo['actors'] {
  return listOf(node, 'actor')
    .slice(0, MAX_ACTORS)
    .flatMap((actor) => {
      const name = first(actor, 'name') ?? textOf(actor, MAX_NAME_LENGTH);
      const role = first(actor, 'role');
      const order = wholeOf(first(actor, 'order') ?? first(actor, 'sortorder'), 0, 100_000);
      const tmdb = wholeOf(first(actor, 'tmdbid'), 1, 999_999_999);
      const imdb = /^nm\d{1,12}$/.exec(first(actor, 'imdbid') ?? '')?.[0];
      const ids = { ...(tmdb !== undefined && { tmdb: String(tmdb) }), ...(imdb !== undefined && { imdb }) };
      const picture = PERSON_PICTURE.exec(first(actor, 'thumb') ?? '')?.[1];
      return name === undefined
        ? []
        : [
            {
              name,
              ...(role !== undefined && { role }),
              ...(order !== undefined && { order }),
              ...(Object.keys(ids).length > 0 && { ids }),
              ...(picture !== undefined && { picture }),
            },
          ];
    })
    .sort((a, b) => (a.order ?? MAX_ACTORS) - (b.order ?? MAX_ACTORS));
}

/**
 * Reads `<rating>7.5</rating>` and `<ratings><rating name="…" max="10"
 * default="true"><value>7.5</value></rating></ratings>`.
 */
function ratingsOf(node: Node): { all: Nfo['ratings']; chosen?: number } {
  const named = listOf(node, 'ratings')
    .flatMap((ratings) => listOf(ratings, 'rating'))
    .slice(0, MAX_NAMES)
    .flatMap((rating) => {
      const max = nfoNumber(attribute(rating, 'max')) ?? 10;
      const raw = nfoNumber(first(rating, 'value') ?? textOf(rating, 20));
      const votes = wholeOf(first(rating, 'votes')?.replaceAll(/[,.' ]/g, ''), 0, Number.MAX_SAFE_INTEGER);
      if (raw === undefined || max <= 0 || raw < 0 || raw > max) return [];
      const value = Math.round((raw / max) * 100) / 10;
      return [
        {
          name: (attribute(rating, 'name') ?? 'default').slice(0, MAX_NAME_LENGTH),
          value,
          ...(votes === undefined ? {} : { votes }),
          isChosen: attribute(rating, 'default') === 'true',
        },
      ];
    });
  const simple = nfoNumber(first(node, 'rating'));
  const chosen =
    named.find(({ isChosen }) => isChosen)?.value ??
    named[0]?.value ??
    (simple !== undefined && simple > 0 && simple <= 10 ? simple : undefined);
  return {
    all: named.map(({ name, value, votes }) => ({ name, value, ...(votes === undefined ? {} : { votes }) })),
    ...(chosen === undefined ? {} : { chosen }),
  };
}

function idsOf(node: Node, kind: Nfo['kind']): ExternalIds {
  const ids: ExternalIds = {};
  const put = (service: string | undefined, value: string | undefined) => {
    const id = value?.trim();
    if (id === undefined) return;
    if (service === 'imdb' && /^tt\d{7,9}$/.test(id)) ids.imdb ??= id;
    else if ((service === 'tmdb' || service === 'tvdb') && /^\d{1,9}$/.test(id) && Number(id) > 0)
      ids[service] ??= String(Number(id));
  };
  for (const one of listOf(node, 'uniqueid')) put(attribute(one, 'type')?.toLowerCase(), textOf(one, 40));
  for (const service of ['imdb', 'tmdb', 'tvdb'])
    for (const name of [`${service}id`, `${service}_id`, service]) put(service, first(node, name));
  for (const one of listOf(node, 'id')) {
    const value = textOf(one, 40);
    put('imdb', value);
    // Before unique ids, a show's number was that of TheTVDB.
    if (kind === 'show') put('tvdb', value);
    put('imdb', attribute(one, 'IMDB'));
    put('tmdb', attribute(one, 'TMDB'));
  }
  return ids;
}

/** Kodi's number of an episode for a special that comes after a season. */
const AFTER_SEASON = 4096;

/** Reads the place of a special as Kodi, Jellyfin and Emby write it. */
function airsOf(node: Node): AirsPlace | undefined {
  const number = (most: number, ...names: string[]) =>
    names.map((name) => wholeOf(first(node, name), 0, most)).find((one) => one !== undefined);
  const before = number(99_998, 'displayepisode', 'airsbefore_episode');
  const season = number(9_999, 'displayseason', 'airsbefore_season');
  if (season !== undefined && season > 0)
    return before !== undefined && before >= AFTER_SEASON ? { season } : { season, before: before ?? 0 };
  const after = number(9_999, 'displayafterseason', 'airsafter_season');
  return after === undefined || after === 0 ? undefined : { season: after };
}

/** Programs write the number of a set as an attribute of its element, or as an element of the film. */
function setIdOf(node: Node): string | undefined {
  const texts = [
    ...listOf(node, 'set').map((set) => attribute(set, 'tmdbcolid')),
    first(node, 'tmdbcollectionid', 40),
    first(node, 'collectionnumber', 40),
  ];
  return texts.find((text) => text !== undefined && /^[1-9]\d{0,8}$/.test(text));
}

function attribute(node: Node, name: string): string | undefined {
  const key = `@${name}`;
  const value = Object.hasOwn(node, key) ? node[key] : undefined;
  return typeof value === 'string' ? nfoText(decodeEntities(value)).trim() : undefined;
}
