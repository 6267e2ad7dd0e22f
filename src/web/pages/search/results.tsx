/** The results of a search in sections: titles, folders of photos, people, artists, lists, lyrics and dialogue. */
import { useEffect } from 'preact/hooks';
import search from 'lucide/dist/esm/icons/search.mjs';
import { announce } from '../../lib/announce.ts';
import { cx } from '../../lib/cx.ts';
import { count } from '../../lib/format.ts';
import type { To } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useQueryParams } from '../../lib/navigation/navigate.ts';
import type { Reply } from '../../data/query.ts';
import { EmptyState } from '../../kit/states/states.tsx';
import { orderOf, SelectableList } from '../../parts/catalog/select.tsx';
import { SmallGrid } from '../../parts/catalog/small-grid.tsx';
import type { Card } from '../../parts/catalog/cards.tsx';
import { type DialoguePage, useFound, wayToPhotos } from '../../parts/search/found.ts';
import { DialogueHits, DialogueState } from './dialogue.tsx';
import { EpisodeRow } from './episode-row.tsx';
import { SectionFilter, type ShownSection } from './section-filter.tsx';
import css from './search.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const LIMITS = { names: 12, lines: 10 };

/** The sections of titles, in their order, with the kinds of cards in each. */
const TITLES: readonly { name: string; label: () => string; kinds: readonly Card['kind'][] }[] = [
  { name: 'films', label: () => m.films, kinds: ['movie'] },
  { name: 'shows', label: () => m.shows, kinds: ['show', 'season'] },
  { name: 'episodes', label: () => m.episodes, kinds: ['episode'] },
  { name: 'music', label: () => m.music, kinds: ['album', 'track'] },
  { name: 'audiobooks', label: () => m.audiobooks, kinds: ['audiobook'] },
  { name: 'books', label: () => m.booksAndComics, kinds: ['book', 'series'] },
  { name: 'photos', label: () => m.photosAndClips, kinds: ['photo', 'video'] },
];

const Titles = ({ name, label, cards }: { name: string; label: string; cards: readonly Card[] }) => (
  <section aria-labelledby={`found-${name}`}>
    <h2 id={`found-${name}`} className={css.heading}>
      {label}
    </h2>
    {name === 'episodes' ? (
      <ul className={css.episodes}>
        {cards.map((card) => (
          <EpisodeRow key={card.id} card={card} />
        ))}
      </ul>
    ) : (
      <SmallGrid cards={cards} label={label} />
    )}
  </section>
);

interface Named {
  id: string;
  name: string;
}
const Names = ({
  name,
  label,
  page,
  items,
}: {
  name: string;
  label: string;
  page: 'artist' | 'collection' | 'person' | 'playlist' | 'smartPlaylist';
  items: readonly Named[];
}) => (
  <Links name={name} label={label} items={items.map((one) => ({ ...one, to: { page, params: { id: one.id } } }))} />
);

const Links = ({ name, label, items }: { name: string; label: string; items: readonly (Named & { to: To })[] }) => (
  <section aria-labelledby={`found-${name}`}>
    <h2 id={`found-${name}`} className={css.heading}>
      {label}
    </h2>
    <ul className={css.genres}>
      {items.map((one) => (
        <li key={one.id}>
          <Link to={one.to} className={css.genre}>
            {one.name}
          </Link>
        </li>
      ))}
    </ul>
  </section>
);

const countOf = (page: DialoguePage): string =>
  `${count(page.items.length)}${page.nextCursor === undefined ? '' : '+'}`;

