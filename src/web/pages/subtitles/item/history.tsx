/** History of changes to the subtitles of an item, the newest first. */
import { facts, languageLabel, moment } from '../../../lib/format.ts';
import { asSentence, isSameKind, roleWords, sourceName, subtitleName } from '../../../parts/subtitles/words.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { restoreDeleted } from './acts.tsx';
import type { ItemSubtitles } from './types.ts';
import css from './item.module.css';
import { changeText } from '../../../messages/server-notes.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

type Entry = ItemSubtitles['history'][number];
const historyActs = (): Readonly<Record<Entry['act'], string>> => ({
  fetched: m.fetchedLabel,
  upgraded: m.upgraded,
  applied: m.edited,
  restored: m.restored,
  hidden: m.hiddenByTheCleanUp,
  deleted: m.deleted,
});

/** Returns who made a change. A key acts for a Profile; old entries do not record who made them. */
const doer = (by: Entry['by']): string | false =>
  by !== undefined &&
  (by.is === 'server'
    ? m.byTheServer
    : (by.is === 'key' ? m.byNameWithKey : m.byNameOnly)({ name: by.name ?? m.someone }));

/** Whether an entry is a deletion after which nothing else was done to that subtitle. */
const isLastDeletion = (entries: readonly Entry[], at: number): boolean => {
  const entry = entries[at];
  return (
    entry?.act === 'deleted' &&
    !entries.slice(0, at).some((later) => later.part === entry.part && isSameKind(later, entry))
  );
};

export const History = ({ id, entries }: { id: string; entries: readonly Entry[] }) => {
  if (entries.length === 0) return null;
  return (
    <section className={css.history} aria-labelledby="history">
      <h2 id="history">{m.history}</h2>
      <ol>
        {entries.map(({ at, act, language: code, role, source, score, detail, notes, by, part }, n) => (
          <li key={`${at}${n}`}>
            <time dateTime={at}>{moment(at)}</time>
            <p>
              <strong>{historyActs()[act]}</strong>{' '}
              {facts(
                part !== undefined && m.part({ part }),
                languageLabel(code),
                roleWords(role),
                sourceName(source),
                score !== undefined && m.scoreWithScore({ score: Math.round(score) }),
                doer(by),
              ).join(' · ')}
              {detail !== undefined && <span className="muted small">{asSentence(changeText({ detail, notes }))}</span>}
              {isLastDeletion(entries, n) && (
                <Button
                  look="quiet"
                  onClick={() => void restoreDeleted({ id, part }, { language: code, role })}
                  aria-label={m.undoTheDeletionOf({ name: subtitleName({ language: code, role }) })}
                >
                  {m.undo}
                </Button>
              )}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
};
