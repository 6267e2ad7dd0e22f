/** Lines of films and songs with the words of a search. A line of a film plays it from shortly before that moment. */
import play from 'lucide/dist/esm/icons/play.mjs';
import { Link } from '../../lib/navigation/link.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { pageOf } from '../../parts/catalog/cards.tsx';
import { type DialogueHit, type DialogueLine, type DialoguePage, wayToLine } from '../../parts/search/found.ts';
import { episodeCode, facts, position } from '../../lib/format.ts';
import css from './search.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const Marked = ({ text, ranges }: Pick<DialogueLine, 'text' | 'ranges'>) => {
  const parts = [];
  let at = 0;
  for (const { start, length } of ranges) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, start + length)}</mark>);
    at = start + length;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
};

const HitRow = ({ hit }: { hit: DialogueHit }) => {
  const { item } = hit;
  return (
    <li className={css.hit}>
      <h3 className={css.hitTitle}>
        <Link to={pageOf(item)}>
          {facts(item.show?.title, episodeCode(item), item.title, item.artists?.join(', '), item.year).join(' · ')}
        </Link>
      </h3>
      <ul>
        {hit.lines.map((line, i) => (
          <li key={i}>
            <Link to={wayToLine(hit, line)} className={css.line}>
              {item.kind !== 'track' && <Icon of={play} size={1} />}
              {line.start !== undefined && <span className={css.time}>{position(line.start)}</span>}
              <q className={css.spoken} lang={line.language}>
                <Marked {...line} />
              </q>
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
};

/** The state of the index, where it explains why something is not found. */
export const DialogueState = ({ index }: { index: DialoguePage['index'] }) =>
  index.state === 'ready' ? null : (
    <p className="muted">
      {index.state === 'off'
        ? m.dialogueIsOff
        : m.dialogueIsBeingIndexed({ percent: Math.floor(index.progress * 100) })}
    </p>
  );

export const DialogueHits = ({ page, id, title }: { page: DialoguePage; id: string; title: string }) => (
  <section aria-labelledby={id}>
    <h2 id={id} className={css.heading}>
      {title}
    </h2>
    <DialogueState index={page.index} />
    <ul>
      {page.items.map((hit) => (
        <HitRow key={hit.item.id} hit={hit} />
      ))}
    </ul>
  </section>
);
