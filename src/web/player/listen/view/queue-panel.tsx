/** The queue: what plays and what follows. Entries can be played, moved by buttons, and removed. */
import down from 'lucide/dist/esm/icons/chevron-down.mjs';
import up from 'lucide/dist/esm/icons/chevron-up.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import clearIcon from 'lucide/dist/esm/icons/list-x.mjs';
import { useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../../kit/forms/button.tsx';
import { position } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import { clearQueue, move, play, remove } from '../engine/controls.ts';
import { listening } from '../engine/state.ts';
import type { QueueEntry } from '../queue/queue.ts';
import css from './listening.module.css';
import { onNextFrame } from '../../../lib/pending-work.ts';

/** Entries shown at a time: a queue of ten thousand would take seconds to draw. */
const SHOWN_ENTRIES = 100;

const Row = ({ entry, at, current, count }: { entry: QueueEntry; at: number; current: number; count: number }) => {
  const { item, key } = entry;
  const row = useRef<HTMLLIElement>(null);
  const isCurrent = at === current;
  /** The button that was pressed is in another place afterwards; it keeps the focus there. */
  const moveTo = (to: number, event: MouseEvent) => {
    const button = event.currentTarget as HTMLElement;
    move(key, to);
    onNextFrame(() => button.focus());
  };
  return (
    <li ref={row} className={css.row} aria-current={isCurrent ? 'true' : undefined} data-spot="">
      <button type="button" className={css.entry} onClick={() => play(key)}>
        <span className={css.entryTitle}>{item.title}</span>
        <span className={css.entryBy}>{item.by}</span>
        {isCurrent && <span className="unseen">{m.playingNow}</span>}
      </button>
      {item.duration !== undefined && <span className={css.length}>{position(item.duration)}</span>}
      <IconButton
        icon={up}
        label={m.moveUp({ title: item.title })}
        disabled={at === 0}
        onClick={(event) => moveTo(at - 1, event)}
      />
      <IconButton
        icon={down}
        label={m.moveDown({ title: item.title })}
        disabled={at === count - 1}
        onClick={(event) => moveTo(at + 1, event)}
      />
      <IconButton icon={x} label={m.removeFromQueue({ title: item.title })} onClick={() => remove(key)} />
    </li>
  );
};

export const QueuePanel = () => {
  const { queue } = useStore(listening);
  const [more, setMore] = useState(0);
  const from = Math.max(0, queue.at - 5);
  const to = queue.at + SHOWN_ENTRIES + more;
  const shown = queue.entries.slice(from, to);
  return (
    <>
      <div className={css.panelHead}>
        <span className="muted">{m.queueCount({ count: queue.entries.length })}</span>
        {queue.entries.length > 1 && (
          <Button look="quiet" icon={clearIcon} onClick={clearQueue}>
            {m.clearQueue}
          </Button>
        )}
      </div>
      <ol className={css.rows} start={from + 1}>
        {shown.map((entry, index) => (
          <Row key={entry.key} entry={entry} at={from + index} current={queue.at} count={queue.entries.length} />
        ))}
      </ol>
      {queue.entries.length <= 1 && <p className="muted">{m.queueEmpty}</p>}
      {to < queue.entries.length && <Button onClick={() => setMore(more + SHOWN_ENTRIES)}>{m.showMore}</Button>}
    </>
  );
};
