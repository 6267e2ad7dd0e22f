/** The question before a user's own file is replaced: it shows how that file begins. */
import { call } from '../../../data/client.ts';
import { confirm } from '../../../kit/layers/confirm.tsx';
import { candidatesWords as m } from '../../../messages/candidates.ts';
import { PreviewLines } from './preview-lines.tsx';

const SHOWN_LINES = 4;

/** Returns the fingerprint of the file that was shown, or undefined if it is to stay. */
export async function confirmReplacing(of: {
  id: string;
  part?: number | undefined;
  language: string;
  role: 'normal' | 'forced' | 'sdh';
}): Promise<string | undefined> {
  const { fingerprint, current, unreadable } = await call.workbench.inspect({ ...of, unreadable: 'allow' });
  const isConfirmed = await confirm({
    title: m.replaceYourFile,
    says: (
      <>
        <p>{unreadable ? m.yourUnreadableFileIsPreserved : m.yourFileIsPreserved}</p>
        <PreviewLines lines={(current?.cues ?? []).slice(0, SHOWN_LINES)} />
      </>
    ),
    action: m.replace,
  });
  return isConfirmed ? fingerprint : undefined;
}
