/**
 * How names look: two names with the same look are taken for each other, whatever letters they are made of.
 *
 * Letters of other widths and styles are compared in their plain form, accents and invisible characters are left out,
 * and letters of other scripts become the Latin ones that they look like. Some names that people tell apart have the
 * same look, so this is for refusals only, not for finding anyone.
 */

/** Letters, and the Latin letters and digits that they look like, in the same order. */
const LOOKS: readonly (readonly [letters: string, latin: string])[] = [
  // Cyrillic
  ['АВЕЅІЈКМНОРСТУХҮԌԚԜӀЬГ', 'ABESIJKMHOPCTYXYGQWlbr'],
  ['авеѕіјкмнорстухүԍԛԝӏьгпиԁһѵ', 'abesijkmhopctyxygqwlbrnudhv'],
  // Greek
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['αβγεηικνορτυχωϲσς', 'abyenikvoptuxwcoc'],
  // Armenian
  ['ՏՕԼՍՈօոսհցզաւյ', 'SOLUnonuhgqwlj'],
  // Cherokee
  ['ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃᎩ', 'ABCDEGHJKLMPRSTVWZY'],
  // Lisu
  ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'ABCDEFGHIJKLMNOPRSTUVWXYZ'],
  // Coptic
  ['ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲬⲁⲟⲣⲥⲭ', 'ABEHIKMNOPCTXaopcx'],
  // Latin letters of other shapes
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡıȷɩƖǀøØđĐłŁħĦŧŦɨʉƄ', 'abcdefghijklmnoprstuvwyzagijillooddllhhttiub'],
];
const LATIN: ReadonlyMap<string, string> = new Map(
  LOOKS.flatMap(([letters, latin]) => [...letters].map((letter, n) => [letter, latin[n] ?? letter] as const)),
);
/** Letters and digits that look like one of the others, in some typefaces. */
const SAME: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l', '|': 'l', '3': 'e', '5': 's', '8': 'b' };
/** Two letters that look like one. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
];

/** Returns what a name looks like; empty for one without letters and digits. */
export function nameLookOf(name: string): string {
  const letters = [...name.normalize('NFKD')].map((letter) => LATIN.get(letter) ?? letter).join('');
  const plain = [...letters.toLowerCase().normalize('NFKD')].map((letter) => SAME[letter] ?? letter).join('');
  return PAIRS.reduce((look, [pair, one]) => look.replaceAll(pair, one), plain.replaceAll(/[^\p{L}\p{N}]/gu, ''));
}
