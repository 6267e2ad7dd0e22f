/** The keyboard map. */
import { Dialog } from '../../kit/layers/dialog.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { HELP } from '../input/keys.ts';
import css from './parts.module.css';

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
