/** The chapters; each plays from its beginning. */
import { Link } from '../../lib/navigation/link.tsx';
import { position } from '../../lib/format.ts';
import type { DetailedItem } from '../../parts/details/types.ts';
import css from './item.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

export const Chapters = ({ item }: { item: DetailedItem }) => (
  <section className={css.part} aria-labelledby="chapters">
    <h2 id="chapters">{m.chapters}</h2>
    <ol className={css.chapters}>
      {item.chapters.map(({ start, title }, at) => (
        <li key={start}>
          <Link
            to={{ page: 'player', params: { id: item.id }, query: { start: Math.floor(start) } }}
            className={css.chapter}
          >
            <span>{title || m.chapter({ number: at + 1 })}</span>
            <span className="muted">{position(start)}</span>
          </Link>
        </li>
      ))}
    </ol>
  </section>
);
