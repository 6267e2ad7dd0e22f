/**
 * Offers of the stand-in providers, and how their files are read.
 *
 * A fixtures file is one JSON object `{ "items": [...] }`; each item is a film or an episode with the subtitles that
 * exist for it. Lines are given, or made: natural sentences of the language, spread over the duration, the same ones
 * every time.
 */
import { z } from 'zod';

const Line = z.strictObject({
  /** Seconds. */
  start: z.number().min(0),
  end: z.number().min(0),
  text: z.string(),
});

const Subtitle = z.strictObject({
  /** A lowercase BCP 47 tag. */
  language: z.string(),
  releases: z.array(z.string()).default([]),
  hearingImpaired: z.boolean().default(false),
  forced: z.boolean().default(false),
  machineTranslated: z.boolean().default(false),
  trusted: z.boolean().default(false),
  uploader: z.string().default('a friend'),
  fps: z.number().default(0),
  /** The provider knows the hash of the item's file for this subtitle. */
  hash: z.boolean().default(false),
  /** Left out: made from the language and the duration. */
  lines: z.array(Line).optional(),
  encoding: z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'latin1']).default('utf-8'),
  format: z.enum(['srt', 'vtt']).default('srt'),
  /** `zip`: an archive with it alone; `pack`: one with every episode of the season; `file`: as it is. */
  packaging: z.enum(['zip', 'pack', 'file']).default('zip'),
  /** Which providers have it. */
  providers: z
    .array(z.enum(['subtitles_a', 'subtitles_b', 'subtitles_c']))
    .default(['subtitles_a', 'subtitles_b', 'subtitles_c']),
});

const Item = z.strictObject({
  kind: z.enum(['movie', 'episode']),
  /** The film's title; the show's for an episode. */
  title: z.string(),
  year: z.int().optional(),
  /** `tt0133093`; for an episode its own. */
  imdb: z.string().optional(),
  tmdb: z.int().optional(),
  showImdb: z.string().optional(),
  showTmdb: z.int().optional(),
  season: z.int().optional(),
  episode: z.int().optional(),
  episodeTitle: z.string().optional(),
  /** OSHash of the video, 16 hex. */
  hash: z.string().optional(),
  /** Seconds. */
  duration: z.number().positive(),
  subtitles: z.array(Subtitle),
});

export const Fixtures = z.strictObject({ items: z.array(Item) });
/** As it is written in a file, defaults left out. */
export type Fixtures = z.input<typeof Fixtures>;
export type FixtureItem = z.output<typeof Item>;
export type FixtureSubtitle = z.output<typeof Subtitle>;

/** One subtitle with its item and a number that never changes while the fixtures do not. */
export interface Offer {
  number: number;
  item: FixtureItem;
  subtitle: FixtureSubtitle;
  fileName: string;
}

export function offersOf(fixtures: Fixtures): Offer[] {
  let number = 0;
  return Fixtures.parse(fixtures).items.flatMap((item) =>
    item.subtitles.map((subtitle) => ({ number: ++number, item, subtitle, fileName: fileNameOf(item, subtitle) })),
  );
}

/** The folded title that searches compare, and what tells films of one title apart. */
export const foldTitle = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
export const filmKey = (item: FixtureItem): string =>
  item.kind === 'movie' ? `${foldTitle(item.title)} ${item.year ?? ''}` : `show ${foldTitle(item.title)}`;

function fileNameOf(item: FixtureItem, subtitle: FixtureSubtitle): string {
  const place =
    item.kind === 'episode' ? `S${pad(item.season ?? 0)}E${pad(item.episode ?? 0)}` : String(item.year ?? '');
  return `${subtitle.releases[0] ?? [...foldTitle(item.title).split(' '), place].join('.')}.${subtitle.format}`;
}

const pad = (number: number, width = 2): string => String(number).padStart(width, '0');

