/** Labels of the server's warnings about a cue. An unknown warning is shown by its name. */
const WARNINGS: Readonly<Record<string, readonly [name: string, says: string]>> = {
  'too-fast': ['Fast to read', 'More letters a second than people read with ease.'],
  'too-short': ['Short', 'On for less than half a second.'],
  'too-long': ['Long on show', 'On for more than ten seconds.'],
  overlap: ['Overlaps', 'Still on when another line begins.'],
  'long-line': ['Long line', 'A line has more letters than fit well on a screen.'],
  'many-lines': ['Many lines', 'More than three lines at once.'],
  'short-gap': ['Close to the next', 'The next line follows so closely that the change is missed.'],
  negative: ['Ends before it starts', 'It ends before it starts.'],
  empty: ['Empty', 'It says nothing.'],
  'after-end': ['After the end', 'It comes after the end of the film.'],
};
export const warningName = (warning: string): string => WARNINGS[warning]?.[0] ?? warning;
export const warningSays = (warning: string): string => WARNINGS[warning]?.[1] ?? warning;
