/** What restoring does, in words, wherever it is asked for. */
import css from './restoring.module.css';

export const RestoreSays = ({ isDirty = false, isReplaceable }: { isDirty?: boolean; isReplaceable: boolean }) => (
  <div className={css.says}>
    <p>The preserved bytes take their place again, exactly as they were. What is installed now is preserved in turn, so that restoring once more brings it back.</p>
    {isReplaceable && <p>Replacement is frozen by it: the server will put no other in its place until you permit that again.</p>}
    {isDirty && <p>What you have set here and not applied is dropped.</p>}
  </div>
);
