/** A value to be entered elsewhere, such as in the router, with a button that copies it. */
import { useState } from 'preact/hooks';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import { Button } from '../../../kit/forms/button.tsx';
import { remoteWords as m } from '../../../messages/remote.ts';
import { putOnClipboard } from '../secret.tsx';
import own from './remote.module.css';

export const Copyable = ({ name, value }: { name: string; value: string }) => {
  const [said, setSaid] = useState('');
  return (
    <div className={own.value}>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
        <Button
          look="quiet"
          icon={copy}
          aria-label={m.copyValue({ name })}
          onClick={() => void putOnClipboard(value).then(setSaid)}
        >
          {m.copy}
        </Button>
        <span className="muted small" role="status">
          {said}
        </span>
      </dd>
    </div>
  );
};
