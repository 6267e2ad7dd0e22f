/**
 * Markers out of the names of chapters. Pure.
 *
 * A name is cut into segments at punctuation (`Chapter 3: Opening - Blue`). Words that mean something else in a title
 * count only as a whole segment, with a number at most (`Opening 2`, but not `Opening Night`). Words that mean nothing
 * else count in any position as whole words (`The intro song`, but not `Introduction`).
 */
import type { MarkerKind } from '../../contract/playback/markers.ts';
import type { FoundMarker } from './types.ts';

interface Words {
  kind: MarkerKind;
  /** A whole segment, with a number after it at most. */
  alone: readonly string[];
  /** Whole words anywhere in the name. */
  anywhere: readonly string[];
}

const TABLE: readonly Words[] = [
  {
    kind: 'recap',
    alone: [
      'recap',
      'previously',
      'rückblick',
      'was bisher geschah',
      'résumé',
      'riassunto',
      'resumen',
      'resumo',
      'samenvatting',
      'tidigare',
      'tidligere',
      'powtórka',
      'összefoglaló',
      'rekapitulace',
      'özet',
      'あらすじ',
      '前回',
      '前回のあらすじ',
      '前情提要',
      '前情回顧',
      '前情回顾',
      '지난 이야기',
      'ранее',
      'содержание предыдущих серий',
    ],
    anywhere: [
      'previously on',
      'story so far',
      'was bisher geschah',
      'bisher bei',
      'précédemment',
      'nelle puntate precedenti',
      'en capítulos anteriores',
      'anteriormente en',
      'nos episódios anteriores',
      'anteriormente em',
      'wat voorafging',
      'в предыдущих сериях',
      'poprzednio w',
      'v minulých dílech',
    ],
  },
  {
    kind: 'credits',
    alone: [
      'credits',
      'endcredits',
      'end title',
      'end titles',
      'ending credits',
      'titles de fin',
      'generico finale',
      'générique fin',
      'crédits',
      'créditos',
      'titoli',
      'титры',
      'credit',
      'staff roll',
      'スタッフロール',
      '片尾',
      '片尾字幕',
      '엔딩 크레딧',
    ],
    anywhere: [
      'end credits',
      'closing credits',
      'ending credits',
      'credit roll',
      'credits roll',
      'abspann',
      'générique de fin',
      'titoli di coda',
      'créditos finales',
      'créditos finais',
      'aftiteling',
      'eftertexter',
      'rulletekster',
      'rulletekst',
      'lopputekstit',
      'napisy końcowe',
      'stáblista',
      'závěrečné titulky',
      'stáblistát',
      'финальные титры',
      'bitiş jeneriği',
      'エンドクレジット',
      'エンドロール',
    ],
  },
  {
    kind: 'outro',
    alone: [
      'ending',
      'ed',
      'nced',
      'ende',
      'end theme',
      'closing',
      'closing theme',
      'outro theme',
      'fin',
      'finale musical',
      'sigla finale',
      'cierre',
      'encerramento',
      'einde',
      'эндинг',
      'концовка',
      'エンディング',
      '片尾曲',
      '엔딩',
    ],
    anywhere: [
      'outro',
      'ending theme',
      'ending song',
      'ending sequence',
      'sigla di chiusura',
      'завершающая заставка',
      'エンディングテーマ',
    ],
  },
  {
    kind: 'intro',
    alone: [
      'opening',
      'op',
      'ncop',
      'titles',
      'title',
      'main title',
      'main titles',
      'main theme',
      'theme',
      'theme song',
      'opening title',
      'titel',
      'titelmelodie',
      'générique',
      'generico',
      'sigla',
      'cabecera',
      'abertura',
      'apertura',
      'begintune',
      'заставка',
      'опенинг',
      'オープニング',
      '片头',
      '片頭',
      '片头曲',
      '片頭曲',
      '오프닝',
      'czołówka',
      'főcím',
      'znělka',
      'jenerik',
      'alkutunnari',
    ],
    anywhere: [
      'intro',
      'opening credits',
      'opening titles',
      'opening theme',
      'opening song',
      'opening sequence',
      'title sequence',
      'titles sequence',
      'vorspann',
      'générique de début',
      "générique d'ouverture",
      'sigla iniziale',
      'titoli di testa',
      'secuencia de apertura',
      'créditos iniciales',
      'créditos iniciais',
      'sequência de abertura',
      'openingstune',
      'förtexter',
      'fortekster',
      'alkutekstit',
      'úvodní znělka',
      'titulky úvodní',
      'вступительные титры',
      'начальные титры',
      'açılış jeneriği',
      'オープニングテーマ',
    ],
  },
  {
    kind: 'commercial',
    alone: [
      'ad',
      'ads',
      'cm',
      'advert',
      'adverts',
      'werbung',
      'publicité',
      'pubblicità',
      'anuncios',
      'publicidad',
      'publicidade',
      'reclame',
      'reklam',
      'reklama',
      'reklame',
      'реклама',
      '広告',
      '广告',
      '廣告',
      '광고',
    ],
    anywhere: [
      'commercial',
      'commercials',
      'advertisement',
      'advertisements',
      'commercial break',
      'ad break',
      'werbepause',
      'werbeblock',
      'page de publicité',
      'pausa pubblicitaria',
      'рекламная пауза',
    ],
  },
];

