/** The request for the installed subtitle. One that cannot be read is shown too, because another can replace it. */
import type { ChosenRole } from './settings.ts';

export const inspectRequest = ({
  id,
  language,
  role,
}: {
  id: string;
  language: string;
  /** Left out: the kind that is there. */
  role: ChosenRole | undefined;
}) => ({ id, language, unreadable: 'allow' as const, ...(role && { role }) });
