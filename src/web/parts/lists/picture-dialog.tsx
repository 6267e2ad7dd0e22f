/** The dialog that chooses the picture of a collection: posters of its items, one of them, or an uploaded picture. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { readAgain, type Reply } from '../../data/query.ts';
import { artUrl } from '../../kit/art/artwork.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { UPLOAD_TYPES } from '../../../contract/kernel/pictures.ts';
import { editingWords } from '../../messages/editing.ts';
import { listWords as m } from '../../messages/lists.ts';
import css from '../editing/editing.module.css';

type Collection = Reply<'collections', 'read'>;
type Entries = Reply<'collections', 'entries'>['items'];
type Picture = Pick<Collection, 'picture' | 'cover'>;

const PREVIEW_WIDTH = 320;

const put = async (id: string, { picture, cover }: Picture): Promise<Picture> => {
  const changed = await call.collections.update({ id, picture: picture ?? null, cover: cover ?? null });
  readAgain('collections');
  return changed;
};

/** Marks a choice. The dialog begins at the one that is chosen. */
const choice = (isChosen: boolean) => ({ 'aria-pressed': isChosen, 'data-first': isChosen ? '' : undefined });

export const CollectionPictureDialog = ({
  collection,
  entries,
  onClose,
}: {
  collection: Collection;
  entries: Entries;
  onClose: () => void;
}) => {
  const { id, name } = collection;
  // The reply to the latest change is newer than the collection until that is read again: Undo leads back to it.
  const [changed, setChanged] = useState<Picture>();
  useEffect(() => setChanged(undefined), [collection]);
  const { picture, cover } = changed ?? collection;
  const file = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const change = async (work: () => Promise<Picture>) => {
    setBusy(true);
    await runWithToast(async () => {
      setChanged(await work());
      toast({
        message: editingWords.pictureChanged,
        undo: () => void runWithToast(async () => void (await put(id, { picture, cover }))),
      });
    });
    setBusy(false);
  };
  const upload = (bytes: File) => {
    const contentType = UPLOAD_TYPES.find((type) => type === bytes.type) ?? 'image/jpeg';
    return change(async () => {
      const uploaded = await call.collections.setPicture({ id, bytes, contentType });
      readAgain('collections');
      return uploaded;
    });
  };
  const isOfItems = picture === undefined;
  return (
    <Dialog title={editingWords.picturesOf({ title: name })} onClose={onClose} isWide>
      <div className={css.pictures}>
        {picture !== undefined && (
          <button type="button" className={css.picture} {...choice(true)}>
            <img
              src={artUrl(id, { kind: 'poster', width: PREVIEW_WIDTH, version: picture, of: 'collection' })}
              alt=""
            />
            <span className="small">{editingWords.pictureFrom.upload}</span>
          </button>
        )}
        <button
          type="button"
          className={css.picture}
          {...choice(isOfItems && cover === undefined)}
          disabled={isBusy}
          onClick={() => void change(() => put(id, {}))}
        >
          <span className="small">{m.firstItems}</span>
        </button>
        {entries.map(({ entry, item }) => (
          <button
            key={entry}
            type="button"
            className={css.picture}
            {...choice(isOfItems && cover === entry)}
            disabled={isBusy}
            onClick={() => void change(() => put(id, { cover: entry }))}
          >
            {item.images.poster !== undefined && (
              <img
                src={artUrl(item.id, { kind: 'poster', width: PREVIEW_WIDTH, version: item.images.poster })}
                alt=""
                loading="lazy"
                decoding="async"
              />
            )}
            <span className="small">{item.title}</span>
          </button>
        ))}
      </div>
      <input
        ref={file}
        type="file"
        className="unseen"
        tabIndex={-1}
        accept={UPLOAD_TYPES.join(',')}
        aria-label={editingWords.uploadPicture}
        onChange={(event) => {
          const picked = event.currentTarget.files?.[0];
          if (picked) void upload(picked);
          event.currentTarget.value = '';
        }}
      />
      <div className={css.buttons}>
        <Button isBusy={isBusy} onClick={() => file.current?.click()}>
          {editingWords.uploadPicture}
        </Button>
      </div>
      <p className="muted small">{editingWords.uploadHint}</p>
    </Dialog>
  );
};