export function subtitleBytes({ item, subtitle }: Pick<Offer, 'item' | 'subtitle'>): Buffer {
  const lines = srt(subtitle.lines ?? madeLines(subtitle, item.duration));
  const text = subtitle.format === 'srt' ? lines : `WEBVTT\r\n\r\n${lines.replaceAll(/(\d\d),(\d{3})/g, '$1.$2')}`;
  if (subtitle.encoding === 'utf-16le') return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  if (subtitle.encoding === 'latin1') return Buffer.from(text, 'latin1');
  return Buffer.from(subtitle.encoding === 'utf-8-bom' ? `\ufeff${text}` : text);
}

export const srt = (lines: readonly z.output<typeof Line>[]): string =>
  lines
    .map(
      ({ start, end, text }, n) =>
        `${n + 1}\r\n${stamp(start)} --> ${stamp(end)}\r\n${text.replaceAll('\n', '\r\n')}\r\n`,
    )
    .join('\r\n');

function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  return (
    `${pad(Math.floor(ms / 3_600_000))}:${pad(Math.floor(ms / 60_000) % 60)}:${pad(Math.floor(ms / 1000) % 60)},` +
    `${pad(ms % 1000, 3)}`
  );
}

/** A line about every four seconds, none after the end; two lines at least where the video has room for them. */
export function madeLines(
  subtitle: Pick<FixtureSubtitle, 'language' | 'hearingImpaired' | 'forced'>,
  duration: number,
): z.output<typeof Line>[] {
  const sentences = SENTENCES[subtitle.language.split('-')[0] ?? ''] ?? SENTENCES['en'] ?? [];
  const lines: z.output<typeof Line>[] = [];
  const step = subtitle.forced ? 60 : 4;
  for (let at = 1, n = 0; at + 2 < duration; at += step + (n % 3) / 2, n++) {
    const sentence = sentences[(n * 5 + 3) % sentences.length] ?? '';
    lines.push({
      start: at,
      end: at + 1.6 + (n % 4) / 10,
      text: subtitle.hearingImpaired && n % 2 === 0 ? `[${SOUNDS[n % SOUNDS.length] ?? ''}]\n${sentence}` : sentence,
    });
  }
  return lines;
}

const SOUNDS = ['door creaks', 'thunder rumbling', 'footsteps approaching', 'phone rings', 'laughter'];

