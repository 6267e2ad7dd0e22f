/** Chooses a folder of the server: by going into folders, or by writing a path. Nothing is created or changed. */
import { useState } from 'preact/hooks';
import folder from 'lucide/dist/esm/icons/folder.mjs';
import up from 'lucide/dist/esm/icons/corner-left-up.mjs';
import { sentence } from '../../../data/client.ts';
import { useAsk } from '../../../data/query.ts';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { Field } from '../../../kit/forms/field.tsx';
import { many } from '../../../lib/format.ts';
import css from './libraries.module.css';

export interface FoldersProps {
  path: string;
  onPath: (path: string) => void;
  error: string | undefined;
}
export const Folders = ({ path, onPath, error }: FoldersProps) => {
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(path);
  const { data, error: failed } = useAsk('libraries', 'folders', at ? { path: at } : {}, { enabled: isOpen, keep: true });
  const enter = (to: string) => {
    setAt(to);
    onPath(to);
  };
  return (
    <>
      <div className={css.path}>
        <Field label="Folder of the server" value={path} onValue={onPath} error={error} placeholder="/srv/media/films" spellcheck={false} autoComplete="off" required />
        <Button
          aria-expanded={isOpen}
          onClick={() => {
            setAt(path);
            setOpen(!isOpen);
          }}
        >
          {isOpen ? 'Close' : 'Choose'}
        </Button>
      </div>
      {isOpen && (
        <div className={css.folders} role="group" aria-label="Folders">
          {failed ? (
            <p className={css.note} role="alert">
              {sentence(failed)}{' '}
              <Button look="quiet" onClick={() => setAt('')}>
                Begin at the top
              </Button>
            </p>
          ) : (
            data && (
              <>
                <p className={css.note} role="status">
                  <code>{data.path}</code>
                  {data.videos > 0 && <span className="muted"> {many(data.videos, 'video file')} here</span>}
                </p>
                <ul>
                  {data.parent !== undefined && (
                    <li>
                      <button type="button" className={css.folder} onClick={() => enter(data.parent as string)}>
                        <Icon of={up} /> <span>One up</span>
                      </button>
                    </li>
                  )}
                  {data.folders.map(({ name, path: to }) => (
                    <li key={to}>
                      <button type="button" className={css.folder} onClick={() => enter(to)}>
                        <Icon of={folder} /> <span>{name}</span>
                      </button>
                    </li>
                  ))}
                </ul>
                {data.folders.length === 0 && <p className={css.note}>There are no folders in it.</p>}
              </>
            )
          )}
        </div>
      )}
    </>
  );
};
