/** The libraries as an Owner sees them: where each is, whether it can be reached, and ways to change them. */
import { useState } from 'preact/hooks';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import { attempt } from '../catalog/actions.ts';
import { call } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Badge, ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, facts, many } from '../../lib/format.ts';
import { KIND_NAMES, kindIcon } from '../../lib/kinds.ts';
import { useIsDefault } from './default-library.ts';
import { LibraryForm, type Library } from './form.tsx';
import css from './libraries.module.css';

async function remove({ id, name, items, path }: Library): Promise<void> {
  const isSure = await confirm({
    title: `Remove ${name}`,
    says: (
      <>
        <p>
          {many(items, 'item')} leave the dashboard. No file is touched: everything in{' '}
          <code>{path ?? 'its folder'}</code> stays as it is.
        </p>
      </>
    ),
    action: 'Remove library',
    isDanger: true,
  });
  if (isSure && (await attempt(() => call.libraries.remove({ id })))) toast({ message: `Removed ${name}` });
  readAgain('libraries', 'list');
  readAgain('configuration');
}

const Row = ({ library, isDefault }: { library: Library; isDefault: boolean }) => (
  <li className={css.library}>
    <span className={css.icon}>
      <Icon of={kindIcon(library.kind)} size={1.5} />
    </span>
    <span className={css.about}>
      <strong>{library.name}</strong>
      {library.path !== undefined && <code>{library.path}</code>}
      <span className="muted small">
        {facts(
          KIND_NAMES[library.kind],
          many(library.items, 'item'),
          library.lastScanAt !== undefined && `scanned ${ago(library.lastScanAt)}`,
        ).join(' · ')}
      </span>
    </span>
    {!library.online && <Badge tone="warn">Offline</Badge>}
    {library.managed ? (
      <span className={css.locked} title="Set in the configuration from outside; change it there.">
        <Icon of={lock} size={1} /> Managed
      </span>
    ) : isDefault ? null : (
      <IconButton icon={trash} label={`Remove ${library.name}`} onClick={() => void remove(library)} />
    )}
  </li>
);

export const LibraryList = () => {
  const { data, error, refetch } = useAsk('libraries', 'list', {});
  const [isAdding, setAdding] = useState(false);
  const isDefault = useIsDefault();
  if (!data)
    return error ? (
      <ErrorState title="The libraries could not be read" error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const isManaged = data.items.some(({ managed }) => managed);
  return (
    <>
      {data.items.length > 0 && (
        <ul className={css.libraries} aria-label="Libraries">
          {data.items.map((library) => (
            <Row key={library.id} library={library} isDefault={isDefault} />
          ))}
        </ul>
      )}
      {isDefault && data.items.length > 0 && (
        <p className={css.note}>
          This is the media folder of the server. Folders that you add come next to it; after that you can remove it.
        </p>
      )}
      {isManaged && (
        <p className={css.note}>
          Managed libraries are set in the configuration file or the environment, and are changed there.
        </p>
      )}
      {!isManaged && (
        <Button
          icon={plus}
          isLarge={data.items.length === 0}
          look={data.items.length === 0 ? 'primary' : 'plain'}
          onClick={() => setAdding(true)}
        >
          {data.items.length === 0 ? 'Choose a folder' : 'Add a library'}
        </Button>
      )}
      {isAdding && <LibraryForm onClose={() => setAdding(false)} />}
    </>
  );
};
