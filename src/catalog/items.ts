/** Items, shows and subjects: what the tables hold of one thing, put together for a reply or for work in the background. */
import type { Item, Show, SubtitleTrack } from '../contract/catalog/items.ts';
import type { Policy } from '../contract/identity/profiles.ts';
import { SUBTITLE_FORMATS } from '../contract/subtitles/formats.ts';
import { languageName, parseLanguage } from '../lib/languages.ts';
import { cardOf, cardsOf, type CardNeeds } from './cards/cards.ts';
import { sidecarsOfFolder } from './naming/sidecars.ts';
import type { MediaInfo, Stream } from './probe/types.ts';
import type { Aside, Detail } from './scan/place.ts';
import { resolutionOf } from './scan/place.ts';
import type { ItemFiles } from './store/files.ts';
import type { FileTable, ItemTable } from './store/tables.ts';
import type { EditList, PlayableFile, ShelfRow, Sidecar, Subject } from './types.ts';
import type { Rows } from './watching.ts';

export interface ItemNeeds extends CardNeeds {
  rootOf(library: string): string | undefined;
  itemFiles: Pick<ItemFiles, 'of'>;
}
/** Who looks: the policy counts episodes, the rows say what was watched. */
export interface Looker {
  policy: Policy;
  watched: Rows;
  isOwner: boolean;
}

const relative = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);
const language = (stream: Stream): string | undefined => parseLanguage(stream.languageTag ?? stream.language ?? '');
/** ffmpeg's names of text subtitles; all others are pictures. Some exist only inside containers. */
const TEXT: ReadonlySet<string> = new Set([
  ...SUBTITLE_FORMATS.flatMap(({ codecs }) => codecs),
  'mov_text',
  'text',
  'subviewer',
  'eia_608',
]);

/** The files of an item as they can be opened, the best version first. */
export async function filesOf(
  { itemFiles, rootOf, isOnline }: ItemNeeds,
  id: string,
): Promise<(PlayableFile & { label: string; problem: string | null })[]> {
  const files = (await itemFiles.of(id)).map(({ row, info }) => ({
    ...playable(row, { root: rootOf(row.library) ?? '', info, isOnline: isOnline(row.library) }),
    label: row.label,
    problem: row.problem,
  }));
  return files.sort((a, b) => (a.id === b.id ? a.part - b.part : pixels(b.info) - pixels(a.info)));
}

const playable = (
  row: FileTable,
  { root, info, isOnline }: { root: string; info: MediaInfo | undefined; isOnline: boolean },
): PlayableFile => ({
  id: row.version,
  item: row.item ?? '',
  library: row.library,
  root,
  relative: relative(row.folder, row.name),
  size: row.size,
  modifiedMs: row.mtime,
  part: row.part,
  info,
  available: isOnline && row.problem === null,
});
const pixels = (info: MediaInfo | undefined) => {
  const video = info?.streams.find(({ type, cover }) => type === 'video' && !cover);
  return (video?.width ?? 0) * (video?.height ?? 0);
};

/** The sidecars of an item, hidden ones too: those of each file's folder and of its folders of subtitles. */
export async function sidecarsOf(
  { store }: Pick<ItemNeeds, 'store'>,
  files: readonly PlayableFile[],
): Promise<Sidecar[]> {
  const all: Sidecar[] = [];
  for (const file of files) {
    if (file.part !== 1) continue;
    const at = file.relative.lastIndexOf('/');
    const [folder, name] = at < 0 ? ['', file.relative] : [file.relative.slice(0, at), file.relative.slice(at + 1)];
    const asides = await store.asidesNear(file.library, folder);
    const flat = asides.flatMap(({ below, aside }) =>
      parsed(aside).map((one) => (below === '' ? one : { ...one, n: relative(below, one.n) })),
    );
    const near = nearTo(name, await store.videosIn(file.library, folder), flat);
    const found = sidecarsOfFolder({ videos: near.videos, files: near.asides.map(({ n }) => n) }).of.get(name) ?? [];
    for (const one of found) {
      const aside = flat.find(({ n }) => n === one.file);
      if (!aside) continue;
      all.push({
        relative: relative(folder, one.file),
        name: one.file,
        language: one.language,
        role: one.role,
        format: one.format,
        title: one.title,
        isHidden: one.hidden,
        isDefault: one.default,
        size: aside.s,
        modifiedMs: aside.m,
        version: file.id,
      });
    }
  }
  return all;
}

