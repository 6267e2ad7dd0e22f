/** The request for the installed subtitle. One that cannot be read is shown too, because another can replace it. */
import type { ChosenRole } from './settings.ts';

export const inspectRequest = ({
  id,
  part,
  language,
  role,
}: {
  id: string;
  /** Part of a film in several files. */
  part: number | undefined;
  language: string;
  /** Left out: the kind that is there. */
  role: ChosenRole | undefined;
}) => ({ id, ...(part !== undefined && { part }), language, unreadable: 'allow' as const, ...(role && { role }) });
