/**
 * The default library: the media folder, which the server reads while no library is configured. It cannot be removed
 * while it is the only one. A first library elsewhere is added next to it; one inside or around its folder replaces it.
 */
import { useAsk } from '../../data/query.ts';

export function useIsDefault(): boolean {
  const { data } = useAsk('configuration', 'list', {});
  return data?.settings.find(({ key }) => key === 'libraries')?.configured === false;
}
