/** The libraries: where they are, how they are, and scanning, adding, changing and removing them. */
import { useState } from 'preact/hooks';
import hardDrive from 'lucide/dist/esm/icons/hard-drive.mjs';
import lock from 'lucide/dist/esm/icons/lock.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import refresh from 'lucide/dist/esm/icons/refresh-cw.mjs';
import type { Task } from '../../../../contract/ops/operations.ts';
import { call } from '../../../data/client.ts';
import { readAgain, useAsk } from '../../../data/query.ts';
import { Icon } from '../../../kit/art/icon.tsx';
import { Button } from '../../../kit/forms/button.tsx';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { ago, facts, many } from '../../../lib/format.ts';
import { KIND_NAMES, kindIcon } from '../../../lib/kinds.ts';
import { run } from '../../../kit/layers/run.ts';
import { isOpen, useTasks } from '../../../parts/tasks/live.ts';
import { cancelTask, Running, startTask } from '../../../parts/tasks/running.tsx';
import { useIsDefault } from '../../../parts/libraries/default-library.ts';
import { LibraryForm, type Library } from '../../../parts/libraries/form.tsx';
import css from '../settings.module.css';

const scan = (library?: Library) => startTask('scan', library && { library: library.id });
async function remove(library: Library, isLast: boolean): Promise<void> {
  const says = (
    <>
      <p>
        {library.name} and its {many(library.items, 'item')} leave the catalogue, and Profiles no longer see them.
      </p>
      <ul className={css.list}>
        <li>No file is touched: {library.path ? <code>{library.path}</code> : 'the folder'} stays exactly as it is.</li>
        <li>What was watched is kept, and comes back when the same folder is added again.</li>
        {isLast && (
          <li>
            It is the last one: the server then reads its media folder as one library, which stays until you add another
            and remove it.
          </li>
        )}
      </ul>
    </>
  );
  if (!(await confirm({ title: `Remove ${library.name}?`, says, action: 'Remove library', isDanger: true }))) return;
  await run(() => call.libraries.remove({ id: library.id }), `Removed ${library.name}. No file was touched`);
  readAgain('libraries');
  readAgain('catalog');
  readAgain('configuration');
}

const One = ({
  library,
  isScanning,
  isDefault,
  onChange,
  onRemove,
}: {
  library: Library;
  isScanning: boolean;
  isDefault: boolean;
  onChange: () => void;
  onRemove: () => void;
}) => {
  const { name, kind, path, items, online, watching, lastScanAt, managed } = library;
  return (
    <section className={css.card} aria-label={name}>
      <div className={css.cardHead}>
        <Icon of={kindIcon(kind)} />
        <h2>{name}</h2>
        <Badge tone={online ? 'good' : 'danger'}>{online ? 'Online' : 'Not reachable'}</Badge>
        {managed && <Icon of={lock} size={1} />}
        {managed && <Badge>Managed</Badge>}
      </div>
      {path !== undefined && (
        <p className={css.facts}>
          <code>{path}</code>
        </p>
      )}
      <p className="muted small">
        {facts(
          KIND_NAMES[kind],
          many(items, 'item'),
          lastScanAt === undefined ? 'not scanned yet' : `scanned ${ago(lastScanAt)}`,
          watching ? 'changes are seen at once' : 'changes are seen at the next scan',
        ).join(' · ')}
      </p>
      {!online && (
        <p className="small">
          Its folder cannot be reached now. The items and their history are kept, and come back with it.
        </p>
      )}
      {isDefault && (
        <p className="small">
          This is the media folder of the server, which is read while you have added no library. Add a library, and you
          can remove this one.
        </p>
      )}
      {managed && (
        <p className="small">
          It is set outside, in the YAML file or by the environment variable SERVICE_LIBRARIES, and is changed there.
        </p>
      )}
      <div className={css.actions}>
        <Button
          icon={refresh}
          disabled={isScanning || !online}
          onClick={() => void scan(library)}
          aria-label={`Scan ${name}`}
        >
          Scan
        </Button>
        {!managed && (
          <>
            <Button onClick={onChange} aria-label={`Change ${name}`}>
              Change
            </Button>
            {!isDefault && (
              <Button look="quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
                Remove
              </Button>
            )}
          </>
        )}
      </div>
    </section>
  );
};

const Scanning = ({ task }: { task: Task }) => (
  <section className={css.card} aria-label="Scan">
    <div className={css.bar}>
      <h2>Scanning</h2>
      <Button onClick={() => void cancelTask(task.id)}>Cancel</Button>
    </div>
    <p className="muted small">Items appear while it runs. What was read stays when it is cancelled.</p>
    <Running task={task} />
  </section>
);

export const Libraries = () => {
  const { data, error, refetch } = useAsk('libraries', 'list', {});
  const { tasks } = useTasks();
  const isDefault = useIsDefault();
  const [changing, setChanging] = useState<Library | 'new'>();
  if (!data)
    return error ? (
      <ErrorState title="The libraries could not be listed" error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const scans = tasks?.items.filter((task) => task.name.startsWith('scan') && isOpen(task)) ?? [];
  const isManaged = data.items.some(({ managed }) => managed);
  const add = (
    <Button look="primary" icon={plus} onClick={() => setChanging('new')}>
      Add a library
    </Button>
  );
  return (
    <>
      {data.items.length === 0 ? (
        <EmptyState icon={hardDrive} title="No library yet" action={add}>
          A library is a folder of the server with films or shows in it.
        </EmptyState>
      ) : (
        <>
          <div className={css.bar}>
            <p className={css.lead}>Folders that the server reads. It never moves, renames or removes a film.</p>
            <div>
              <Button icon={refresh} disabled={scans.length > 0} onClick={() => void scan()}>
                Scan all
              </Button>{' '}
              {add}
            </div>
          </div>
          {scans.map((task) => (
            <Scanning key={task.id} task={task} />
          ))}
          {data.items.map((library) => (
            <One
              key={library.id}
              isDefault={isDefault}
              library={library}
              isScanning={scans.length > 0}
              onChange={() => setChanging(library)}
              onRemove={() => void remove(library, data.items.length === 1)}
            />
          ))}
        </>
      )}
      {isManaged && data.items.length === 0 && <p className="muted">Libraries are set outside and changed there.</p>}
      {changing !== undefined && (
        <LibraryForm library={changing === 'new' ? undefined : changing} onClose={() => setChanging(undefined)} />
      )}
    </>
  );
};
