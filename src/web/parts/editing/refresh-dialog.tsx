/** Refreshes the metadata of a film or show: which facts are read again, and what that leaves alone. */
import { useState } from 'preact/hooks';
import type { RefreshResult } from '../../../contract/metadata/metadata.ts';
import { call } from '../../data/client.ts';
import { Select, Switch } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Notice } from '../../kit/states/states.tsx';
import { peopleWords as m } from '../../messages/people.ts';
import { readItemAgain } from './match-dialog.tsx';

type Mode = 'missing' | 'all';
/** Returns what a refresh did, in words. */
export const wordsOfRefresh = (outcome: RefreshResult['outcome']): string =>
  ({
    refreshed: m.refreshed,
    unchanged: m.refreshUnchanged,
    'not-found': m.refreshNotFound,
    unsure: m.refreshUnsure,
    locked: m.refreshLocked,
  })[outcome];

export const RefreshDialog = ({ id: item, title, onClose }: { id: string; title: string; onClose: () => void }) => {
  const [mode, setMode] = useState<Mode>('all');
  const [hasImages, setHasImages] = useState(false);
  const refresh = async () => {
    const { outcome } = await call.onlineMetadata.refresh({ item, mode, images: hasImages });
    readItemAgain();
    toast({ message: wordsOfRefresh(outcome), isError: outcome !== 'refreshed' && outcome !== 'unchanged' });
  };
  return (
    <FormDialog title={m.refreshOf({ title })} action={m.refreshNow} onSave={refresh} onClose={onClose}>
      {(error) => (
        <>
          <Select
            label={m.refreshMode}
            hint={mode === 'all' ? m.everythingHelp : m.missingHelp}
            value={mode}
            choices={[
              { value: 'all', label: m.everything },
              { value: 'missing', label: m.onlyMissing },
            ]}
            onValue={setMode}
          />
          <Switch label={m.images} hint={m.imagesHelp} checked={hasImages} onValue={setHasImages} />
          {error !== undefined && <Notice tone="danger">{error}</Notice>}
        </>
      )}
    </FormDialog>
  );
};
