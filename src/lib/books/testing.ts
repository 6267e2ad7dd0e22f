/** Small books for tests and the demo: EPUBs from their parts, and comics from their pages. */
import { type ZipInput, writeZip } from '../archive/write-zip.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

export interface EpubToMake {
  title: string;
  authors?: readonly string[];
  /** Markup of `metadata`, in addition. */
  metadata?: string;
  /** Bodies of the parts, or whole documents that begin with `<?xml` or `<html`. */
  parts: readonly { title: string; markup: string }[];
  /** Further entries below `OEBPS/`, with their types. */
  files?: readonly { name: string; type: string; bytes: Uint8Array; properties?: string }[];
  direction?: 'ltr' | 'rtl';
  /** EPUB 2 has an NCX in place of a navigation document. */
  version?: 2 | 3;
}

const xhtml = (title: string, body: string): string =>
  /^\s*<(?:\?xml|html)/.test(body)
    ? body
    : `<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head>` +
      `<title>${title}</title><link rel="stylesheet" href="style.css"/></head><body>${body}</body></html>`;

export function makeEpub({
  title,
  authors = [],
  metadata = '',
  parts,
  files = [],
  direction,
  version = 3,
}: EpubToMake): Buffer {
  const items = [
    ...parts.map((_, n) => `<item id="p${n}" href="part${n}.xhtml" media-type="application/xhtml+xml"/>`),
    ...files.map(
      ({ name, type, properties }, n) =>
        `<item id="f${n}" href="${name}" media-type="${type}"${properties ? ` properties="${properties}"` : ''}/>`,
    ),
    version === 3
      ? '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
      : '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
  ];
  const opf =
    '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" ' +
    `version="${version}.0" unique-identifier="id">` +
    '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">' +
    `<dc:title>${title}</dc:title><dc:language>en</dc:language>` +
    authors.map((name) => `<dc:creator>${name}</dc:creator>`).join('') +
    `${metadata}</metadata><manifest>${items.join('')}</manifest>` +
    `<spine${version === 2 ? ' toc="ncx"' : ''}${direction ? ` page-progression-direction="${direction}"` : ''}>` +
    `${parts.map((_, n) => `<itemref idref="p${n}"/>`).join('')}</spine></package>`;
  const lines = parts.map((part, n) => `<li><a href="part${n}.xhtml">${part.title}</a></li>`);
  const nav = xhtml('Contents', `<nav epub:type="toc"><ol>${lines.join('')}</ol></nav>`);
  const ncx =
    '<ncx><navMap>' +
    parts
      .map(
        (part, n) =>
          `<navPoint><navLabel><text>${part.title}</text></navLabel><content src="part${n}.xhtml"/></navPoint>`,
      )
      .join('') +
    '</navMap></ncx>';
  const entries: ZipInput[] = [
    { name: 'mimetype', bytes: bytes('application/epub+zip') },
    {
      name: 'META-INF/container.xml',
      bytes: bytes(
        '<?xml version="1.0"?><container><rootfiles>' +
          '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
      ),
    },
    { name: 'OEBPS/book.opf', bytes: bytes(opf) },
    version === 3 ? { name: 'OEBPS/nav.xhtml', bytes: bytes(nav) } : { name: 'OEBPS/toc.ncx', bytes: bytes(ncx) },
    ...parts.map((part, n) => ({ name: `OEBPS/part${n}.xhtml`, bytes: bytes(xhtml(part.title, part.markup)) })),
    ...files.map((file) => ({ name: `OEBPS/${file.name}`, bytes: file.bytes })),
  ];
  return writeZip(entries);
}

type ComicFields = Readonly<Record<string, string | number>>;

/** Returns the pages of a comic with its ComicInfo.xml, for any kind of archive. */
export function comicEntries(pages: readonly ZipInput[], info: ComicFields): ZipInput[] {
  const fields = Object.entries(info).map(([name, value]) => `<${name}>${value}</${name}>`);
  const xml = bytes(`<?xml version="1.0"?><ComicInfo>${fields.join('')}</ComicInfo>`);
  return [...pages, { name: 'ComicInfo.xml', bytes: xml }];
}

/** Makes a comic of pages, with the fields of its ComicInfo.xml. */
export const makeComic = (pages: readonly ZipInput[], info?: ComicFields): Buffer =>
  writeZip(info ? comicEntries(pages, info) : pages);
