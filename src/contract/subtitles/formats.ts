/** The subtitle formats, for the API and the dashboard. Generated from `src/cues/formats.ts` by `npm run docs`. */
export const SUBTITLE_FORMATS = [
  {
    id: 'ass',
    title: 'ASS',
    extensions: ['ass'],
    importExtensions: [],
    mediaType: 'text/x-ssa',
    codecs: ['ass'],
  },
  {
    id: 'microdvd',
    title: 'MicroDVD',
    extensions: ['sub'],
    importExtensions: ['txt'],
    mediaType: 'text/plain',
    codecs: ['microdvd'],
  },
  {
    id: 'mpl2',
    title: 'MPL2',
    extensions: ['mpl', 'mpl2'],
    importExtensions: ['txt'],
    mediaType: 'text/plain',
    codecs: ['mpl2'],
  },
  {
    id: 'sami',
    title: 'SAMI',
    extensions: ['smi', 'sami'],
    importExtensions: [],
    mediaType: 'application/x-sami',
    codecs: ['sami'],
  },
  {
    id: 'srt',
    title: 'SRT',
    extensions: ['srt'],
    importExtensions: ['txt'],
    mediaType: 'application/x-subrip',
    codecs: ['subrip', 'srt'],
  },
  {
    id: 'ssa',
    title: 'SSA',
    extensions: ['ssa'],
    importExtensions: [],
    mediaType: 'text/x-ssa',
    codecs: ['ssa'],
  },
  {
    id: 'ttml',
    title: 'TTML',
    extensions: ['ttml', 'dfxp'],
    importExtensions: ['xml', 'itt'],
    mediaType: 'application/ttml+xml',
    codecs: ['ttml'],
  },
  {
    id: 'vtt',
    title: 'WebVTT',
    extensions: ['vtt', 'webvtt'],
    importExtensions: [],
    mediaType: 'text/vtt',
    codecs: ['webvtt'],
  },
] as const;

export type SubtitleFormatId = (typeof SUBTITLE_FORMATS)[number]['id'];
