/** The picture picker of one item: choose a picture, upload one, or restore the original. */
import { useRef, useState } from 'preact/hooks';
import type { ItemImages } from '../../../contract/catalog/metadata.ts';
import { call } from '../../data/client.ts';
import { useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { Tabs } from '../../kit/states/tabs.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { UPLOAD_TYPES } from '../../../contract/kernel/pictures.ts';
import { editingWords as m } from '../../messages/editing.ts';
import { showEdited } from './undo.ts';
import css from './editing.module.css';

type PictureKind = ItemImages['items'][number]['kind'];
const KINDS: readonly PictureKind[] = ['poster', 'backdrop', 'thumb', 'logo'];
const previewOf = (url: string): string => url.concat(url.includes('?') ? '&' : '?', 'width=320');

const Choices = ({ id, state }: { id: string; state: ItemImages['items'][number] }) => {
  const file = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const { kind } = state;
  const change = async (work: () => Promise<ItemImages>, message: string) => {
    if (isBusy) return;
    setBusy(true);
    await runWithToast(async () => showEdited(message, (await work()).change));
    setBusy(false);
  };
  const choose = (candidate: string) => {
    const body = new Blob([JSON.stringify({ candidate })]);
    return change(
      () => call.metadata.setImage({ id, kind, bytes: body, contentType: 'application/json' }),
      m.pictureChanged,
    );
  };
  const upload = (picked: File | undefined) => {
    const contentType = UPLOAD_TYPES.find((type) => type === picked?.type) ?? 'image/jpeg';
    if (picked) void change(() => call.metadata.setImage({ id, kind, bytes: picked, contentType }), m.pictureChanged);
  };
  return (
    <>
      {state.candidates.length === 0 && <p className="muted">{m.noPictures}</p>}
      <div className={css.pictures} data-kind={kind}>
        {state.candidates.map((one) => (
          <button
            key={one.id}
            type="button"
            className={css.picture}
            aria-label={m.useThisPicture({ from: m.pictureFrom[one.source] })}
            aria-pressed={one.shown}
            disabled={isBusy}
            onClick={() => void choose(one.id)}
          >
            <img src={previewOf(one.url)} alt="" loading="lazy" decoding="async" />
            <span className="small">{m.pictureFrom[one.source]}</span>
          </button>
        ))}
      </div>
      <input
        ref={file}
        type="file"
        className="unseen"
        tabIndex={-1}
        accept={UPLOAD_TYPES.join(',')}
        aria-label={m.uploadPicture}
        onChange={(event) => {
          upload(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <div className={css.buttons}>
        <Button isBusy={isBusy} data-first="" onClick={() => file.current?.click()}>
          {m.uploadPicture}
        </Button>
        {state.chosen && (
          <Button
            look="quiet"
            disabled={isBusy}
            onClick={() => void change(() => call.metadata.restoreImage({ id, kind }), m.pictureRestored)}
          >
            {m.restorePicture}
          </Button>
        )}
      </div>
      <p className="muted small">{m.uploadHint}</p>
    </>
  );
};

export const PicturesDialog = ({ id, title, onClose }: { id: string; title: string; onClose: () => void }) => {
  const { data, error, refetch } = useAsk('metadata', 'images', { id });
  const [kind, setKind] = useState<PictureKind>('poster');
  const state = data?.items.find((one) => one.kind === kind);
  return (
    <Dialog title={m.picturesOf({ title })} onClose={onClose} isWide>
      {state ? (
        <Tabs
          label={m.pictureKinds}
          tabs={KINDS.map((one) => ({ id: one, label: m.kind[one] }))}
          value={kind}
          onValue={(one) => setKind(KINDS.find((own) => own === one) ?? 'poster')}
        >
          <Choices key={kind} id={id} state={state} />
        </Tabs>
      ) : error ? (
        <ErrorState title={m.picturesCouldNotBeLoaded} error={error} retry={() => void refetch()} />
      ) : (
        <Pending />
      )}
    </Dialog>
  );
};
