/**
 * The environment of a program that a test starts and kills: almost nothing, and where compiled code of this run is
 * kept.
 */
export const BARE: Readonly<Record<string, string | undefined>> = {
  PATH: process.env['PATH'],
  ...(process.env['NODE_COMPILE_CACHE'] !== undefined && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
};
