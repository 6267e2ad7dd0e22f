/** Reads the folders and the name of a track without tags: `Artist/Album (Year)/CD1/01 Title`. Pure. */

export interface TrackNames {
  title: string;
  number?: number;
  disc?: number;
  album?: string;
  artist?: string;
  year?: number;
  /** Path of the album's folder, in which each disc may have a folder. */
  albumFolder: string;
}

const DISC_FOLDER = /^(?:.{0,100}[\s([-])?(?:cd|disc|disk|dvd|lp)[ ._-]{0,2}(\d{1,3})(?:\b.{0,100})?$/i;
/** `01 Title`, `01. Title`, `1-01 - Title`, `A1 Title` keeps its letter as part of the title. */
const NUMBERED = /^(?:(\d{1,2})[-.])?(\d{1,3})(?:\s*[-–._)]+\s*|\s+)(\S.*)$/;
const YEAR_BEHIND = /^(.+?)\s*[([]((?:19|20)\d\d)[)\]](?:\s*[([].{0,80}[)\]])?$/;
const YEAR_IN_FRONT = /^[([]?((?:19|20)\d\d)[)\]]?\s*[-–.]\s*(\S.*)$/;
const DASHED = /^(.{1,200}?) [-–] (.{1,200})$/;
const MAX_NAME = 255;

/** Returns the number of a disc that a folder is named after; undefined for any other folder. */
export const discOf = (folder: string): number | undefined => {
  const number = folder.length > MAX_NAME ? undefined : DISC_FOLDER.exec(folder)?.[1];
  return number === undefined ? undefined : Number(number);
};

export function readTrackNames(folders: readonly string[], stem: string): TrackNames {
  const inner = folders.at(-1);
  const discFolder = inner === undefined || folders.length < 2 ? undefined : discOf(inner);
  const above = discFolder === undefined ? folders : folders.slice(0, -1);
  const album = readAlbum(above.at(-1));
  const artist = album?.artist ?? (above.length > 1 ? above.at(-2) : undefined);
  const { title, number, disc } = readTitle(stem.slice(0, MAX_NAME), artist);
  const ownDisc = discFolder ?? disc;
  return {
    title,
    ...(number !== undefined && { number }),
    ...(ownDisc !== undefined && { disc: ownDisc }),
    ...(album && { album: album.title }),
    ...(artist !== undefined && { artist }),
    ...(album?.year !== undefined && { year: album.year }),
    albumFolder: above.join('/'),
  };
}

/** Reads `Album (1999)`, `1999 - Album` and `Artist - Album (1999)`. */
function readAlbum(name: string | undefined): { title: string; artist?: string; year?: number } | undefined {
  if (name === undefined) return undefined;
  const text = name.slice(0, MAX_NAME).replaceAll('_', ' ').trim();
  const behind = YEAR_BEHIND.exec(text);
  const front = YEAR_IN_FRONT.exec(behind?.[1] ?? text);
  const title = front?.[2] ?? behind?.[1] ?? text;
  const year = behind?.[2] ?? front?.[1];
  const [, artist, own] = DASHED.exec(title) ?? [];
  return {
    title: own ?? title,
    ...(artist !== undefined && own !== undefined && { artist }),
    ...(year !== undefined && { year: Number(year) }),
  };
}

function readTitle(stem: string, artist: string | undefined): { title: string; number?: number; disc?: number } {
  const text = stem.replaceAll('_', ' ').trim();
  const [, disc, number, rest] = NUMBERED.exec(text) ?? [];
  const named = rest ?? text;
  const isRepeated = artist !== undefined && named.toLowerCase().startsWith(`${artist.toLowerCase()} - `);
  const title = isRepeated ? named.slice((artist?.length ?? 0) + 3).trim() : named;
  return {
    title: title === '' ? text || 'Unnamed' : title,
    ...(number !== undefined && { number: Number(number) }),
    ...(disc !== undefined && { disc: Number(disc) }),
  };
}
