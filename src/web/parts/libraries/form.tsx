/** Adds a library or changes one: its folder, its kind and its name. Says beforehand what the change does. */
import { useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { readAgain, type Reply, useAll } from '../../data/query.ts';
import { Field, Select } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { overlaps } from '../../lib/folders.ts';
import { kindName } from '../../lib/kinds.ts';
import type { LibraryKind } from '../../../contract/catalog/kinds.ts';
import { useIsDefault } from './default-library.ts';
import { Folders } from './folders.tsx';
import { kindOf, OFFERED } from './kinds.ts';
import { optionsDraftOf, LibraryOptionFields, optionsOf } from './options.tsx';
import css from './libraries.module.css';
import { accountWords as m } from '../../messages/account.ts';
import { rich } from '../../messages/rich.ts';

export type Library = Reply<'libraries', 'list'>['items'][number];

const lastOf = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? '';

/** Warnings about a change of an existing library. */
const Changes = ({ library, path, kind }: { library: Library; path: string; kind: LibraryKind }) => (
  <>
    {path !== (library.path ?? '') && <Notice tone="warn">{m.theFilesInTheNew}</Notice>}
    {kind !== library.kind && <Notice tone="warn">{m.theFilesAreSortedAgain({ kind: kindName(kind) })}</Notice>}
  </>
);

/** Returns whether the server can list a folder. The state of a library that was just added is not known yet. */
const isReadable = (path: string): Promise<boolean> =>
  call.libraries.folders({ path }).then(
    () => true,
    () => false,
  );

/** The default library, if a new one at `path` can only take its place: no library may lie inside another. */
function useReplaced(path: string | undefined): Library | undefined {
  const isDefault = useIsDefault();
  const { data } = useAll('libraries', 'list', {});
  const [only] = data?.items ?? [];
  return isDefault && path?.startsWith('/') && only?.path !== undefined && overlaps(path, only.path) ? only : undefined;
}

export const LibraryForm = ({ library, onClose }: { library?: Library | undefined; onClose: () => void }) => {
  const [path, setPath] = useState(library?.path);
  const [name, setName] = useState(library?.name ?? '');
  const [kind, setKind] = useState<LibraryKind>(library?.kind ?? 'mixed');
  const [options, setOptions] = useState(optionsDraftOf(library));
  const replaced = useReplaced(library ? undefined : path);
  // A new folder proposes a name and a kind until the Owner has chosen one.
  const [hasNamed, setNamed] = useState(library !== undefined);
  const [hasChosenKind, setChosenKind] = useState(library !== undefined);
  const take = (chosen: string) => {
    setPath(chosen);
    if (!hasChosenKind) setKind(kindOf(lastOf(chosen)));
    if (!hasNamed) setName(lastOf(chosen));
  };
  const save = async () => {
    const body = { name: name.trim(), path: (path ?? '').trim(), kind, options: optionsOf(options) };
    const changed = library ?? replaced;
    if (changed) await call.libraries.update({ id: changed.id, ...body });
    else await call.libraries.create(body);
    const isThere = library !== undefined || (await isReadable(body.path));
    readAgain('libraries');
    readAgain('catalog');
    readAgain('configuration');
    readAgain('tasks');
    const added = isThere ? m.addedItsScanHasBegun : m.addedFolderNotAvailable;
    toast({ message: library ? m.saved({ name: body.name }) : added({ name: body.name }) });
  };
  return (
    <FormDialog
      title={library ? m.edit({ name: library.name }) : m.addLibrary}
      action={library ? m.save : m.addLibrary}
      onSave={save}
      onClose={onClose}
      isReady={Boolean(path?.trim() && name.trim())}
      isWide
    >
      {(error) => (
        <>
          <Field
            label={m.folder}
            value={path ?? ''}
            onValue={take}
            placeholder="/srv/media/films"
            spellcheck={false}
            autoCapitalize="off"
            hint={m.aFolderOnTheServer}
            error={error}
          />
          <Folders path={path?.startsWith('/') ? path : undefined} onPath={take} />
          <div className={css.pair}>
            <Field
              label={m.name}
              value={name}
              onValue={(text) => {
                setName(text);
                setNamed(true);
              }}
              maxLength={64}
            />
            <Select
              label={m.content}
              value={kind}
              choices={[...new Set([...OFFERED, ...(library ? [library.kind] : []), kind])].map((value) => ({
                value,
                label: kindName(value),
              }))}
              onValue={(chosen) => {
                setKind(chosen);
                setChosenKind(true);
              }}
            />
          </div>
          <LibraryOptionFields kind={kind} draft={options} onDraft={setOptions} />
          {replaced && (
            <Notice tone="warn">
              {rich(m.thisFolderOverlapsWithAnd, { name: replaced.name, path: <code>{replaced.path}</code> })}
            </Notice>
          )}
          {library ? (
            <Changes library={library} path={(path ?? '').trim()} kind={kind} />
          ) : (
            <p className="muted small">{m.theServerReadsThisFolder}</p>
          )}
        </>
      )}
    </FormDialog>
  );
};
