/** The keyboard map of the workbench. */
import { Button } from '../../../kit/forms/button.tsx';
import { Dialog } from '../../../kit/layers/dialog.tsx';
import { HELP } from './work/keys.ts';
import css from './workbench.module.css';

export const Help = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title="Keyboard"
    onClose={onClose}
    isWide
    actions={
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    <dl className={css.keys} tabIndex={-1} data-first>
      {HELP.map(([keys, what]) => (
        <div key={what}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