const EDIT_LIST = '.edl';

/** Reads the files next to videos once for each folder. */
function readOnce({ asidesNear }: ItemNeeds['store']): ItemNeeds['store']['asidesNear'] {
  const read = new Map<string, ReturnType<typeof asidesNear>>();
  return (library, folder) => {
    const key = `${library}/${folder}`;
    const found = read.get(key) ?? asidesNear(library, folder);
    read.set(key, found);
    return found;
  };
}

/** Returns the edit lists of files. Each has the name of its video with another ending, and lies in the same folder. */
async function editListsOf({ store }: Pick<ItemNeeds, 'store'>, files: readonly PlayableFile[]): Promise<EditList[]> {
  const all: EditList[] = [];
  for (const file of files) {
    const at = file.relative.lastIndexOf('/');
    const [folder, name] = [file.relative.slice(0, Math.max(0, at)), file.relative.slice(at + 1)];
    const asides = (await store.asidesNear(file.library, folder))
      .filter(({ below }) => below === '')
      .flatMap(({ aside }) => parsed(aside));
    const wanted = name
      .replace(/\.[^.]+$/, EDIT_LIST)
      .normalize('NFC')
      .toLowerCase();
    const found = asides.find(({ n }) => n.normalize('NFC').toLowerCase() === wanted);
    if (found)
      all.push({
        relative: relative(folder, found.n),
        size: found.s,
        modifiedMs: found.m,
        version: file.id,
        part: file.part,
      });
  }
  return all;
}

/** The last folders whose files were read: a folder of many films is asked about once for each of them. */
const lately = new Map<string, Aside[]>();
function parsed(aside: string): readonly Aside[] {
  const had = lately.get(aside);
  if (had) return had;
  const files = JSON.parse(aside) as Aside[];
  lately.set(aside, files);
  if (lately.size > 4) lately.delete(lately.keys().next().value ?? '');
  return files;
}

const FEW = 20;
/** In a folder of many videos only names that begin as the video's does can be its own. */
function nearTo(
  video: string,
  videos: readonly string[],
  asides: readonly Aside[],
): { videos: readonly string[]; asides: readonly Aside[] } {
  if (videos.length <= FEW) return { videos, asides };
  const base = video.replace(/\.[^.]+$/, '').toLowerCase();
  const begins = (name: string) =>
    (name.split('/').at(-1) ?? '').toLowerCase().startsWith(base) || name.toLowerCase().includes(`/${base}/`);
  return { videos: videos.filter(begins), asides: asides.filter(({ n }) => begins(n)) };
}

const ROLE_WORD = { normal: '', forced: 'forced', sdh: 'for the hard of hearing' } as const;
const nameOf = (tag: string | undefined, more: readonly (string | undefined)[]): string =>
  [tag === undefined ? 'Unknown language' : languageName(tag), ...more]
    .filter((word) => word !== undefined && word !== '')
    .join(' · ');

/** Every subtitle that can be shown, sidecars first: what somebody put there is meant. */
export function tracksOf(file: PlayableFile | undefined, sidecars: readonly Sidecar[]): SubtitleTrack[] {
  const own = sidecars.filter(({ isHidden, version }) => !isHidden && version === file?.id);
  const beside = own.map((one, i): SubtitleTrack => ({
    key: `f${i}`,
    ...(one.language !== undefined && { language: one.language }),
    title: nameOf(one.language, [ROLE_WORD[one.role], one.title]),
    role: one.role,
    format: one.format,
    source: 'sidecar',
    default: one.isDefault,
    picture: one.format === 'sup' || one.format === 'vobsub',
  }));
  const inside = (file?.info?.streams ?? [])
    .filter(({ type }) => type === 'subtitle')
    .map((stream): SubtitleTrack => {
      const tag = language(stream);
      const role = stream.forced ? 'forced' : stream.hearingImpaired ? 'sdh' : 'normal';
      return {
        key: `s${stream.index}`,
        ...(tag !== undefined && { language: tag }),
        title: nameOf(tag, [ROLE_WORD[role], stream.title]),
        role,
        format: stream.codec,
        source: 'embedded',
        default: stream.default,
        picture: !TEXT.has(stream.codec),
      };
    });
  return [...beside, ...inside];
}

