/** A series of audiobooks: its volumes by number with their progress, and the one to continue with. */
import check from 'lucide/dist/esm/icons/check.mjs';
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import { useAsk, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Menu } from '../../kit/layers/menu.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { facts, formatDuration } from '../../lib/format.ts';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { useTitle } from '../../lib/title.ts';
import { catalogWords } from '../../messages/catalog.ts';
import { musicWords as m } from '../../messages/music.ts';
import { setAllWatched } from '../../parts/catalog/actions.ts';
import { AuthorLinks } from '../../parts/catalog/author-links.tsx';
import { Banner, LastActions } from '../../parts/catalog/banner.tsx';
import { placeIn } from '../../parts/catalog/cards.tsx';
import { seen } from '../../parts/catalog/play.ts';
import { orderOf, SelectableList } from '../../parts/catalog/select.tsx';
import { SmallGrid } from '../../parts/catalog/small-grid.tsx';
import { listenItemOf } from '../../parts/listening/items.ts';
import { listenTo } from '../../parts/listening/requests.ts';
import { playable, queueEntries } from '../../parts/listening/tracks.ts';
import css from './audiobook-series.module.css';

type ShownSeries = Reply<'music', 'audiobookSeries'>;

const Actions = ({ series: { name, items, next, finished } }: { series: ShownSeries }) => {
  const isDone = finished === items.length;
  const ids = items.map(({ id }) => id);
  const isBegun = finished > 0 || items.some((one) => seen(one) !== undefined);
  /** The volumes from the one to continue with on. */
  const rest = next === undefined ? items : items.slice(ids.indexOf(next.id));
  return (
    <>
      {next !== undefined && (
        <Button
          look="primary"
          isLarge
          icon={play}
          isFilled
          disabled={!next.available}
          onClick={() => listenTo([listenItemOf(next)])}
        >
          {(isBegun ? m.continueVolume : m.playVolume)({ title: placeIn(next) || next.title })}
        </Button>
      )}
      <LastActions>
        <Button
          isLarge
          icon={check}
          aria-pressed={isDone}
          onClick={() => void setAllWatched(ids, !isDone, { title: name, kind: 'audiobook' })}
        >
          {isDone ? m.finished : catalogWords.markAsFinished}
        </Button>
        <Menu label={m.more} icon={more} isRound items={queueEntries(() => Promise.resolve(playable(rest)))} />
      </LastActions>
    </>
  );
};

export const Page = ({ params: { id } }: PageProps<'audiobookSeries'>) => {
  const { data: series, error, refetch } = useAsk('music', 'audiobookSeries', { id });
  useTitle(series?.name);
  if (!series)
    return error ? (
      <ErrorState isAlone title={m.seriesCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const { name, authors, items, volumes, finished, duration } = series;
  const [first] = items;
  return (
    <>
      <Banner
        card={{ id: first?.id ?? id, kind: 'audiobook', title: name, images: first?.images ?? {} }}
        title={name}
        over={<AuthorLinks names={authors} />}
        facts={facts(
          m.volumesCount({ count: volumes }),
          duration !== undefined && formatDuration(duration),
          finished > 0 && m.finishedCount({ count: finished }),
        )}
        actions={<Actions series={series} />}
      />
      <section className={css.volumes} aria-labelledby="volumes">
        <h2 id="volumes">{m.volumes}</h2>
        <SelectableList order={orderOf(items.map((card) => card.id))}>
          <SmallGrid cards={items} label={m.volumes} />
        </SelectableList>
      </section>
    </>
  );
};
