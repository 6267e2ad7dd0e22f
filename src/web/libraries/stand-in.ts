/**
 * Whether the library on show is the one that stands in: while nobody has listed any, the server reads its media
 * folder as one library, which goes away when another is added and cannot be removed.
 */
import { useAsk } from '../data/query.ts';

export function useStandIn(): boolean {
  const { data } = useAsk('configuration', 'list', {});
  return data?.settings.find(({ key }) => key === 'libraries')?.configured === false;
}
