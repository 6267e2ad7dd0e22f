/** A show: what to watch next, its seasons and their episodes. */
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import eyeOff from 'lucide/dist/esm/icons/eye-off.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import { useTitle } from '../../lib/title.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go, useQueryParams } from '../../lib/navigation/navigate.ts';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { hideNextUp, setAllWatched, setListed } from '../../parts/catalog/actions.ts';
import { Banner, LastActions } from '../../parts/catalog/banner.tsx';
import { wayToPlay } from '../../parts/catalog/play.ts';
import { RateMenu } from '../../parts/catalog/rate.tsx';
import { ItemMenu } from '../../parts/editing/item-menu.tsx';
import { useAsk } from '../../data/query.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { Tabs } from '../../kit/states/tabs.tsx';
import { facts, formatRating } from '../../lib/format.ts';
import { ExtrasRow } from '../../parts/details/extras.tsx';
import { Related } from '../../parts/details/related.tsx';
import { ItemFacts } from '../../parts/details/facts.tsx';
import { Cast } from '../../parts/details/cast.tsx';
import { Episodes } from './episodes.tsx';
import type { DetailedShow } from './types.ts';
import css from './show.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const lineOf = (show: DetailedShow) => [
  ...facts(
    show.year,
    m.seasonsCount({ count: show.seasons.filter(({ number }) => number > 0).length }),
    show.episodes !== undefined && m.episodesCount({ count: show.episodes }),
  ),
  ...(show.rating ? [<Badge key="rating">{show.rating}</Badge>] : []),
  ...(show.communityRating === undefined
    ? []
    : [<span aria-label={m.scoreOf10({ score: show.communityRating })}>★ {formatRating(show.communityRating)}</span>]),
];

const Actions = ({ show }: { show: DetailedShow }) => {
  const { userData } = show;
  const way = wayToPlay(show);
  const all = show.seasons.flatMap(({ episodes }) => episodes);
  const isDone = all.length > 0 && all.every((episode) => episode.userData.watched);
  return (
    <>
      {way && (
        <ButtonLink look="primary" isLarge icon={play} isFilled to={{ page: 'player', params: { id: way.id } }}>
          {way.label}
        </ButtonLink>
      )}
      <Button
        isLarge
        icon={check}
        aria-pressed={isDone}
        disabled={all.length === 0}
        onClick={() => void setAllWatched([show.id], !isDone, show)}
      >
        {isDone ? m.watched : m.markAsWatched}
      </Button>
      <RateMenu item={show} />
      <LastActions>
        <Button
          isLarge
          icon={bookmark}
          isFilled={userData.listed}
          aria-pressed={userData.listed}
          onClick={() => void setListed(show, !userData.listed)}
        >
          {userData.listed ? m.onMyList : m.myList}
        </Button>
        <ItemMenu
          item={show}
          items={[{ label: m.hideFromNextUp, icon: eyeOff, onChoose: () => void hideNextUp(show) }]}
        />
      </LastActions>
    </>
  );
};

const seasonName = (number: number): string => (number === 0 ? m.specials : m.season({ number }));

/** Returns the seasons, specials last, and the one on show: without a choice, the season to go on with. */
function useSeasons(show: DetailedShow | undefined) {
  const asked = useQueryParams().get('season');
  const seasons = [...(show?.seasons ?? [])].sort(
    (a, b) => Number(a.number === 0) - Number(b.number === 0) || a.number - b.number,
  );
  const now =
    seasons.find(({ number }) => String(number) === asked) ??
    seasons.find(({ number }) => number === show?.nextUp?.season) ??
    seasons[0];
  return { seasons, now };
}

const Seasons = ({ show, seasons, now }: { show: DetailedShow } & ReturnType<typeof useSeasons>) => {
  if (!now) return <EmptyState title={m.noEpisodesYet}>{m.theyAppearHereOnceTheir}</EmptyState>;
  const isDone = now.episodes.every(({ userData }) => userData.watched);
  const name = seasonName(now.number);
  const body = (
    <>
      <div className={css.season}>
        <h2>{name}</h2>
        <Button
          look="quiet"
          icon={check}
          onClick={() =>
            void setAllWatched(
              now.episodes.map(({ id }) => id),
              !isDone,
              { title: m.of({ season: name, show: show.title }), kind: 'season' },
            )
          }
        >
          {isDone ? m.markSeasonAsNotWatched : m.markSeasonAsWatched}
        </Button>
      </div>
      <Episodes key={now.id} episodes={now.episodes} nextUp={show.nextUp?.id} />
    </>
  );
  if (seasons.length === 1) return body;
  return (
    <Tabs
      label={m.seasons}
      tabs={seasons.map(({ number }) => ({
        id: String(number),
        label: seasonName(number),
      }))}
      value={String(now.number)}
      onValue={(season) => go(hrefOf({ page: 'show', params: { id: show.id }, query: { season } }), { replace: true })}
    >
      {body}
    </Tabs>
  );
};

export const Page = ({ params: { id } }: PageProps<'show'>) => {
  const { data: show, error, refetch } = useAsk('catalog', 'show', { id });
  useTitle(show?.title);
  const { seasons, now } = useSeasons(show);
  if (!show)
    return error ? (
      <ErrorState isAlone title={m.thisShowCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  return (
    <>
      <Banner card={show} title={show.title} facts={lineOf(show)} plot={show.plot} actions={<Actions show={show} />} />
      <div className={css.rest}>
        <Seasons show={show} {...{ seasons, now }} />
        <div className={css.facts}>
          <ItemFacts item={show} />
        </div>
        {show.people.length > 0 && <Cast people={show.people} />}
      </div>
      <ExtrasRow of={show} season={seasons.length > 1 ? now?.number : undefined} />
      <Related item={show} />
    </>
  );
};
