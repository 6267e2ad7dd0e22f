/** Extras of films and shows. Each file is one; `core/scan/extras.ts` finds what it belongs to when a scan ends. */
import type { KindPlacement, PlacedFile } from '../../core/scan/placement.ts';
import type { Guess } from '../../naming/types.ts';
import { languagesOf, resolutionOf } from '../../probe/media-facts.ts';
import { EXTRA_KEYS } from '../../store/extras.ts';
import { defined } from './facts.ts';
import { videoFiles } from './files.ts';

export const extraPlacement: KindPlacement<Guess> = {
  version: 1,
  item: 'extra',
  fileType: videoFiles,
  itemKey: ({ extraPlace }, name) => `${EXTRA_KEYS}${extraPlace?.folder ?? ''}/${name}`,
  groupKey: () => undefined,
  isSameWork: () => false,
  home: () => undefined,
  ownsFolder: false,
  draft: ({ key, files: [file] }) => {
    const { guess, info } = file as PlacedFile<Guess>;
    return Promise.resolve({
      key,
      draft: {
        kind: 'extra',
        title: guess.title,
        sortTitle: guess.sortTitle,
        ...defined({ duration: info?.duration, resolution: resolutionOf(info) }),
        genres: [],
        languages: languagesOf(info),
        images: {},
        confidence: guess.confidence,
        detail: {
          studios: [],
          people: [],
          ids: {},
          evidence: guess.evidence,
          extra: { type: guess.extra ?? 'other', folder: '', home: '', ...guess.extraPlace },
        },
      },
    });
  },
};