export const SearchResults = ({ library, asked }: { library: Reply<'catalog', 'library'>; asked: string }) => {
  const { items: cards, total } = library;
  const { dialogue, lyrics, artists, people, collections, playlists, smartPlaylists, photoFolders } = useFound(
    asked,
    LIMITS,
  );
  const titles = TITLES.map((one) => ({ ...one, cards: cards.filter(({ kind }) => one.kinds.includes(kind)) })).filter(
    (one) => one.cards.length > 0,
  );
  const sections: ShownSection[] = [
    ...titles.map(({ name, label, cards: some }) => ({ name, label: label(), count: count(some.length) })),
    ...(photoFolders.length > 0
      ? [{ name: 'photo-folders', label: m.photoFoldersFound, count: count(photoFolders.length) }]
      : []),
    ...(people.length > 0 ? [{ name: 'people', label: m.peopleFound, count: count(people.length) }] : []),
    ...(artists.length > 0 ? [{ name: 'artists', label: m.artists, count: count(artists.length) }] : []),
    ...(collections.length > 0
      ? [{ name: 'collections', label: m.collections, count: count(collections.length) }]
      : []),
    ...(playlists.length + smartPlaylists.length > 0
      ? [{ name: 'playlists', label: m.playlistsFound, count: count(playlists.length + smartPlaylists.length) }]
      : []),
    ...(lyrics && lyrics.items.length > 0 ? [{ name: 'lyrics', label: m.inLyrics, count: countOf(lyrics) }] : []),
    ...(dialogue && dialogue.items.length > 0
      ? [{ name: 'dialogue', label: m.inDialogue, count: countOf(dialogue) }]
      : []),
  ];
  const only = useQueryParams().get('only');
  const chosen = sections.find(({ name }) => name === only)?.name;
  const isShown = (name: string) => sections.some((one) => one.name === name) && (chosen ?? name) === name;
  useEffect(() => announce(m.forWord({ results: m.resultsCount({ count: total }), query: asked })), [asked, total]);
  if (sections.length === 0)
    return (
      <>
        <EmptyState isAlone icon={search} title={m.nothingFoundFor({ query: asked })}>
          {m.tryFewerLettersAnotherSpelling}
        </EmptyState>
        {dialogue && <DialogueState index={dialogue.index} />}
      </>
    );
  return (
    <>
      <SectionFilter sections={sections} chosen={chosen} asked={asked} />
      {dialogue && !isShown('dialogue') && chosen === undefined && <DialogueState index={dialogue.index} />}
      <SelectableList key={asked} order={orderOf(titles.flatMap((one) => one.cards).map(({ id }) => id))}>
        {titles
          .filter(({ name }) => isShown(name))
          .map(({ name, label, cards: some }) => (
            <Titles key={name} name={name} label={label()} cards={some} />
          ))}
      </SelectableList>
      {isShown('photo-folders') && (
        <Links
          name="photo-folders"
          label={m.photoFoldersFound}
          items={photoFolders.map((one) => ({ id: one.id, name: one.title, to: wayToPhotos(one) }))}
        />
      )}
      {isShown('people') && <Names name="people" label={m.peopleFound} page="person" items={people} />}
      {isShown('artists') && <Names name="artists" label={m.artists} page="artist" items={artists} />}
      {isShown('collections') && (
        <Names name="collections" label={m.collections} page="collection" items={collections} />
      )}
      {isShown('playlists') && playlists.length > 0 && (
        <Names name="playlists" label={m.playlistsFound} page="playlist" items={playlists} />
      )}
      {isShown('playlists') && smartPlaylists.length > 0 && (
        <Names name="smart-playlists" label={m.smartPlaylistsFound} page="smartPlaylist" items={smartPlaylists} />
      )}
      {lyrics && isShown('lyrics') && <DialogueHits page={lyrics} id="found-lyrics" title={m.inLyrics} />}
      {dialogue && isShown('dialogue') && <DialogueHits page={dialogue} id="found-dialogue" title={m.inDialogue} />}
      {total > cards.length && (
        <p className={cx('muted', css.rest)}>
          {m.theBestOfTypeMore({ shown: cards.length, results: m.resultsCount({ count: total }) })}
        </p>
      )}
    </>
  );
};
