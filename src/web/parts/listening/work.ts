/** The work of music that a track is a part of, in words. Pure. */
interface TrackOfWork {
  title: string;
  sound: {
    work?: string | undefined;
    movement?: { name?: string | undefined; number?: number | undefined } | undefined;
  };
}
const NUMERALS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIII', 'XIV', 'XV', 'XVI'];

/** Returns the work and the movement, as far as the title of the track does not say them: `Symphony: II. Andante`. */
export function workOfTrack({ title, sound: { work = '', movement = {} } }: TrackOfWork): string {
  const { name = '', number } = movement;
  const numeral = number === undefined ? '' : `${NUMERALS[number - 1] ?? number}. `;
  const isSaid = (text: string) => title.toLowerCase().includes(text.toLowerCase());
  return [isSaid(work) ? '' : work, isSaid(name) ? '' : `${numeral}${name}`].filter((text) => text !== '').join(': ');
}
