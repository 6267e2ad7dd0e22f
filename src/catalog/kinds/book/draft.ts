/** Drafts books from what their files and names say, and the series that they belong to. */
import { parseLanguage } from '../../../lib/languages.ts';
import type { BookMetadata } from '../../../lib/books/types.ts';
import type { FilesOfItem, ItemDraft, PlacedDraft, PlacedFile, PlacementTools } from '../../core/scan/placement.ts';
import { joined } from '../../core/paths.ts';
import { editedSeriesKey, seriesKey, sortedInSeries } from '../../naming/series.ts';
import { fold, sortTitleOf } from '../../naming/text.ts';
import type { ImagePlaces, Person } from '../../store/records.ts';
import { artOf, daysOf, defined, imagesOf } from '../video/facts.ts';
import { statedInTags } from '../stated.ts';
import type { BookGuess } from './names.ts';

type BookFile = PlacedFile<BookGuess>;

/** Confidence of a book whose file states its title, and of one that its name describes. */
const STATED_CONFIDENCE = 0.95;
const NAMED_CONFIDENCE = 0.7;
/** Preference among the formats of one book: text that fits any screen comes first. */
const FORMATS = ['epub', 'cbz', 'cbr', 'cb7', 'pdf'];

export async function draftBook(
  { key, files, movedFrom }: FilesOfItem<BookGuess>,
  { group }: PlacementTools,
): Promise<PlacedDraft> {
  const file = leadingFile(files);
  const facts = factsOf(file);
  const { series } = facts;
  const found =
    series === undefined
      ? undefined
      : await group({
          key: seriesKey(series),
          otherKey: editedSeriesKey(series),
          movedFrom,
          // Spellings of one series differ from file to file: it keeps its first name.
          isNamedByFolder: false,
          draft: () => seriesOf(series, file),
        });
  return { key, draft: bookOf(file, facts), ...(found && { group: found.id }) };
}

const leadingFile = (files: readonly BookFile[]): BookFile =>
  files.toSorted((a, b) => rankOf(a) - rankOf(b))[0] as BookFile;
const rankOf = ({ info, guess }: BookFile): number =>
  FORMATS.indexOf(info?.book?.format ?? guess.version?.toLowerCase() ?? '');

/** Returns the facts that the file states, completed by its name. */
function factsOf({ info, guess }: BookFile): Partial<BookMetadata> {
  const { title, series, volume, chapter, author } = guess;
  const stated: Partial<BookMetadata> = info?.book ?? {};
  return {
    ...defined({ title: title === '' ? undefined : title, series, volume, chapter }),
    ...(author !== undefined && { authors: [author] }),
    ...stated,
    ...(stated.authors?.length === 0 && author !== undefined && { authors: [author] }),
  };
}

function bookOf(file: BookFile, facts: Partial<BookMetadata>): ItemDraft {
  const { guess, info } = file;
  const { title = titleInSeries(facts), series, volume, chapter, published, age, language } = facts;
  const languageTag = language === undefined ? undefined : parseLanguage(language);
  const year = published === undefined ? guess.year : Number(published.slice(0, 4));
  return {
    kind: 'book',
    title,
    sortTitle:
      series === undefined ? sortTitleOf(facts.sortTitle ?? title) : sortedInSeries({ series, volume, chapter }),
    ...defined({ year, released: daysOf(published), rating: age === undefined ? undefined : `${age}+` }),
    genres: facts.subjects ?? [],
    languages: languageTag === undefined ? [] : [languageTag],
    images: imagesOfBook(file),
    confidence: info?.book?.title === undefined ? NAMED_CONFIDENCE : STATED_CONFIDENCE,
    detail: {
      ...defined({ plot: facts.description }),
      studios: facts.publisher === undefined ? [] : [facts.publisher],
      people: peopleOf(facts),
      ids: defined({ isbn: facts.isbn }) as Record<string, string>,
      ...statedInTags({
        title: info?.book?.title,
        year: info?.book?.published,
        released: info?.book?.published,
        rating: info?.book?.age,
        plot: info?.book?.description,
        genres: info?.book?.subjects,
        studios: info?.book?.publisher,
        people: [...(info?.book?.authors ?? []), ...(info?.book?.contributors ?? [])],
        series: info?.book?.series,
        volume: info?.book?.volume?.text,
        chapter: info?.book?.chapter?.text,
        ids: info?.book?.isbn,
      }),
      evidence: guess.evidence,
      book: {
        format: facts.format ?? 'epub',
        authors: facts.authors ?? [],
        ...defined({
          series,
          volume,
          chapter,
          publisher: facts.publisher,
          isbn: facts.isbn,
          pages: facts.pages,
          direction: facts.direction,
        }),
      },
    },
  };
}

/** The title of an issue without one: `Little Nemo Vol. 2 #10`. */
function titleInSeries({ series, volume, chapter }: Partial<BookMetadata>): string {
  return [series ?? '', volume && `Vol. ${volume.text}`, chapter && `#${chapter.text}`]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}

/** A picture next to the book, else the cover inside it. */
function imagesOfBook({ row, view, info, isAlone }: BookFile): ImagePlaces {
  const beside = imagesOf(view, artOf(view, isAlone ? 'movie' : 'flat'), ({ video }) =>
    video === undefined ? isAlone : video === row.name,
  );
  const cover = info?.book?.cover;
  if (beside.poster !== undefined || cover === undefined) return beside;
  return { ...beside, poster: { at: joined(row.folder, row.name), s: row.size, m: row.mtime, entry: cover } };
}

const peopleOf = ({ authors = [], contributors = [] }: Partial<BookMetadata>): Person[] => [
  ...authors.map((name): Person => ({ name, job: 'author' })),
  ...contributors.map((name): Person => ({ name, job: 'contributor' })),
];

/** A series, with the pictures of its folder if the folder has its name. */
function seriesOf(title: string, { view }: BookFile): ItemDraft {
  const folder = view.path.slice(view.path.lastIndexOf('/') + 1);
  const isOwn = fold(folder.replaceAll(/\([^()]*\)/g, '')) === fold(title);
  return {
    kind: 'series',
    title,
    sortTitle: '',
    genres: [],
    languages: [],
    images: isOwn ? imagesOf(view, artOf(view, 'show'), (picture) => picture.for === 'show') : {},
    confidence: 1,
    detail: { studios: [], people: [], ids: {}, evidence: [] },
  };
}
