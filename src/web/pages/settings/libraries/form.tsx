/** Adds a library, or changes one. It says before what will happen. */
import { useState } from 'preact/hooks';
import { kindsFor } from './kinds.ts';
import { call, sentence } from '../../../data/client.ts';
import { readAgain, type Reply } from '../../../data/query.ts';
import { Button } from '../../../kit/forms/button.tsx';
import { Field, Select } from '../../../kit/forms/field.tsx';
import { Dialog } from '../../../kit/layers/dialog.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { Notice } from '../../../kit/states/states.tsx';
import { KIND_NAMES, type LibraryKind } from '../../../lib/kinds.ts';
import { Folders } from './folders.tsx';

export type Library = Reply<'libraries', 'list'>['items'][number];

export const LibraryForm = ({ library, onClose }: { library: Library | undefined; onClose: () => void }) => {
  const [name, setName] = useState(library?.name ?? '');
  const [path, setPath] = useState(library?.path ?? '');
  const [kind, setKind] = useState<LibraryKind>(library?.kind ?? 'movies');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isElsewhere = library !== undefined && path.trim() !== (library.path ?? '');
  const isOther = library !== undefined && kind !== library.kind;
  const save = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    const body = { name: name.trim(), path: path.trim(), kind };
    try {
      if (library) await call.libraries.update({ id: library.id, ...body });
      else await call.libraries.create(body);
      readAgain('libraries');
      readAgain('catalog');
      readAgain('configuration');
      readAgain('tasks');
      toast({ message: library ? `Changed ${body.name}` : `Added ${body.name}. Its scan has begun` });
      onClose();
    } catch (failed) {
      setError(sentence(failed));
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button look="primary" type="submit" form="library" isBusy={isBusy}>
        {library ? 'Save' : 'Add and scan'}
      </Button>
    </>
  );
  return (
    <Dialog title={library ? `Change ${library.name}` : 'Add a library'} onClose={onClose} actions={actions} isWide>
      <form id="library" onSubmit={(event) => void save(event)}>
        <Field label="Name" value={name} onValue={setName} maxLength={64} required placeholder="Films" />
        <Select label="What is in it" value={kind} choices={kindsFor(library?.kind).map((one) => ({ value: one, label: KIND_NAMES[one] }))} onValue={setKind} />
        <Folders path={path} onPath={setPath} error={error} />
        {isElsewhere && <Notice tone="warn">The files in the new folder take the place of those in the old one. An item that is found there again keeps its progress and history; the others become unavailable. No file is touched.</Notice>}
        {isOther && <Notice tone="warn">The files are placed anew as {KIND_NAMES[kind].toLowerCase()}. What was watched stays with each file.</Notice>}
        {!library && <p className="muted small">The server reads this folder and everything in it. It changes no file of yours; subtitles that you have it fetch are written beside the films.</p>}
      </form>
    </Dialog>
  );
};
