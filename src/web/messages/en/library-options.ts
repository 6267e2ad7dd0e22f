/** English: options of a library. */
export const libraryOptionsEnglish = {
  options: 'Options',
  internet: 'Look up descriptions and pictures on the internet',
  internetHint: 'Only if a metadata provider is set up. Otherwise files and folders alone are read.',
  language: 'Language of descriptions',
  country: 'Country of age ratings',
  asForTheServer: 'As for the whole server',
  nfo: 'Read NFO files',
  nfoHint: 'Titles, plots, ratings and biographies that another program saved next to the files.',
  ignored: 'Names that are not scanned',
  ignoredHint:
    'Folders and files, one name on each line. * matches any characters: *-proxy.mp4. What was watched is kept.',
};
