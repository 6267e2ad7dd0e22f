/** One film or episode: what it has, what it lacks and why, and fetching that. */
import check from 'lucide/dist/esm/icons/check.mjs';
import download from 'lucide/dist/esm/icons/download.mjs';
import off from 'lucide/dist/esm/icons/eye-off.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { Link } from '../../../lib/navigation/link.tsx';
import { Icon } from '../../../kit/art/icon.tsx';
import { IconButton } from '../../../kit/forms/button.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { ago, moment } from '../../../lib/format.ts';
import {
  asSentence,
  inventoryTitle,
  isSameKind,
  subtitleName,
  type ItemLanguage,
  type InventoryItem,
  unreadableWords,
} from '../../../parts/subtitles/words.ts';
import css from './list.module.css';
import { missingReasonText } from '../../../messages/server-missing.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

/** Why a language is missing, when it was looked for, and when it will be again. */
const About = ({ state }: { state: ItemLanguage }) => {
  const { installed, lastSearch, nextRetry, restorable } = state;
  const reason = missingReasonText(state);
  return (
    <p className="muted small">
      <span className={css.code}>{subtitleName(state)}:</span>{' '}
      {installed?.unreadable
        ? unreadableWords()[installed.unreadable]
        : reason
          ? asSentence(reason)
          : restorable
            ? m.thePreviousFileIsPreserved
            : lastSearch
              ? m.nothingWasFound
              : m.notSearchedYet}
      {lastSearch !== undefined && <> {m.lastSearchedWithWhen({ when: ago(lastSearch) })}</>}
      {nextRetry !== undefined && Date.parse(nextRetry) > Date.now() && (
        <> {m.nextTryWithMoment({ moment: moment(nextRetry) })}</>
      )}
    </p>
  );
};

/** A language in short: there, there without counting, or missing; by a sign and not by colour alone. */
const Mark = ({ state, isMissing }: { state: ItemLanguage; isMissing: boolean }) => {
  const { installed } = state;
  const says = isMissing
    ? installed
      ? installed.unreadable
        ? m.thereButUnreadable
        : m.thereButItDoesNot
      : m.missingWord
    : installed?.hidden
      ? m.hiddenWord
      : m.installedWord;
  return (
    <Badge tone={isMissing ? 'warn' : installed?.hidden ? 'plain' : 'good'}>
      <span className={css.sign} title={says}>
        <Icon of={isMissing ? x : installed?.hidden ? off : check} size={0.875} />
      </span>
      {subtitleName(state)}
      <span className="unseen">, {says}</span>
    </Badge>
  );
};

export interface RowProps {
  item: InventoryItem;
  isChosen: boolean;
  onChoose: (is: boolean) => void;
  /** Left out while nothing can be fetched. */
  onFetch?: (() => void) | undefined;
}
export const InventoryListRow = ({ item, isChosen, onChoose, onFetch }: RowProps) => {
  const lacking = item.languages.filter((one) => item.lacks.some((lack) => isSameKind(lack, one)));
  const isLacking = item.missing.length > 0;
  return (
    <li className={css.row}>
      {isLacking ? (
        <label className={css.check}>
          <input
            type="checkbox"
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
            aria-label={m.select({ title: inventoryTitle(item) })}
          />
        </label>
      ) : (
        <span className={css.check} />
      )}
      <div className={css.words}>
        <Link to={{ page: 'subtitleItem', params: { id: item.id } }} className={css.name}>
          {item.title} {item.year !== undefined && <span className="muted">{item.year}</span>}
        </Link>
        {item.context && <p className="small">{item.context}</p>}
        {lacking.map((state) => (
          <About key={`${state.language}${state.role}`} state={state} />
        ))}
      </div>
      <div className={css.badges}>
        {item.languages.map((one) => (
          <Mark key={`${one.language}${one.role}`} state={one} isMissing={lacking.includes(one)} />
        ))}
      </div>
      {isLacking && onFetch ? (
        <IconButton icon={download} label={m.fetchForWithTitle({ title: inventoryTitle(item) })} onClick={onFetch} />
      ) : (
        <span className={css.space} />
      )}
    </li>
  );
};
