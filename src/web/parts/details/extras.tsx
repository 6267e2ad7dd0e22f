/** A row of the trailers and other extras of a film, episode or show. Each plays at once. */
import type { Extra, ExtraType, TrailerPage } from '../../../contract/catalog/extras.ts';
import { useAsk } from '../../data/query.ts';
import { formatDuration, facts } from '../../lib/format.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import { type Card, OutsideCard, WideCard, wideArt } from '../catalog/cards.tsx';
import { Carousel } from '../catalog/carousel.tsx';
import { extraName, extrasOfSeason } from './extras.ts';

const One = ({ extra }: { extra: Extra }) => {
  const type = m.extraTypes[extra.type as ExtraType];
  const name = extraName(extra, type);
  return (
    <WideCard
      id={extra.id}
      title={name}
      kind="thumb"
      version={extra.images.thumb}
      isAvailable={extra.available}
      says={facts(name !== type && type, extra.duration !== undefined && formatDuration(extra.duration))}
    />
  );
};

type PicturedItem = Pick<Card, 'id' | 'images'>;

/** A trailer on the internet. It opens in a new tab; this page asks the site for nothing, so the picture is our own. */
const TrailerLink = ({ of, link: { site, title, url } }: { of: PicturedItem; link: TrailerPage }) => (
  <OutsideCard
    href={url}
    label={m.trailerAt({ title, site })}
    title={title}
    says={[m.trailerSite[site]]}
    isAvailable
    {...(of.images.backdrop === undefined ? wideArt(of) : { kind: 'backdrop', version: of.images.backdrop })}
    id={of.id}
  />
);

/** `season` leaves out the extras of other seasons. */
export const ExtrasRow = ({ of, season }: { of: PicturedItem; season?: number | undefined }) => {
  const { data } = useAsk('catalog', 'extras', { id: of.id });
  const shown = extrasOfSeason(data?.items ?? [], season);
  const links = data?.links ?? [];
  if (shown.length + links.length === 0) return null;
  return (
    <Carousel title={m.extras} isWide>
      {[
        ...shown.map((extra) => <One key={extra.id} extra={extra} />),
        ...links.map((link) => <TrailerLink key={link.url} of={of} link={link} />),
      ]}
    </Carousel>
  );
};
