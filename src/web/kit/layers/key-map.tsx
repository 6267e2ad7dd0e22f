/** Dialog that lists the keyboard shortcuts of a page. */
import { shellWords } from '../../messages/shell.ts';
import { Button } from '../forms/button.tsx';
import { Dialog } from './dialog.tsx';
import css from './key-map.module.css';

/** In the order in which they are shown. */
export type KeyWords = readonly (readonly [keys: readonly string[], what: string])[];

export const KeyMap = ({ keys, onClose }: { keys: KeyWords; onClose: () => void }) => (
  <Dialog
    title={shellWords.keyboardShortcuts}
    onClose={onClose}
    isWide
    actions={
      <Button look="primary" onClick={onClose}>
        {shellWords.done}
      </Button>
    }
  >
    <dl className={css.keys} tabIndex={-1} data-first>
      {keys.map(([names, what]) => (
        <div key={what}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
