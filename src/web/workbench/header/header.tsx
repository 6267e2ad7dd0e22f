/** The header of the workbench: the title, the way back, undo and redo, and applying. */
import arrow from 'lucide/dist/esm/icons/arrow-left.mjs';
import keyboard from 'lucide/dist/esm/icons/keyboard.mjs';
import redo from 'lucide/dist/esm/icons/redo-2.mjs';
import undo from 'lucide/dist/esm/icons/undo-2.mjs';
import history from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import { Link } from '../../lib/navigation/link.tsx';
import { Icon } from '../../kit/art/icon.tsx';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { facts, languageLabel as nameOf } from '../../lib/format.ts';
import { partName, roleWords } from '../../parts/subtitles/words.ts';
import { useWorkbench } from '../state/context.ts';
import css from '../workbench.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';

export const Header = () => {
  const { session, item, apply, select } = useWorkbench();
  const { id, part, language, isDirty, installed, preview, steps } = session;
  const { inspected } = installed;
  return (
    <header className={css.head}>
      <Link
        to={{ page: 'subtitleItem', params: { id }, query: { part } }}
        className={css.back}
        aria-label={m.allSubtitlesOfThisItem}
      >
        <Icon of={arrow} />
      </Link>
      <div className={css.title}>
        <h1>{inspected.title}</h1>
        <p>
          {facts(
            partName(part, item),
            nameOf(language),
            roleWords(steps.settings.role ?? inspected.role),
            item?.context,
          ).join(' · ')}
        </p>
      </div>
      <div className={css.steps}>
        <IconButton icon={undo} label={m.undo} disabled={!steps.canUndo} onClick={steps.undo} />
        <IconButton icon={redo} label={m.redo} disabled={!steps.canRedo} onClick={steps.redo} />
        <IconButton
          icon={keyboard}
          label={m.keyboardShortcuts}
          onClick={() => select({ type: 'help', isOpen: true })}
        />
      </div>
      <div className={css.acts}>
        {inspected.restorable && (
          <Button icon={history} isBusy={apply.isBusy} onClick={() => void apply.restore()}>
            {inspected.restoresTo === 'video' ? m.backToTheVideoText : m.restore}
          </Button>
        )}
        <Button
          look="primary"
          isBusy={apply.isBusy || (isDirty && preview.isWaiting)}
          disabled={!isDirty || preview.blocked !== undefined}
          onClick={() => void apply.apply()}
        >
          {m.apply}
        </Button>
      </div>
    </header>
  );
};
