/** The address of this page on a server that moves. Pure. */
import type { Restarting } from '../../../contract/ops/restart.ts';

/** Returns the new address, with the name by which the server was reached; undefined if it stays where it is. */
export function movedAddress(
  { moves }: Pick<Restarting, 'moves'>,
  { hostname }: Pick<Location, 'hostname'>,
): string | undefined {
  if (!moves) return undefined;
  const usual = moves.scheme === 'https' ? 443 : 80;
  return `${moves.scheme}://${hostname}${moves.port === usual ? '' : `:${moves.port}`}`;
}
