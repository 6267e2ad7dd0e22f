/** The head of the workbench: what it is about, the way back, taking steps back, and applying. */
import arrow from 'lucide/dist/esm/icons/arrow-left.mjs';
import keyboard from 'lucide/dist/esm/icons/keyboard.mjs';
import redo from 'lucide/dist/esm/icons/redo-2.mjs';
import undo from 'lucide/dist/esm/icons/undo-2.mjs';
import history from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import { Link } from '../lib/navigation/link.tsx';
import type { Reply } from '../data/query.ts';
import { Icon } from '../kit/art/icon.tsx';
import { Button, IconButton } from '../kit/forms/button.tsx';
import { facts, language as nameOf } from '../lib/format.ts';
import { roleWords } from '../parts/subtitles/words.ts';
import type { Acts } from './use-acts.tsx';
import type { Work } from './use-work.ts';
import css from './workbench.module.css';

export const Head = ({
  work,
  acts,
  item,
  onHelp,
}: {
  work: Work;
  acts: Acts;
  item: Reply<'subtitles', 'item'> | undefined;
  onHelp: () => void;
}) => {
  const { id, inspected, language, isDirty, isWaiting } = work;
  return (
    <header className={css.head}>
      <Link to={{ page: 'subtitleItem', params: { id } }} className={css.back} aria-label="All subtitles of this item">
        <Icon of={arrow} />
      </Link>
      <div className={css.title}>
        <h1>{inspected.title}</h1>
        <p>{facts(nameOf(language), roleWords(work.settings.role ?? inspected.role), item?.context).join(' · ')}</p>
      </div>
      <div className={css.steps}>
        <IconButton
          icon={undo}
          label="Take back the last change of the settings"
          disabled={!work.canUndo}
          onClick={work.undo}
        />
        <IconButton icon={redo} label="Make it again" disabled={!work.canRedo} onClick={work.redo} />
        <IconButton icon={keyboard} label="Keyboard" onClick={onHelp} />
      </div>
      <div className={css.acts}>
        {inspected.restorable && (
          <Button icon={history} isBusy={acts.isBusy} onClick={() => void acts.restore()}>
            Restore
          </Button>
        )}
        <Button
          look="primary"
          isBusy={acts.isBusy || (isDirty && isWaiting)}
          disabled={!isDirty || work.blocked !== undefined}
          onClick={() => void acts.apply()}
        >
          Apply
        </Button>
      </div>
    </header>
  );
};
