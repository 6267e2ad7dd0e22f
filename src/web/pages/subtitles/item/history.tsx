/** History of changes to the subtitles of an item, the newest first. */
import { facts, languageLabel, moment } from '../../../lib/format.ts';
import { asSentence, roleWords, sourceName } from '../../../parts/subtitles/words.ts';
import type { ItemSubtitles } from './types.ts';
import css from './item.module.css';
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

export const History = ({ entries }: { entries: readonly Entry[] }) => {
  if (entries.length === 0) return null;
  return (
    <section className={css.history} aria-labelledby="history">
      <h2 id="history">{m.history}</h2>
      <ol>
        {entries.map(({ at, act, language: code, role, source, score, detail, by }, n) => (
          <li key={`${at}${n}`}>
            <time dateTime={at}>{moment(at)}</time>
            <p>
              <strong>{historyActs()[act]}</strong>{' '}
              {facts(
                languageLabel(code),
                roleWords(role),
                sourceName(source),
                score !== undefined && m.scoreWithScore({ score: Math.round(score) }),
                doer(by),
              ).join(' · ')}
              {detail !== undefined && <span className="muted small">{asSentence(detail)}</span>}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
};
