/** Actions on a subtitle of the item's page: freeze it, restore the preserved one, save it as a file. */
import { address, call, routes, sentence } from '../../../data/client.ts';
import { readAgain, type Reply } from '../../../data/query.ts';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { languageLabel as nameOf } from '../../../lib/format.ts';
import { RestoreSays } from '../../../parts/subtitles/restore-notice.tsx';
import { subtitleName, type ItemLanguage, type SubtitleAddress } from '../../../parts/subtitles/words.ts';
import css from './item.module.css';
import { rich } from '../../../messages/rich.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

const again = () => {
  readAgain('subtitles');
  readAgain('workbench');
  readAgain('catalog', 'item');
};
async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast({ message: sentence(error), isError: true });
    return false;
  } finally {
    again();
  }
}

/** Permits or freezes replacement at once; it can be undone. */
export async function setReplaceable(
  of: SubtitleAddress,
  { language, role }: Pick<ItemLanguage, 'language' | 'role'>,
  replaceable: boolean,
): Promise<void> {
  const put = (to: boolean) => attempt(() => call.workbench.replacement({ ...of, language, role, replaceable: to }));
  if (await put(replaceable))
    toast({
      message: replaceable
        ? m.theSubtitleMayBeReplaced({ language: nameOf(language) })
        : m.theSubtitleIsFrozen({ language: nameOf(language) }),
      undo: () => void put(!replaceable),
    });
}

/** Puts the preserved subtitle back, after saying what that does. It can be undone. */
export async function restore(
  of: SubtitleAddress,
  {
    language,
    role,
    replaceable,
    installed,
    restoresTo,
  }: Pick<ItemLanguage, 'language' | 'role' | 'replaceable' | 'installed' | 'restoresTo'>,
): Promise<void> {
  const isToVideo = restoresTo === 'video';
  // Text inside the video means that the file over it was removed.
  const isGone = installed === undefined || installed.source === 'embedded';
  // If the language has no file, the server knows which one was there.
  const which = { ...of, language, ...(!isGone && { role }) };
  if (
    !(await confirm({
      title: isToVideo
        ? m.useTheTextInsideTheVideoAgain({ language: nameOf(language) })
        : m.restoreThePreservedSubtitle({ language: nameOf(language) }),
      says: <RestoreSays isReplaceable={replaceable} isGone={isGone} isToVideo={isToVideo} />,
      action: m.restore,
    }))
  )
    return;
  const isDone = await attempt(() => call.workbench.restore(which));
  const takeBack = () =>
    attempt(async () => {
      await call.workbench.restore({ ...of, language, ...(!isToVideo && { role }), to: 'previous' });
      if (replaceable) await call.workbench.replacement({ ...which, replaceable: true });
    });
  // Undo is offered only if there was a subtitle before.
  if (isDone)
    toast({
      message: isToVideo
        ? m.theTextInsideTheVideoIsBack({ language: nameOf(language) })
        : m.thePreservedSubtitleIsRestored({ language: nameOf(language) }),
      ...(!isGone && { undo: () => void takeBack() }),
    });
}

/** Deletes the file of a subtitle, after showing exactly which one. It can be undone. */
export async function deleteFile(of: SubtitleAddress, which: Pick<ItemLanguage, 'language' | 'role' | 'replaceable'>) {
  const { language, role, replaceable } = which;
  const name = subtitleName(which);
  let shown: Reply<'workbench', 'installed'>;
  try {
    shown = await call.workbench.installed({ ...of, language, role });
  } catch (error) {
    toast({ message: sentence(error), isError: true });
    return again();
  }
  const { file, fingerprint } = shown;
  const says = (
    <>
      <p>{rich(m.thisFileIsDeleted, { file: <code className={css.path}>{file}</code> })}</p>
      <p>{m.aCopyIsPreserved}</p>
    </>
  );
  if (!(await confirm({ title: m.deleteTheSubtitle({ name }), says, action: m.deleteFile, isDanger: true }))) return;
  if (await attempt(() => call.workbench.deleteInstalled({ ...of, language, role, fingerprint })))
    toast({ message: m.theSubtitleIsDeleted({ name }), undo: () => void restoreDeleted(of, which, replaceable) });
}

/** Puts a deleted file back. Restoring freezes the language, which `isReplaceable` takes back. */
export async function restoreDeleted(
  of: SubtitleAddress,
  { language, role }: Pick<ItemLanguage, 'language' | 'role'>,
  isReplaceable = false,
): Promise<void> {
  const isDone = await attempt(async () => {
    await call.workbench.restore({ ...of, language, role, to: 'previous' });
    if (isReplaceable) await call.workbench.replacement({ ...of, language, role, replaceable: true });
  });
  if (isDone) toast({ message: m.theDeletedSubtitleIsBack({ name: subtitleName({ language, role }) }) });
}

/** Saves the subtitle as a file, without leaving the page. */
export function save(
  of: SubtitleAddress,
  { language, role }: Pick<ItemLanguage, 'language' | 'role'>,
  format: 'srt' | 'vtt' | 'original',
): void {
  const link = document.createElement('a');
  link.href = address(routes.workbench.export, { ...of, language, role, format });
  link.download = '';
  link.click();
}
