/** Small PDFs for tests and the demo, written object by object. */

export interface PdfToMake {
  title?: string;
  author?: string;
  /** Lines of text of each page. */
  pages: readonly (readonly string[])[];
  /** Titles of the outline with the numbers of their pages. */
  outline?: readonly { title: string; page: number }[];
  /** XMP as XML. */
  xmp?: string;
  /** Entries of the document catalogue, in addition. */
  catalogue?: string;
  /** Entries of the trailer, in addition. */
  trailer?: string;
  /** Drawing operators that begin each page. */
  drawn?: string;
  /** Size of a page in points. */
  size?: readonly [width: number, height: number];
}

/** Entries of the trailer of a PDF that needs a password: the check values of none that is tried. */
export const LOCKED =
  '/ID[<00><00>]/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4' + `/O<${'ab'.repeat(32)}>/U<${'cd'.repeat(32)}>>>`;

const LINE_POINTS = 18;
const quoted = (text: string): string => `(${text.replaceAll(/[\\()]/g, '\\$&')})`;

/** Makes a PDF whose pages have lines of Helvetica. */
export function makePdf({
  title,
  author,
  pages,
  outline = [],
  xmp,
  catalogue = '',
  trailer = '',
  drawn = '',
  size: [width, height] = [420, 595],
}: PdfToMake): Buffer {
  const objects: string[] = [];
  const add = (text: string): number => objects.push(text);
  const stream = (content: string, entries = ''): number =>
    add(`<<${entries}/Length ${Buffer.byteLength(content, 'latin1')}>>\nstream\n${content}\nendstream`);
  // The first objects have fixed numbers: the catalogue is 1, the list of pages 2, the typeface 3.
  add('');
  add('');
  add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const numbers = pages.map((lines) => {
    const text = lines.map((line) => `${quoted(line)} Tj 0 -${LINE_POINTS} Td`).join('\n');
    const content = stream(`${drawn}\nBT /F1 12 Tf 40 ${height - 60} Td\n${text}\nET`);
    return add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</Font<</F1 3 0 R>>>>` +
        `/Contents ${content} 0 R>>`,
    );
  });
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  objects[1] = `<</Type/Pages/Count ${numbers.length}/Kids[${kids}]>>`;
  const metadata = xmp === undefined ? '' : `/Metadata ${stream(xmp, '/Type/Metadata/Subtype/XML')} 0 R`;
  const info = add(`<<${title ? `/Title${quoted(title)}` : ''}${author ? `/Author${quoted(author)}` : ''}>>`);
  const first = objects.length + 2;
  const lines = outline.map(
    (line, at) =>
      `<</Title${quoted(line.title)}/Parent ${first - 1} 0 R/Dest[${numbers[line.page]} 0 R/Fit]` +
      `${at > 0 ? `/Prev ${first + at - 1} 0 R` : ''}${at < outline.length - 1 ? `/Next ${first + at + 1} 0 R` : ''}>>`,
  );
  add(lines.length > 0 ? `<</Type/Outlines/First ${first} 0 R/Last ${first + lines.length - 1} 0 R>>` : '<<>>');
  for (const line of lines) add(line);
  const outlines = lines.length > 0 ? `/Outlines ${first - 1} 0 R` : '';
  objects[0] = `<</Type/Catalog/Pages 2 0 R${metadata}${outlines}${catalogue}>>`;
  return written(objects, `/Root 1 0 R/Info ${info} 0 R${trailer}`);
}

function written(objects: readonly string[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [number, text] of objects.entries()) {
    const object = Buffer.from(`${number + 1} 0 obj\n${text}\nendobj\n`, 'latin1');
    places.push(at);
    at += object.length;
    parts.push(object);
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}`;
  const end = `${table}trailer\n<</Size ${count}${trailer}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end, 'latin1')]);
}