const SENTENCES: Record<string, readonly string[]> = {
  en: [
    'Where have you been all this time?',
    'I was waiting for you at the station.',
    'You should not have come here tonight.',
    'There is something that I have to tell you.',
    'We never talked about what happened.',
    'Give me the keys, I will drive.',
    'Nobody knows that we are here.',
    'Do you remember the house by the lake?',
    'It was the best summer of my life.',
    'Then why did you leave without a word?',
    'Because I thought that it was over.',
  ],
  fr: [
    'Où étais-tu pendant tout ce temps ?',
    "Je t'attendais à la gare.",
    "Tu n'aurais pas dû venir ici ce soir.",
    'Il y a quelque chose que je dois te dire.',
    "Nous n'avons jamais parlé de ce qui s'est passé.",
    'Donne-moi les clés, je vais conduire.',
    'Personne ne sait que nous sommes ici.',
    'Tu te souviens de la maison au bord du lac ?',
    "C'était le plus bel été de ma vie.",
    'Alors pourquoi es-tu partie sans un mot ?',
    'Parce que je croyais que tout était fini.',
  ],
  de: [
    'Wo bist du die ganze Zeit gewesen?',
    'Ich habe am Bahnhof auf dich gewartet.',
    'Du hättest heute Abend nicht herkommen sollen.',
    'Es gibt etwas, das ich dir sagen muss.',
    'Wir haben nie darüber gesprochen, was geschehen ist.',
    'Gib mir die Schlüssel, ich fahre.',
    'Niemand weiß, dass wir hier sind.',
    'Erinnerst du dich an das Haus am See?',
    'Das war der schönste Sommer meines Lebens.',
    'Warum bist du dann ohne ein Wort gegangen?',
    'Weil ich dachte, dass es vorbei ist.',
  ],
  es: [
    '¿Dónde has estado todo este tiempo?',
    'Te estaba esperando en la estación.',
    'No deberías haber venido aquí esta noche.',
    'Hay algo que tengo que decirte.',
    'Nunca hablamos de lo que pasó.',
    'Dame las llaves, conduzco yo.',
    'Nadie sabe que estamos aquí.',
    '¿Te acuerdas de la casa junto al lago?',
    'Fue el mejor verano de mi vida.',
    '¿Entonces por qué te fuiste sin decir nada?',
    'Porque pensé que todo había terminado.',
  ],
  pt: [
    'Onde você esteve esse tempo todo?',
    'Eu estava te esperando na estação.',
    'Você não devia ter vindo aqui hoje à noite.',
    'Tem uma coisa que eu preciso te dizer.',
    'Nunca falamos sobre o que aconteceu.',
    'Me dê as chaves, eu dirijo.',
    'Ninguém sabe que estamos aqui.',
    'Você se lembra da casa perto do lago?',
    'Foi o melhor verão da minha vida.',
    'Então por que foi embora sem dizer nada?',
    'Porque achei que tudo tinha acabado.',
  ],
  it: [
    'Dove sei stato per tutto questo tempo?',
    'Ti stavo aspettando alla stazione.',
    'Non saresti dovuto venire qui stasera.',
    "C'è qualcosa che devo dirti.",
    'Non abbiamo mai parlato di quello che è successo.',
    'Dammi le chiavi, guido io.',
    'Nessuno sa che siamo qui.',
    'Ti ricordi della casa vicino al lago?',
    "È stata l'estate più bella della mia vita.",
    'Allora perché te ne sei andata senza una parola?',
    'Perché pensavo che fosse finita.',
  ],
  nl: [
    'Waar ben je al die tijd geweest?',
    'Ik stond op het station op je te wachten.',
    'Je had hier vanavond niet moeten komen.',
    'Er is iets dat ik je moet vertellen.',
    'We hebben nooit gepraat over wat er gebeurd is.',
    'Geef me de sleutels, ik rijd wel.',
    'Niemand weet dat we hier zijn.',
    'Weet je nog van het huis aan het meer?',
    'Het was de mooiste zomer van mijn leven.',
    'Waarom ging je dan weg zonder iets te zeggen?',
    'Omdat ik dacht dat het voorbij was.',
  ],
  sv: [
    'Var har du varit hela den här tiden?',
    'Jag väntade på dig vid stationen.',
    'Du borde inte ha kommit hit i kväll.',
    'Det är något som jag måste berätta för dig.',
    'Vi pratade aldrig om det som hände.',
    'Ge mig nycklarna så kör jag.',
    'Ingen vet att vi är här.',
    'Minns du huset vid sjön?',
    'Det var den bästa sommaren i mitt liv.',
    'Varför gick du då utan ett ord?',
    'För att jag trodde att det var över.',
  ],
  pl: [
    'Gdzie byłeś przez cały ten czas?',
    'Czekałam na ciebie na dworcu.',
    'Nie powinieneś był tu dzisiaj przychodzić.',
    'Jest coś, co muszę ci powiedzieć.',
    'Nigdy nie rozmawialiśmy o tym, co się stało.',
    'Daj mi kluczyki, ja poprowadzę.',
    'Nikt nie wie, że tu jesteśmy.',
    'Pamiętasz dom nad jeziorem?',
    'To było najlepsze lato w moim życiu.',
    'To dlaczego odeszłaś bez słowa?',
    'Bo myślałam, że to już koniec.',
  ],
  ru: [
    'Где ты был всё это время?',
    'Я ждала тебя на вокзале.',
    'Тебе не стоило приходить сюда сегодня.',
    'Я должен тебе кое-что сказать.',
    'Мы никогда не говорили о том, что случилось.',
    'Дай мне ключи, я поведу.',
    'Никто не знает, что мы здесь.',
    'Ты помнишь дом у озера?',
    'Это было лучшее лето в моей жизни.',
    'Тогда почему ты ушла, не сказав ни слова?',
    'Потому что я думала, что всё кончено.',
  ],
};
