/**
 * Reads the few facts of an XMP packet that EXIF has no room for. It is text of any program, so it is searched for the
 * names of these facts and not interpreted: no entities, no references.
 */
import { dateTime, offsetText } from './exif.ts';

export interface XmpFacts {
  takenAt?: string;
  offset?: string;
  orientation?: number;
  /** Bytes of the video of a motion photo, which is the end of the file. */
  motionBytes?: number;
}

/** A fact as an attribute or as the text of an element. */
const FACT = /\b(\w{1,24}):(\w{1,40})(?:\s{0,4}=\s{0,4}["']([^"'<]{0,128})["']|>\s{0,8}([^<>]{0,128})<)/g;
const ITEM = /<Container:Item\b([^>]{0,512})>/g;
const TIMES = ['DateTimeOriginal', 'DateCreated', 'CreateDate'] as const;

export function xmpFacts(text: string): XmpFacts {
  const found = new Map<string, string>();
  for (const [, , name = '', attribute, content] of text.matchAll(FACT)) {
    const value = (attribute ?? content ?? '').trim();
    if (!found.has(name) && value !== '') found.set(name, value);
  }
  const time = TIMES.map((name) => found.get(name)).find((value) => dateTime(value) !== undefined);
  const offset = offsetText(/(?:Z|[+-]\d\d:\d\d)$/.exec(time ?? '')?.[0]);
  const orientation = Number(found.get('Orientation'));
  const bytes = motionBytes(text, found);
  const taken = dateTime(time);
  return {
    ...(taken !== undefined && { takenAt: taken }),
    ...(taken !== undefined && offset !== undefined && { offset }),
    ...(orientation >= 1 && orientation <= 8 && Number.isInteger(orientation) && { orientation }),
    ...(bytes !== undefined && { motionBytes: bytes }),
  };
}

function motionBytes(text: string, found: ReadonlyMap<string, string>): number | undefined {
  const old = whole(found.get('MicroVideoOffset'));
  if (old !== undefined && found.get('MicroVideo') !== '0') return old;
  if (found.get('MotionPhoto') !== '1') return undefined;
  for (const [, item = ''] of text.matchAll(ITEM))
    if (/Semantic\s{0,4}=\s{0,4}["']MotionPhoto["']/.test(item))
      return whole(/Length\s{0,4}=\s{0,4}["'](\d{1,12})["']/.exec(item)?.[1]);
  return undefined;
}

const whole = (text: string | undefined): number | undefined => {
  const value = /^\d{1,12}$/.test(text ?? '') ? Number(text) : 0;
  return value > 0 ? value : undefined;
};
