/** English: options of a library. */
export const libraryOptionsEnglish = {
  options: 'Options',
  internet: 'Look up descriptions and pictures on the internet',
  internetHint: 'Only if a metadata provider is set up. Otherwise only files and folders are read.',
  language: 'Language of descriptions',
  country: 'Country for age ratings',
  asForTheServer: 'Same as the whole server',
  nfo: 'Read NFO files',
  nfoHint: 'Titles, plots, ratings and biographies that another program saved next to the files.',
  ignored: 'Names that are not scanned',
  ignoredHint:
    'Folders and files, one name on each line. * matches any characters: *-proxy.mp4. Watch history is kept.',
};
