/** Explains what restoring does, in every dialog that offers it. */
import css from './restore-notice.module.css';
import { subtitlesWords as m } from '../../messages/subtitles.ts';

export const RestoreSays = ({
  isDirty = false,
  isReplaceable,
  isGone = false,
  isToVideo = false,
}: {
  isDirty?: boolean;
  isReplaceable: boolean;
  /** Whether the installed file was deleted. */
  isGone?: boolean;
  /** Whether the text inside the video is brought back. */
  isToVideo?: boolean;
}) => (
  <div className={css.says}>
    <p>{isToVideo ? m.theTextInsideTheVideoIsUsed : isGone ? m.thePreservedFileIsPut : m.thePreservedFileIsPutBack}</p>
    {isReplaceable && <p>{m.thisFreezesTheSubtitleThe}</p>}
    {isDirty && <p>{m.settingsThatYouHaveNot}</p>}
  </div>
);
