/** Folders that sort and hold many works, such as `TV`, `HD Shows` or `Movies 4K`. They name no work themselves. */
import { fold } from './text.ts';
import type { CollectionContent } from './types.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).map((word) => fold(word)));

const SHOW_WORDS = words(`tv tvshows shows series serien serie séries сериалы anime animes television sitcoms
  cartoons kdrama kdramas dramas episodes animation`);
const FILM_WORDS = words('movies movie films filme film kino cinema peliculas películas фильмы');
/** Words that say nothing about what a folder holds. */
const OTHER_WORDS = words(`hd uhd fhd sd 4k 8k 1080p 720p 2160p 480p bluray dvd my new old all misc other various kids
  downloads download complete completed ongoing finished current ended media video videos documentaries docs incoming
  unsorted torrents usenet archive drama k comedy english german french spanish japanese korean foreign classic classics
  watched unwatched de`);

const wordsOf = (name: string): string[] => fold(name).split(' ');

/** Returns what a collection folder holds by its name; undefined for other folders and for names that do not say it. */
export function collectionContent(name: string): CollectionContent | undefined {
  const all = wordsOf(name);
  if (!all.every((word) => SHOW_WORDS.has(word) || FILM_WORDS.has(word) || OTHER_WORDS.has(word))) return undefined;
  // "Anime Movies" holds films.
  return all.some((word) => FILM_WORDS.has(word))
    ? 'films'
    : all.some((word) => SHOW_WORDS.has(word))
      ? 'shows'
      : undefined;
}

/** Returns whether a folder holds many works and is none itself. */
export const isCollectionFolder = (name: string): boolean =>
  wordsOf(name).every((word) => SHOW_WORDS.has(word) || FILM_WORDS.has(word) || OTHER_WORDS.has(word));

/** Returns what the collection folder at the top of a path holds: `TV/…`, `Media/Shows/…`. */
export function collectionOfPath(folders: readonly string[]): CollectionContent | undefined {
  for (const folder of folders) {
    const content = collectionContent(folder);
    if (content !== undefined || !isCollectionFolder(folder)) return content;
  }
  return undefined;
}