const streamOf = (s: Stream): Item['streams'][number] => {
  const tag = language(s);
  const {
    index,
    type,
    codec,
    profile,
    level,
    width,
    height,
    frameRate,
    bitDepth,
    hdr,
    channels,
    layout,
    sampleRate,
    bitrate,
    title,
  } = s;
  const facts = {
    profile,
    level,
    width,
    height,
    frameRate,
    bitDepth,
    hdr,
    channels,
    layout,
    sampleRate,
    bitrate,
    title,
    language: tag,
  };
  return {
    index,
    type,
    codec,
    ...(Object.fromEntries(Object.entries(facts).filter(([, v]) => v !== undefined)) as object),
    default: s.default,
    forced: s.forced,
    hearingImpaired: s.hearingImpaired,
    commentary: s.commentary,
  };
};
const streamsOf = (info: MediaInfo | undefined) => (info?.streams ?? []).filter(({ cover }) => !cover).map(streamOf);

/** What a handful of codecs and containers call themselves. */
const details = (row: ItemTable) => JSON.parse(row.detail) as Detail;
const listsOf = (row: ItemTable) => {
  const { plot, studios, people, ids } = details(row);
  return {
    ...(row.original_title !== null && { originalTitle: row.original_title }),
    ...(plot !== undefined && { plot }),
    genres: JSON.parse(row.genres) as string[],
    studios,
    people,
    ids,
  };
};

/** One film or episode. The caller has made sure that it may be seen. */
export async function itemOf(needs: ItemNeeds, row: ItemTable, looker: Looker): Promise<Item> {
  const { shelf, isOnline } = needs;
  const onShelf = shelf.row(row.id) as ShelfRow;
  const card = cardOf(onShelf, row, { shelf, ...looker, isOnline: isOnline(row.library) });
  const files = await filesOf(needs, row.id);
  const best = files[0];
  const sidecars = await sidecarsOf(needs, files);
  const siblings = row.show === null ? [] : shelf.episodesOf(row.show, looker.policy);
  const at = siblings.indexOf(row.id);
  const [next, previous] = at < 0 ? [] : [siblings[at + 1], siblings[at - 1]];
  const { tagline, edition, evidence } = details(row);
  const isPlayable = best?.available === true;
  return {
    ...card,
    ...listsOf(row),
    ...(tagline !== undefined && { tagline }),
    ...(edition !== undefined && { edition }),
    ...(best?.info && { container: best.info.container }),
    ...(best && { size: best.size }),
    streams: streamsOf(best?.info),
    chapters: (best?.info?.chapters ?? []).map(({ start, end, title }, i) => ({
      start,
      end,
      title: title ?? `Chapter ${i + 1}`,
    })),
    markers: [],
    subtitles: tracksOf(best, sidecars),
    versions: versionsOf(files, looker.isOwner),
    ...(looker.isOwner && { guess: { confidence: row.confidence, evidence } }),
    ...(next !== undefined && { next }),
    ...(previous !== undefined && { previous }),
    links: isPlayable
      ? { media: `/media/${row.id}`, ...(looker.policy.download && { download: `/download/${row.id}` }) }
      : {},
  };
}

