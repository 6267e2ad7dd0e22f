/**
 * Converts full-width letters, digits and signs of names to the usual ones: `Ｓ０１Ｅ０２` is `S01E02`. Offsets stay the
 * same. Signs that file systems do not allow in their usual form, such as `：`, stay as they are.
 */
const WIDE = /[\u3000（）［］｛｝－．＃＋０-９Ａ-Ｚａ-ｚ]/g;
const FIRST_WIDE = 0xff01;
const FIRST_USUAL = 0x21;

export const narrow = (text: string): string =>
  text.replaceAll(WIDE, (sign) =>
    sign === '\u3000' ? ' ' : String.fromCharCode(sign.charCodeAt(0) - FIRST_WIDE + FIRST_USUAL),
  );
