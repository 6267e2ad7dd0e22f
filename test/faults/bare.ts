/** How a program is started that a test kills within seconds: quickly, and with almost no environment. */

/**
 * Flags of Node for programs that live for seconds, hundreds of which are started: no optimised code, and so much room
 * for young objects that a start collects none of them. Both take four tenths of the CPU time of a start away.
 */
export const CHEAP_START = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--no-opt', '--no-maglev'] as const;

/** Memory is taken in large pieces and not returned, which takes another tenth of the CPU time of a start away. */
export const CHEAP_MEMORY = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TOP_PAD_: String(32 * 1024 ** 2),
  MALLOC_TRIM_THRESHOLD_: String(1024 ** 3),
  MALLOC_MMAP_THRESHOLD_: String(256 * 1024 ** 2),
};

/** The environment of such a program, and where compiled code of this run is kept. */
export const BARE: Readonly<Record<string, string | undefined>> = {
  ...CHEAP_MEMORY,
  PATH: process.env['PATH'],
  ...(process.env['NODE_COMPILE_CACHE'] !== undefined && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
};
