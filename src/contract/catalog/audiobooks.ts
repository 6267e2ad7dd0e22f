/** Facts that the page of an audiobook has in addition. */
import { z } from 'zod';
import { Seconds } from '../kernel/common.ts';
import { LIBRARY_READERS } from '../kernel/access.ts';
import { about, EXAMPLE_IDS, idOf, rarely } from '../kernel/describe.ts';
import { endpoint } from '../kernel/endpoint.ts';
import { Card } from './cards.ts';

export const AudiobookFacts = z
  .strictObject({
    authors: z.array(z.string()).meta(about('Authors.', ['Arthur Conan Doyle'])),
    narrators: z.array(z.string()).meta(about('Narrators.', ['Ruth Golding'])),
    series: z
      .strictObject({
        name: z.string().meta(about('Name of the series.', 'Sherlock Holmes')),
        position: z.string().optional().meta(about('Number in the series, which may have decimals.', '1.5')),
      })
      .optional()
      .meta(rarely('Series that it belongs to.')),
    files: z
      .array(
        z.strictObject({
          index: z.int().min(0).meta(about('Number of the file, from 0.', 0)),
          start: Seconds.meta(about('Seconds of the book at which the file starts.', 0)),
          duration: Seconds.optional().meta(about('Length of the file in seconds.', 1803.4)),
        }),
      )
      .meta(about('Files in order. Positions are seconds of the whole book.')),
  })
  .meta({ id: 'AudiobookFacts', description: 'Authors, narrators, series and files of an audiobook.' });
export type AudiobookFacts = z.output<typeof AudiobookFacts>;

const EXAMPLE_AUDIOBOOK = {
  id: EXAMPLE_IDS.item,
  kind: 'audiobook',
  title: 'A Study in Scarlet',
  sortTitle: 'study in scarlet',
  year: 1887,
  library: EXAMPLE_IDS.library,
  added: '2026-11-02T10:15:00.000Z',
  duration: 17_340,
  artists: ['Arthur Conan Doyle'],
  series: { id: EXAMPLE_IDS.series, title: 'Sherlock Holmes' },
  volume: { text: '1', number: 1 },
  available: true,
  images: { poster: '5d10b2' },
  userData: { position: 0, watched: false, playCount: 0, listed: false },
};

export const AudiobookSeries = z
  .strictObject({
    id: idOf('series', 'Id of the series.'),
    name: z.string().meta(about('Name, as most of its volumes spell it.', 'Sherlock Holmes')),
    library: idOf('library', 'Id of its library.'),
    authors: z.array(z.string()).meta(about('Authors of its volumes.', ['Arthur Conan Doyle'])),
    items: z
      .array(Card)
      .meta(about('Volumes by their numbers; those without a number are last, by title.', [EXAMPLE_AUDIOBOOK])),
    volumes: z.int().min(1).meta(about('Number of volumes that this Profile may see.', 1)),
    finished: z.int().min(0).meta(about('Number of those volumes that are finished.', 0)),
    duration: Seconds.optional().meta(
      about('Length of all volumes in seconds. Left out: that of one is not known.', 17_340),
    ),
    next: Card.optional().meta(
      about('Volume to continue with, or to begin with. Left out: all are finished.', EXAMPLE_AUDIOBOOK),
    ),
  })
  .meta({ id: 'AudiobookSeries', description: 'Series of audiobooks with its volumes.' });
export type AudiobookSeries = z.output<typeof AudiobookSeries>;

export const showAudiobookSeries = endpoint({
  method: 'GET',
  path: '/api/v1/audiobook-series/{id}',
  summary: 'A series of audiobooks with its volumes in order',
  description:
    'Returns the volumes that the Profile may see, by number, and the one to continue with. Audiobooks are of one ' +
    'series if their library, the name of their series and their first author are the same.',
  access: LIBRARY_READERS,
  reach: 'everywhere',
  params: z.strictObject({ id: idOf('series', 'Id of the series.') }),
  result: AudiobookSeries,
  fails: ['no-such-series'],
});
