/** Labels of the server's warnings about a cue. An unknown warning is shown by its name. */
const WARNINGS: Readonly<Record<string, readonly [name: string, says: string]>> = {
  'too-fast': ['Fast to read', 'More characters per second than people read with ease.'],
  'too-short': ['Short', 'Shown for less than half a second.'],
  'too-long': ['Long', 'Shown for more than ten seconds.'],
  overlap: ['Overlaps', 'Still shown when another line starts.'],
  'long-line': ['Long line', 'A line has more characters than fit on a screen.'],
  'many-lines': ['Many lines', 'More than three lines at once.'],
  'short-gap': ['Close to the next', 'The next line follows so closely that the change is easy to miss.'],
  negative: ['Ends before it starts', 'It ends before it starts.'],
  empty: ['Empty', 'It has no text.'],
  'after-end': ['After the end', 'It starts after the end of the film.'],
};
export const warningName = (warning: string): string => WARNINGS[warning]?.[0] ?? warning;
export const warningSays = (warning: string): string => WARNINGS[warning]?.[1] ?? warning;
