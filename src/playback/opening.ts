/**
 * Opening the file of an item: policy first, then through the I/O pool, in its present version.
 *
 * Size and time from the scan are not trusted here: they are read from the open file, so that one that
 * grew or was replaced since is served whole, with its own validator.
 */
import type { Catalog, PlayableFile, VisibleCatalog } from '../catalog/index.ts';
import { Failure, found } from '../lib/failure.ts';
import { inRoot, type KeptFiles, type OpenFile, openForReading } from '../lib/files.ts';
import { withoutInvisible } from '../lib/language/visible.ts';

/** Characters that a file name may not contain. */
// eslint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[\u0000-\u001f\u007f/\\:*?"<>|]/g;
export interface FileChoice {
  id: string;
  version?: string | undefined;
  part?: number | undefined;
}

/** A file that was found and may be seen. */
export async function playableFile(
  seen: Pick<VisibleCatalog, 'file'>,
  { id, version, part }: FileChoice,
): Promise<PlayableFile> {
  return found(await seen.file(id, version, part), 'no such item', 'no-such-item');
}

/**
 * Opens a place in the library of `file`, from the kept ones where they are given, with the byte that is probably read
 * first. Fails as `unavailable` while the library is away, as `missing` when only the file is.
 */
export async function openMedia(
  catalog: Pick<Catalog, 'root'>,
  file: PlayableFile,
  relative: string,
  { kept, expected }: { kept?: KeptFiles; expected?: number | undefined } = {},
): Promise<OpenFile> {
  const root = await catalog.root(file.root).catch((error: unknown) => {
    // A folder that is not there is a disk that is not plugged in.
    throw error instanceof Failure && error.kind !== 'unavailable'
      ? new Failure('unavailable', 'this library cannot be reached', { reason: 'library-offline' }, { cause: error })
      : error;
  });
  try {
    return await (kept ? kept.open(inRoot(root, relative), expected) : openForReading(inRoot(root, relative)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'missing' && !file.available)
      throw new Failure(
        'unavailable',
        'this library cannot be reached',
        { reason: 'library-offline' },
        { cause: error },
      );
    // To the caller, a file that we may not or cannot open is one that is not available now.
    throw error.kind === 'conflict'
      ? new Failure('unavailable', 'the file cannot be read', { reason: 'file-unavailable' }, { cause: error })
      : error;
  }
}

/** A strong validator: it changes when the bytes may have changed. */
export const etagOf = ({ size, mtimeMs, ino }: Pick<OpenFile, 'size' | 'mtimeMs' | 'ino'>): string =>
  [size, Math.round(mtimeMs * 1000), ino].map((n) => n.toString(36)).join('-');

export const extensionOf = (relative: string): string =>
  /\.([A-Za-z0-9]{1,8})$/.exec(relative)?.[1]?.toLowerCase() ?? '';

/** Returns the ending of a file as it is played: a track that is cut out of its file has another container. */
export const extensionOfFile = ({ relative, window, info }: PlayableFile): string =>
  window && info ? info.container : extensionOf(relative);

/** Returns the name of a file in a form that every file system takes. */
export const fileName = (relative: string): string =>
  withoutInvisible(relative.slice(relative.lastIndexOf('/') + 1)).replace(NOT_IN_NAMES, '_') || 'file';

interface Named {
  kind: 'movie' | 'episode';
  title: string;
  year: number | undefined;
  show: { title: string } | undefined;
  season: number | undefined;
  episode: number | undefined;
  episodeEnd: number | undefined;
}

/**
 * Returns the name of a download: `Title (2019).mkv`, `Show - S01E02 - Title.mkv`, in a form that every file system
 * takes.
 */
export function downloadName(of: Named, extension: string, part?: { number: number }): string {
  const numbers =
    of.season === undefined || of.episode === undefined
      ? ''
      : `S${two(of.season)}E${two(of.episode)}${of.episodeEnd === undefined ? '' : `-E${two(of.episodeEnd)}`}`;
  const words =
    of.kind === 'episode'
      ? [of.show?.title, numbers, of.title]
      : [of.year === undefined ? of.title : `${of.title} (${of.year})`];
  const name = [...words, part && `part ${part.number}`]
    .filter((word) => word !== undefined && word !== '')
    .join(' - ');
  const plain = withoutInvisible(name)
    .replace(NOT_IN_NAMES, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  const short = cut(plain === '' ? 'media' : plain, 180);
  return extension === '' ? short : `${short}.${extension}`;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** At most so many bytes of UTF-8, and no half of a character. */
function cut(text: string, most: number): string {
  let out = '';
  let bytes = 0;
  for (const each of text) {
    bytes += Buffer.byteLength(each);
    if (bytes > most) break;
    out += each;
  }
  return out.trimEnd();
}
