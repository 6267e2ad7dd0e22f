/** Adds a library: choose a folder of the server, say what is in it, give it a name. */
import { useState } from 'preact/hooks';
import folderIcon from 'lucide/dist/esm/icons/folder.mjs';
import upIcon from 'lucide/dist/esm/icons/corner-left-up.mjs';
import { call, sentence } from '../data/client.ts';
import { readAgain, useAsk, type Reply } from '../data/query.ts';
import { Icon } from '../kit/art/icon.tsx';
import { Button } from '../kit/forms/button.tsx';
import { Field, Select } from '../kit/forms/field.tsx';
import { Dialog } from '../kit/layers/dialog.tsx';
import { Pending } from '../kit/states/states.tsx';
import { many } from '../lib/format.ts';
import { KIND_NAMES, type LibraryKind } from '../lib/kinds.ts';
import { kindOf, OFFERED } from './kinds.ts';
import css from './libraries.module.css';

const lastOf = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? '';

/** What a folder holds, so that the right one is recognised. */
function held({ videos, folders }: Reply<'libraries', 'folders'>): string {
  if (videos === 0 && folders.length === 0) return 'There is no folder and no video in here.';
  const both = [...(videos > 0 ? [many(videos, 'video')] : []), ...(folders.length > 0 ? [many(folders.length, 'folder')] : [])].join(' and ');
  return `${both} in here.`;
}

/** The folders of the server, one level at a time. */
const Folders = ({ path, onPath }: { path: string | undefined; onPath: (path: string) => void }) => {
  // Before anything is chosen the server proposes its media folder; without one, all of the machine.
  const proposed = useAsk('libraries', 'folders', {});
  const asked = path ?? (proposed.error ? '/' : undefined);
  const { data, error } = useAsk('libraries', 'folders', asked === undefined ? {} : { path: asked }, { keep: true });
  if (!data) return error ? <p className={css.problem}>{sentence(error)}</p> : <Pending />;
  const { parent } = data;
  return (
    <div className={css.folders}>
      <ul aria-label={`Folders in ${data.path}`}>
        {parent !== undefined && (
          <li>
            <button type="button" className={css.folder} onClick={() => onPath(parent)}>
              <Icon of={upIcon} />
              <span>Up to {parent}</span>
            </button>
          </li>
        )}
        {data.folders.map((one) => (
          <li key={one.path}>
            <button type="button" className={css.folder} onClick={() => onPath(one.path)}>
              <Icon of={folderIcon} />
              <span>{one.name}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className={css.inside} role="status">
        {error ? sentence(error) : held(data)}
      </p>
    </div>
  );
};

export const AddLibrary = ({ onClose }: { onClose: () => void }) => {
  const [path, setPath] = useState<string>();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<LibraryKind>('mixed');
  const [hasNamed, setNamed] = useState(false);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const take = (chosen: string) => {
    setPath(chosen);
    setError(undefined);
    setKind(kindOf(lastOf(chosen)));
    if (!hasNamed) setName(lastOf(chosen));
  };
  const add = async (event: Event) => {
    event.preventDefault();
    if (isBusy || path === undefined) return;
    setBusy(true);
    try {
      await call.libraries.create({ name: name.trim(), path: path.trim(), kind });
      readAgain('libraries', 'list');
      readAgain('configuration');
      readAgain('tasks');
      onClose();
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button look="primary" type="submit" form="add-library" isBusy={isBusy} disabled={!path?.trim() || !name.trim()}>
        Add library
      </Button>
    </>
  );
  return (
    <Dialog title="Add a library" onClose={onClose} actions={actions} isWide>
      <form id="add-library" onSubmit={add}>
        <Field label="Folder" value={path ?? ''} onValue={take} placeholder="/srv/media/films" spellcheck={false} autoCapitalize="off" hint="A folder of the machine that the server runs on. Type it, or choose it below." error={error} />
        <Folders path={path?.startsWith('/') ? path : undefined} onPath={take} />
        <div className={css.pair}>
          <Field
            label="Name"
            value={name}
            onValue={(text) => {
              setName(text);
              setNamed(true);
            }}
            maxLength={64}
          />
          <Select label="What is in it" value={kind} choices={[...new Set([...OFFERED, kind])].map((value) => ({ value, label: KIND_NAMES[value] }))} onValue={setKind} />
        </div>
      </form>
    </Dialog>
  );
};
