/** The last places in a book, to go back to. */
import { listenWords as m } from '../../../messages/listening.ts';
import { useLastPlaces } from '../../../parts/listening/places.ts';
import { jump } from '../engine/controls.ts';
import { useChapters } from './use-chapters.ts';
import css from './listening.module.css';

export const PlacesPanel = ({ id }: { id: string }) => {
  const places = useLastPlaces(id, useChapters());
  if (places.length === 0) return <p className="muted">{m.noPlaces}</p>;
  return (
    <>
      <p className="muted small">{m.placesHelp}</p>
      <ol className={css.rows}>
        {places.map(({ at, title, about }) => (
          <li key={`${title} ${about}`} className={css.row}>
            <button type="button" className={css.entry} onClick={() => jump(at)}>
              <span className={css.entryTitle}>{title}</span>
              <span className={css.entryBy}>{about}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
};
