/** A row of the trailers and other extras of a film, episode or show. Each plays at once. */
import type { Extra, ExtraType, TrailerPage } from '../../../contract/catalog/extras.ts';
import { useAsk } from '../../data/query.ts';
import { formatDuration, facts } from '../../lib/format.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import { WideCard } from '../catalog/cards.tsx';
import { Carousel } from '../catalog/carousel.tsx';
import css from './extras.module.css';
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

/** Trailers on the internet. They open in a new tab; this page asks the sites for nothing. */
const TrailerLinks = ({ links }: { links: readonly TrailerPage[] }) => (
  <section className={css.links} aria-label={m.trailersOnline}>
    <h2>{m.trailersOnline}</h2>
    <ul>
      {links.map(({ site, title, url }) => (
        <li key={url}>
          <a className="link" href={url} target="_blank" rel="noreferrer">
            {m.trailerAt({ title, site })}
          </a>
        </li>
      ))}
    </ul>
  </section>
);

/** `season` leaves out the extras of other seasons. */
export const ExtrasRow = ({ of, season }: { of: string; season?: number | undefined }) => {
  const { data } = useAsk('catalog', 'extras', { id: of });
  const shown = extrasOfSeason(data?.items ?? [], season);
  const links = data?.links ?? [];
  return (
    <>
      {shown.length > 0 && (
        <Carousel title={m.extras} isWide>
          {shown.map((extra) => (
            <One key={extra.id} extra={extra} />
          ))}
        </Carousel>
      )}
      {links.length > 0 && <TrailerLinks links={links} />}
    </>
  );
};
