/**
 * The season and episode that a subtitle's name states: `S01E02`, `s1.e2-e3`, `S01E02E03`, `1x02`, `Season 1 Episode 2`.
 *
 * Only what is stated without doubt; a bare number is never taken for an episode here. Linear in the name.
 */

export interface StatedEpisode {
  season: number;
  episode: number;
  /** The last one, when the name covers several. */
  episodeEnd: number;
}

const FORMS = [
  /(?:^|[^a-z0-9])s(\d{1,4})[ ._-]?e(\d{1,4})(?:[ ._-]?(?:-[ ._]?)?e(\d{1,4})|-(\d{1,3})(?=[^0-9p]|$))?/i,
  /(?:^|[^a-z0-9])(\d{1,2})x(\d{2,3})(?:-(?:\d{1,2}x)?(\d{2,3}))?(?=[^a-z0-9]|$)/i,
  /(?:^|[^a-z0-9])season[ ._-]?(\d{1,3})[ ._,-]{0,3}episode[ ._-]?(\d{1,4})(?=[^0-9]|$)/i,
];

export function statedEpisode(name: string): StatedEpisode | undefined {
  for (const form of FORMS) {
    const found = form.exec(name.slice(0, 512));
    if (!found) continue;
    const episode = Number(found[2]);
    const last = Number(found[3] ?? found[4] ?? episode);
    return { season: Number(found[1]), episode, episodeEnd: last >= episode && last - episode < 20 ? last : episode };
  }
  return undefined;
}

/** The season of a name that covers all of it: `S02`, `Season 2`, with no episode after it. */
export function statedSeason(name: string): number | undefined {
  if (statedEpisode(name)) return undefined;
  const found = /(?:^|[^a-z0-9])(?:s|season[ ._-]?)(\d{1,2})(?=[^a-z0-9]|$)/i.exec(name.slice(0, 512));
  return found ? Number(found[1]) : undefined;
}