const MAX_NAME = 200;
/** Maximum length in seconds for each kind, and the part of the item in which it begins. */
const BOUNDS: Readonly<Record<MarkerKind, { most: number; from: number; to: number }>> = {
  intro: { most: 300, from: 0, to: 0.5 },
  recap: { most: 600, from: 0, to: 0.5 },
  commercial: { most: 900, from: 0, to: 1 },
  outro: { most: 900, from: 0.5, to: 1 },
  credits: { most: 2_400, from: 0.5, to: 1 },
};

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();
const SEGMENTS = /[:|/()[\]{}<>,;.!?"“”„«»~*_]+|(?:^|\s)[-–—]+(?:\s|$)|[–—]/u;
/** `Chapter 12`, `12`, `#3` before a name, and a number after it. */
const NUMBER_BEFORE =
  /^(?:chapter|kapitel|chapitre|capitolo|capítulo|hoofdstuk|kapitola|глава|scene|szene)?\s*#?\d{1,4}\s*/u;
const NUMBER_AFTER = /\s*#?\d{1,2}$/u;

const ALONE = new Map(
  TABLE.flatMap(({ kind, alone }) => alone.map((word): [string, MarkerKind] => [folded(word), kind])),
);
const ANYWHERE = TABLE.map(({ kind, anywhere }) => ({
  kind,
  pattern: new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${anywhere.map(folded).join('|')})(?![\\p{L}\\p{M}\\p{N}])`, 'u'),
}));

/** Returns the kind of passage that the name of a chapter means; undefined for every other name. */
export function kindOfChapter(name: string): MarkerKind | undefined {
  if (name.length > MAX_NAME) return undefined;
  const text = folded(name).replaceAll('’', "'");
  for (const segment of text.split(SEGMENTS)) {
    const bare = segment
      .trim()
      .replace(NUMBER_BEFORE, '')
      .replace(/^[-\s]+/, '');
    const kind = ALONE.get(bare) ?? ALONE.get(bare.replace(NUMBER_AFTER, ''));
    if (kind) return kind;
  }
  return ANYWHERE.find(({ pattern }) => pattern.test(text))?.kind;
}

export interface NamedChapter {
  start: number;
  end: number;
  title?: string;
}

/** Returns the markers that chapters of an item name. Its duration decides what can be an intro and what credits. */
export function markersOfChapters(chapters: readonly NamedChapter[], duration: number | undefined): FoundMarker[] {
  return chapters.flatMap(({ start, end, title }): FoundMarker[] => {
    const kind = title === undefined ? undefined : kindOfChapter(title);
    if (kind === undefined || title === undefined) return [];
    const { most, from, to } = BOUNDS[kind];
    const isInPlace = duration === undefined || (start >= duration * from && start <= duration * to);
    return isInPlace && end - start <= most
      ? [{ kind, start, end, source: 'chapter', state: 'published', label: title }]
      : [];
  });
}
