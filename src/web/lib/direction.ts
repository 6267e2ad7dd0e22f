/** The direction of reading, for geometry that is computed in code. */

/** Returns 1 where text runs from left to right, and -1 where it runs from right to left. */
export const forward = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1);
