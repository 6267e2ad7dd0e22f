/** Shows a secret that was made just now, with a button that copies it. It cannot be shown again. */
import { useState } from 'preact/hooks';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import { Button } from '../../kit/forms/button.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { settingsWords as m } from '../../messages/settings.ts';
import css from './settings.module.css';

interface SecretDialogProps {
  title: string;
  says: string;
  secret: string;
  onClose: () => void;
}

/** Copies a text, and returns what to say about it. */
export async function putOnClipboard(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return m.copied;
  } catch {
    return m.yourBrowserDidNotAllow;
  }
}

export const SecretDialog = ({ title, says, secret, onClose }: SecretDialogProps) => {
  const [said, setSaid] = useState('');
  const actions = (
    <>
      <Button icon={copy} onClick={() => void putOnClipboard(secret).then(setSaid)} data-first>
        {m.copy}
      </Button>
      <Button look="primary" onClick={onClose}>
        {m.done}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions} isFirm>
      <p>{says}</p>
      <code className={css.secret}>{secret}</code>
      <p className="muted small" role="status">
        {said}
      </p>
    </Dialog>
  );
};
