/** What restoring does, in words, wherever it is asked for. */
import css from './restore-notice.module.css';

export const RestoreSays = ({
  isDirty = false,
  isReplaceable,
  isGone = false,
}: {
  isDirty?: boolean;
  isReplaceable: boolean;
  /** No file is there any more. */ isGone?: boolean;
}) => (
  <div className={css.says}>
    {isGone ? (
      <p>
        The preserved bytes take their place again, exactly as they were. Where a deleted file had something before it,
        that comes first, and restoring once more brings the deleted one.
      </p>
    ) : (
      <p>
        The preserved bytes take their place again, exactly as they were. What is installed now is preserved in turn, so
        that restoring once more brings it back.
      </p>
    )}
    {isReplaceable && (
      <p>Replacement is frozen by it: the server will put no other in its place until you permit that again.</p>
    )}
    {isDirty && <p>What you have set here and not applied is dropped.</p>}
  </div>
);