function versionsOf(files: Awaited<ReturnType<typeof filesOf>>, isOwner: boolean): Item['versions'] {
  return [...Map.groupBy(files, ({ id }) => id)].map(([id, parts]) => {
    const first = parts[0] as (typeof parts)[number];
    const resolution = resolutionOf(first.info) as Item['resolution'];
    return {
      id,
      label: first.label === '' ? (resolution ?? 'Original') : first.label,
      ...(isOwner && { file: first.relative }),
      ...(first.info && { container: first.info.container }),
      size: parts.reduce((sum, { size }) => sum + size, 0),
      ...(first.info?.duration !== undefined && {
        duration: parts.reduce((sum, { info }) => sum + (info?.duration ?? 0), 0),
      }),
      parts: parts.length,
      ...(resolution !== undefined && { resolution }),
      streams: streamsOf(first.info),
      available: parts.every(({ available }) => available),
      ...(first.problem !== null && { problem: first.problem }),
    };
  });
}

/** A show with its seasons and episodes, and what comes next for this Profile. */
export async function showOf(needs: ItemNeeds, row: ItemTable, looker: Looker): Promise<Show> {
  const { store, shelf, isOnline } = needs;
  const card = cardOf(shelf.row(row.id) as ShelfRow, row, { shelf, ...looker, isOnline: isOnline(row.library) });
  const ids = shelf.episodesOf(row.id, looker.policy);
  const episodes = await cardsOf(needs, ids, looker);
  const plots = await store.details(ids);
  const bySeason = Map.groupBy(episodes, ({ season }) => season ?? 1);
  const seasons = (await store.seasons(row.id)).filter(
    ({ season_number: n, present }) => present === 1 && bySeason.has(n ?? 1),
  );
  const nextUp = nextOf(episodes, looker.watched);
  return {
    ...card,
    ...listsOf(row),
    seasons: seasons.map((season) => {
      const number = season.season_number ?? 1;
      const images = JSON.parse(season.images) as Record<string, { s: number; m: number }>;
      return {
        id: season.id,
        number,
        title: season.title,
        images: Object.fromEntries(
          Object.entries(images).map(([kind, { s, m }]) => [kind, `${Math.round(m).toString(36)}${s.toString(36)}`]),
        ),
        episodes: (bySeason.get(number) ?? []).map((one) => {
          const { plot } = JSON.parse(plots.get(one.id) ?? '{}') as Partial<Detail>;
          return { ...one, ...(plot !== undefined && { plot }) };
        }),
      };
    }),
    ...(nextUp && { nextUp }),
  };
}

/** The episode begun last, else the one after the last watched, else the first; specials only when begun. */
export function nextOf<E extends { id: string; season?: number | undefined }>(
  episodes: readonly E[],
  watched: Rows,
): E | undefined {
  const played = episodes
    .filter(({ id }) => watched.get(id)?.last_played != null)
    .sort((a, b) => (watched.get(b.id)?.last_played ?? 0) - (watched.get(a.id)?.last_played ?? 0));
  const last = played[0];
  const plain = episodes.filter(({ season }) => season !== 0);
  if (!last) return plain[0] ?? episodes[0];
  const isWatched = ({ id }: E) => watched.get(id)?.watched === 1;
  if (!isWatched(last)) return last;
  return plain.slice(plain.findIndex(({ id }) => id === last.id) + 1).find((one) => !isWatched(one));
}

/** An item for work in the background. */
export async function subjectOf(needs: ItemNeeds, row: ItemTable): Promise<Subject> {
  const { store, isOnline } = needs;
  const files = row.present === 1 ? await filesOf(needs, row.id) : [];
  const show = row.show === null ? undefined : await store.item(row.show);
  const beside = { store: { ...store, asidesNear: readOnce(store) } };
  return {
    id: row.id,
    kind: row.kind as Subject['kind'],
    title: row.title,
    year: row.year ?? undefined,
    show: show && { id: show.id, title: show.title, year: show.year ?? undefined, ids: details(show).ids },
    season: row.season_number ?? undefined,
    episode: row.episode_number ?? undefined,
    episodeEnd: row.episode_end ?? undefined,
    ids: details(row).ids,
    added: row.added,
    available: isOnline(row.library),
    files,
    sidecars: await sidecarsOf(beside, files),
    editLists: await editListsOf(beside, files),
    change: row.change,
    gone: row.present === 0,
  };
}
