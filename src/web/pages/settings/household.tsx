/** Household devices: TVs and tablets at home with a picker of Viewers. An Owner approves, changes and removes them. */
import { useState } from 'preact/hooks';
import tablet from 'lucide/dist/esm/icons/tablet.mjs';
import { OPENINGS } from '../../../contract/identity/openings.ts';
import type { Profile } from '../../../contract/identity/profiles.ts';
import { call } from '../../data/client.ts';
import { readAgain, useAll, type Reply } from '../../data/query.ts';
import { sessionEndedHere } from '../../data/session.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Field, Select } from '../../kit/forms/field.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { EmptyState } from '../../kit/states/states.tsx';
import { deviceName } from '../../lib/device.ts';
import { ago, facts } from '../../lib/format.ts';
import { settingsWords as m } from '../../messages/settings.ts';
import css from './settings.module.css';

type HouseholdDevice = Reply<'household', 'list'>['items'][number];
type Opening = (typeof OPENINGS)[number];
type Choice = Opening | 'hidden';

const openingWords = (): Readonly<Record<Opening, string>> => ({
  nothing: m.opensWithNothing,
  pin: m.opensWithPin,
  password: m.opensWithPassword,
});
const choicesFor = (profile: Profile): { value: Choice; label: string }[] => [
  { value: 'hidden', label: m.notShown },
  ...OPENINGS.filter((opens) => opens === 'nothing' || (opens === 'pin' ? profile.pin : !profile.passwordless)).map(
    (opens) => ({ value: opens, label: openingWords()[opens] }),
  ),
];

const DeviceEditor = ({ device, onClose }: { device: HouseholdDevice | undefined; onClose: () => void }) => {
  const { data } = useAll('profiles', 'list', {});
  const viewers = data?.items.filter(({ role }) => role === 'viewer') ?? [];
  const [name, setName] = useState(device?.name ?? deviceName(navigator.userAgent) ?? '');
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>(
    Object.fromEntries((device?.profiles ?? []).map(({ id, opens }) => [id, opens])),
  );
  const profiles = viewers.flatMap(({ id }) => {
    const opens = chosen[id] ?? 'hidden';
    return opens === 'hidden' ? [] : [{ id, opens }];
  });
  const save = async () => {
    if (device) {
      await call.household.update({ id: device.id, name: name.trim(), profiles });
      readAgain('household');
      toast({ message: m.savedWithName({ name: name.trim() }) });
      return;
    }
    await call.household.approve({ name: name.trim(), profiles });
    sessionEndedHere();
  };
  return (
    <FormDialog
      title={device ? m.edit({ name: device.name }) : m.makeHousehold}
      action={device ? m.save : m.makeAndSignOut}
      onSave={save}
      onClose={onClose}
      isReady={profiles.length > 0}
      isWide
    >
      {(error) => (
        <>
          {!device && <p className={css.lead}>{m.makeHouseholdSays}</p>}
          <Field label={m.name} value={name} onValue={setName} error={error} maxLength={64} required />
          {viewers.length === 0 && <p className="muted">{m.noViewersYet}</p>}
          {viewers.map((profile) => (
            <Select
              key={profile.id}
              label={profile.name}
              hint={profile.pin ? undefined : m.pinFirst}
              value={chosen[profile.id] ?? 'hidden'}
              choices={choicesFor(profile)}
              onValue={(value) => setChosen({ ...chosen, [profile.id]: value })}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
};

async function remove({ id, name }: HouseholdDevice): Promise<void> {
  const title = m.removeWithName({ name });
  if (await confirm({ title, says: m.removeHouseholdSays, action: m.remove, isDanger: true }))
    await runWithToast(() => call.household.remove({ id }), m.removed({ name })).then(() => readAgain('household'));
}

export const HouseholdSection = () => {
  const { data } = useAll('household', 'list', {});
  const [editing, setEditing] = useState<HouseholdDevice | 'new'>();
  return (
    <>
      <div className={css.section}>
        <h2>{m.householdDevices}</h2>
      </div>
      <div className={css.bar}>
        <p className={css.lead}>{m.householdDevicesSay}</p>
        <Button icon={tablet} onClick={() => setEditing('new')}>
          {m.makeHousehold}
        </Button>
      </div>
      {data?.items.length === 0 && <EmptyState title={m.noHouseholdYet}>{m.noHouseholdYetSays}</EmptyState>}
      <ul className={css.rows}>
        {data?.items.map((device) => (
          <li key={device.id} className={css.row}>
            <div>
              <strong>{device.name}</strong>
              <p className="muted small">
                {facts(
                  ...device.profiles.map(({ name, opens }) => m.opensSo({ name, how: openingWords()[opens] })),
                  m.lastSeen({ when: ago(device.lastSeenAt) }),
                ).join(' · ')}
              </p>
            </div>
            <Button onClick={() => setEditing(device)} aria-label={m.edit({ name: device.name })}>
              {m.editLabel}
            </Button>
            <Button look="quiet" onClick={() => void remove(device)} aria-label={m.remove2({ name: device.name })}>
              {m.remove}
            </Button>
          </li>
        ))}
      </ul>
      {editing !== undefined && (
        <DeviceEditor device={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  );
};
