/** A row of the trailers and other extras of a film, episode or show. Each plays at once. */
import type { Extra, ExtraType } from '../../../contract/catalog/extras.ts';
import { useAsk } from '../../data/query.ts';
import { formatDuration, facts } from '../../lib/format.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import { WideCard } from '../catalog/cards.tsx';
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

/** `season` leaves out the extras of other seasons. */
export const ExtrasRow = ({ of, season }: { of: string; season?: number | undefined }) => {
  const { data } = useAsk('catalog', 'extras', { id: of });
  const shown = extrasOfSeason(data?.items ?? [], season);
  if (shown.length === 0) return null;
  return (
    <Carousel title={m.extras} isWide>
      {shown.map((extra) => (
        <One key={extra.id} extra={extra} />
      ))}
    </Carousel>
  );
};
