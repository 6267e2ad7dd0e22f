/** One item: what it is, how to watch it, and everything known about its file. */
import { useTitle } from '../../lib/title.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useQueryParams } from '../../lib/navigation/navigate.ts';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { Banner } from '../../parts/catalog/banner.tsx';
import { left, seen } from '../../parts/catalog/play.ts';
import { pageOf } from '../../parts/catalog/cards.tsx';
import { useOwnPage } from '../../parts/catalog/own-page.ts';
import { useAsk } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { Badge, ErrorState, Notice, Pending, ProgressBar } from '../../kit/states/states.tsx';
import { day, formatDuration, episodeCode, facts, resolution, formatRating } from '../../lib/format.ts';
import { Actions } from './actions.tsx';
import { ExtrasRow } from '../../parts/details/extras.tsx';
import { PartOf } from '../../parts/lists/part-of.tsx';
import { Related } from '../../parts/details/related.tsx';
import { Chapters } from './chapters.tsx';
import { ItemFacts } from '../../parts/details/facts.tsx';
import { Cast } from '../../parts/details/cast.tsx';
import { GuessNotice } from './placed.tsx';
import { chosenVersion, versionQuery } from './version.ts';
import { VersionChoice } from './version-choice.tsx';
import { Versions } from './versions.tsx';
import { PlaybackPreview } from './way.tsx';
import type { DetailedItem } from '../../parts/details/types.ts';
import css from './item.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const lineOf = (item: DetailedItem) => {
  const { isEpisode, hdr } = {
    isEpisode: item.kind === 'episode',
    hdr: item.streams.find(({ type, hdr: kind }) => type === 'video' && kind !== undefined)?.hdr,
  };
  return [
    ...facts(
      isEpisode ? item.released && day(item.released) : item.year,
      item.duration !== undefined && formatDuration(item.duration),
    ),
    ...facts(item.rating, item.resolution && resolution(item.resolution), hdr, item.edition).map((text) => (
      <Badge key={text}>{text}</Badge>
    )),
    ...(item.communityRating === undefined
      ? []
      : [
          <span aria-label={m.scoreOf10({ score: item.communityRating })}>★ {formatRating(item.communityRating)}</span>,
        ]),
  ];
};

function Over({ item }: { item: DetailedItem }) {
  const { show, extra } = item;
  if (extra) return <Link to={pageOf(extra.of)}>{extra.of.title}</Link>;
  if (!show) return null;
  return (
    <>
      <Link to={{ page: 'show', params: { id: show.id }, query: { season: item.season } }}>{show.title}</Link>{' '}
      <span className="muted">· {episodeCode(item)}</span>
    </>
  );
}

const Shown = ({ item }: { item: DetailedItem }) => {
  const isOwner = useIsOwner();
  const share = seen(item);
  const version = chosenVersion(item, useQueryParams().get('version'));
  return (
    <>
      <Banner
        card={item}
        over={(item.show || item.extra) && <Over item={item} />}
        title={item.title}
        facts={lineOf(item)}
        tagline={item.tagline}
        plot={item.plot}
        actions={<Actions item={item} version={version} />}
      >
        <VersionChoice item={item} version={version} />
        {item.links.media !== undefined && item.available && (
          <PlaybackPreview id={item.id} version={versionQuery(item, version)} />
        )}
        {share !== undefined && (
          <div className={css.progress}>
            <ProgressBar value={share} label={m.watchedSoFar} isThin />
            <span className="muted small">{left(item)}</span>
          </div>
        )}
      </Banner>
      <div className={css.rest}>
        {!item.available && (
          <Notice tone="warn">
            {m.theFileIsNotAvailable({ advice: isOwner ? m.checkThatTheDiskOr : m.askAnOwnerOfThisServer })}
          </Notice>
        )}
        <ItemFacts item={item} />
        {item.people.length > 0 && <Cast people={item.people} />}
        {item.chapters.length > 1 && <Chapters item={item} />}
      </div>
      {item.extra === undefined && <ExtrasRow of={item} />}
      <div className={css.rest}>
        <Versions item={item} />
        {isOwner && item.guess && <GuessNotice guess={item.guess} />}
      </div>
      {item.kind === 'movie' && <PartOf id={item.id} />}
      <Related item={item} />
    </>
  );
};

export const Page = ({ params: { id } }: PageProps<'item'>) => {
  const { data, error, refetch } = useAsk('catalog', 'item', { id });
  useTitle(data && (data.show ? `${data.title} · ${data.show.title}` : data.title));
  const item = useOwnPage(data, 'item');
  if (item) return <Shown item={item} />;
  return error ? (
    <ErrorState isAlone title={m.thisItemCouldNotBe} error={error} retry={() => void refetch()} />
  ) : (
    <Pending />
  );
};
