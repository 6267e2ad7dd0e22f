/** Audiobooks: a file, or the files of a folder. */
import type { CatalogKind } from '../../core/kind.ts';
import { audiobookSeriesId } from '../../core/library-index/series-ids.ts';
import { parentOf } from '../../core/paths.ts';
import { discOf } from '../music/names.ts';
import { isSoundName, soundFiles, type SoundPlacement } from '../sound/files.ts';
import { draftAudiobook } from './draft.ts';
import { bookPlace } from './names.ts';
import { isSameBook } from './same-book.ts';
import { audiobookPage } from './page.ts';
import { volumeNumber } from './series.ts';

const placement: SoundPlacement = {
  version: 5,
  item: 'audiobook',
  fileType: soundFiles,
  isOwn: isSoundName,
  itemKey: ({ folders, siblings }, name) => `audiobook:${bookPlace(folders, name.normalize('NFC'), siblings)}`,
  groupKey: () => undefined,
  isSameWork: isSameBook,
  isSureOfWorks: true,
  home: ({ folders }, folder) =>
    folders.length > 1 && discOf(folders.at(-1) ?? '') !== undefined ? parentOf(folder) : undefined,
  ownsFolder: true,
  draft: draftAudiobook,
};

export const audiobook: CatalogKind<'audiobook'> = {
  placement,
  facets: ['genres', 'years', 'artists', 'series', 'libraries'],
  sorts: ['title', 'added', 'year', 'duration', 'random'],
  rows: {
    audiobook: {
      searchWeight: 0.2,
      searchTexts: ({ music: { artists = [] } = {}, plot = '' }) => ({ people: artists.join(' '), plot }),
      card: (row) => {
        const id = audiobookSeriesId(row);
        const [title = '', position] = row.series ?? [];
        const number = volumeNumber(position);
        return {
          artists: [...(row.artists ?? [])],
          ...(id !== undefined && { series: { id, title } }),
          ...(position !== undefined && { volume: { text: position, ...(number !== undefined && { number }) } }),
        };
      },
      collection: 'items',
      page: audiobookPage,
    },
  },
};
