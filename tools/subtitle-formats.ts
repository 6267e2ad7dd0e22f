/** Writes the table of subtitle formats where it cannot be imported: into the contract, and into the guide. */
import { SUBTITLE_FORMAT_TABLE } from '../src/cues/index.ts';

const list = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`;

/** Returns `src/contract/subtitles/formats.ts`, sorted by name. */
export function formatsModule(): string {
  const entries = SUBTITLE_FORMAT_TABLE.toSorted((a, b) => a.id.localeCompare(b.id)).map(
    ({ id, title, extensions, importExtensions = [], mediaType, codecs }) => `  {
    id: '${id}',
    title: '${title}',
    extensions: ${list(extensions)},
    importExtensions: ${list(importExtensions)},
    mediaType: '${mediaType}',
    codecs: ${list(codecs)},
  },
`,
  );
  return `/** The subtitle formats, for the API and the dashboard. Generated from \`src/cues/formats.ts\` by \`npm run docs\`. */
export const SUBTITLE_FORMATS = [
${entries.join('')}] as const;

export type SubtitleFormatId = (typeof SUBTITLE_FORMATS)[number]['id'];
`;
}

const [OPENS, CLOSES] = ['<!-- subtitle formats: generated -->', '<!-- end -->'];

/** Returns a guide with the list of formats between its marks replaced. */
export function withFormats(guide: string): string {
  const [from, to] = [guide.indexOf(OPENS), guide.indexOf(CLOSES)];
  if (from < 0 || to < from) throw new Error(`the guide has no place for the list: ${OPENS} … ${CLOSES}`);
  const rows = SUBTITLE_FORMAT_TABLE.toSorted((a, b) => a.title.localeCompare(b.title)).map(
    ({ title, extensions }) => `| ${title} | ${extensions.map((one) => `\`.${one}\``).join(', ')} |`,
  );
  return (
    `${guide.slice(0, from + OPENS.length)}\n\n| Format | Files |\n|---|---|\n${rows.join('\n')}\n\n` +
    `${guide.slice(to)}`
  );
}
