/** Home: what is under way, what comes next, what is new, and the libraries. */
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { Poster, Wide } from '../../parts/catalog/cards.tsx';
import { Carousel } from '../../parts/catalog/carousel.tsx';
import { useAsk } from '../../data/query.ts';
import { useIsOwner, useMe } from '../../data/session.ts';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { Continue } from './continue.tsx';
import { DatabaseNotice } from './database-notice.tsx';
import { Hero } from './hero.tsx';
import { EmptyHome } from './nothing.tsx';
import { Tiles } from './tiles.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';

const MAX_NEXT_UP = 12;

const Recent = ({ library, name, isOnly }: { library: string; name: string; isOnly: boolean }) => {
  const { data } = useAsk('catalog', 'recent', { library, limit: 24 });
  if (!data || data.items.length === 0) return null;
  return (
    <Carousel
      title={isOnly ? m.recentlyAdded : m.recentlyAddedIn({ name })}
      all={{ page: 'library', query: { library, sort: 'added', order: 'descending' } }}
    >
      {data.items.map((card) => (
        <Poster key={card.id} card={card} />
      ))}
    </Carousel>
  );
};

export const Page = () => {
  useTitle(DESTINATIONS.home.label());
  const me = useMe();
  const isOwner = useIsOwner();
  const libraries = useAsk('libraries', 'list', {});
  const underWay = useAsk('catalog', 'library', { view: 'continue', limit: 24 });
  const newest = useAsk('catalog', 'recent', { limit: 12 });
  const going = underWay.data?.items ?? [];
  const next = useAsk('catalog', 'nextUp', { limit: MAX_NEXT_UP }).data?.items ?? [];
  const failed = libraries.error ?? underWay.error ?? newest.error;
  if (failed && !libraries.data)
    return <ErrorState isAlone title={m.homeCouldNotBeLoaded} error={failed} retry={() => void libraries.refetch()} />;
  if (!libraries.data || !underWay.data || !newest.data) return <Pending />;
  const featured =
    going[0] ??
    next[0] ??
    newest.data.items.find((card) => card.images.backdrop !== undefined && card.available) ??
    newest.data.items[0];
  const all = libraries.data.items;
  return (
    <>
      <h1 className="unseen">{me ? m.homeOf({ name: me.profile.name }) : m.home}</h1>
      {isOwner && <DatabaseNotice />}
      {featured ? <Hero card={featured} /> : <EmptyHome />}
      {going.length > 0 && <Continue cards={going} />}
      {next.length > 0 && (
        <Carousel title={m.nextUp} isWide>
          {next.map((card) => (
            <Wide key={card.id} card={card} />
          ))}
        </Carousel>
      )}
      {all.map(({ id, name }) => (
        <Recent key={id} library={id} name={name} isOnly={all.length === 1} />
      ))}
      {all.length > 0 && <Tiles libraries={all} />}
    </>
  );
};
