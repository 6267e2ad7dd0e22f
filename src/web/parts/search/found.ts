/** Asks for people, artists, lists, folders of photos, and lines of songs and films that match a search. */
import type { Reply } from '../../data/query.ts';
import { useAll, useAsk } from '../../data/query.ts';
import type { To } from '../../lib/navigation/addresses.ts';
import { pageOf } from '../catalog/cards.tsx';

export type DialoguePage = Reply<'dialogue', 'search'>;
export type DialogueHit = DialoguePage['items'][number];
export type DialogueLine = DialogueHit['lines'][number];

/** Lines are searched for a text of this many letters. */
const MIN_DIALOGUE = 3;
/** A viewer needs a moment to recognise the scene before the line is spoken. */
const LEAD_IN_SECONDS = 3;

interface Named {
  id: string;
  name: string;
}
export interface FoundLimits {
  /** Maximum number of names of each sort. */
  names: number;
  /** Maximum number of films and of songs whose lines are shown. */
  lines: number;
}

/** Asks for everything that is not a title. Each reply is returned as soon as it arrives. */
export function useFound(asked: string, { names: limit, lines }: FoundLimits) {
  const q = asked.trim();
  const options = { enabled: q !== '', keep: true };
  const isLong = q.length >= MIN_DIALOGUE;
  const spoken = { enabled: isLong, keep: true };
  const { data: dialogue } = useAsk('dialogue', 'search', { q: asked, limit: lines }, spoken);
  const { data: lyrics } = useAsk('dialogue', 'search', { q: asked, source: 'lyrics', limit: lines }, spoken);
  const { data: artists } = useAsk('music', 'artists', { q: asked, limit }, options);
  const { data: people } = useAsk('people', 'search', { q: asked, limit }, options);
  const { data: collections } = useAsk('collections', 'list', { q: asked, limit }, options);
  const { data: playlists } = useAll('playlists', 'list', {}, options);
  const { data: smart } = useAll('smartPlaylists', 'list', {}, options);
  const { data: folders } = useAll('photos', 'folders', {}, options);
  const has = ({ name }: Pick<Named, 'name'>) => name.toLocaleLowerCase().includes(q.toLocaleLowerCase());
  const isAsked = q !== '';
  return {
    dialogue: isLong ? dialogue : undefined,
    lyrics: isLong ? lyrics : undefined,
    artists: (isAsked && artists?.items) || [],
    people: (isAsked && people?.items) || [],
    collections: (isAsked && collections?.items) || [],
    playlists: isAsked ? (playlists?.items ?? []).filter(has) : [],
    smartPlaylists: isAsked ? (smart?.items ?? []).filter(has) : [],
    photoFolders: isAsked ? (folders?.items ?? []).filter(({ title }) => has({ name: title })).slice(0, limit) : [],
  };
}

/** Returns where a line leads: into the film, or to the album of a song. */
export const wayToLine = ({ item }: DialogueHit, { start = 0 }: DialogueLine): To =>
  item.kind === 'track'
    ? pageOf(item)
    : {
        page: 'player',
        params: { id: item.id },
        query: { start: Math.max(0, Math.floor(start) - LEAD_IN_SECONDS) },
      };

/** Returns where a folder of photos is shown. */
export const wayToPhotos = ({ id: folder, library }: Reply<'photos', 'folders'>['items'][number]): To => ({
  page: 'library',
  query: { view: 'photos', library, folder },
});
