/**
 * Words in the credits of subtitlers, by language, and the sites that subtitles are shared on. Matched in lower case,
 * from the start of a line. Every alternative is a plain word list: no repeat inside a repeat.
 */

/** Roles, in: English, French, Spanish, Portuguese, Italian, Romanian, German, Dutch, the Nordic and Baltic ones, Finnish, Estonian, Polish, Czech and Slovak, Hungarian, South Slavic, Turkish, Greek, Cyrillic, Hebrew, Arabic, Persian, Indonesian, Vietnamese, Thai, Chinese, Japanese, Korean. */
const WORDS: readonly string[] = [
  '(?:english |original |closed |movie |web-?dl |bluray |hi |sdh )?(?:subtitles?|subs|subtitled|subtitling|captions?|captioned|captioning)(?: (?:and sync|& sync|translated|translation|downloaded|provided|ripped|created|made|edited|corrected|adapted|synced|sponsored|performed|timed))?', 'closed[- ]captioned',
  '(?:re)?sync(?:ed|hroni[sz]ed|hroni[sz]ation|ing)?(?:(?: and |, | ?& ?|, and )(?:corrections?|corrected|edited|edits|fixed|translated))?', 'corrections?', 'corrected', 'transcripts?', 'transcribed', 'transcription', 'translat(?:ed|ion|or)(?: (?:and|&) (?:sync|timing|subtitles))?',
  'ripped', 'ripped and corrected', 'encoded', 'uploaded', 'timing', 'timed', 'proofread', 'downloaded', 'brought to you', 'fixed and synced', 'improved', 'edited and synced',
  'sous-titres?', 'sous-titrage', 'sous-titré', 'traduction', 'traduit', 'synchro(?:nisation|nisé)?', 'relecture', 'adaptation', 'un sous-titrage', 'transcript',
  'subt[ií]tulos?', 'subtitulado', 'subtitulación', 'traducci[oó]n', 'traducido', 'sincronizaci[oó]n', '(?:re)?sincronizado', 'correcci[oó]n', 'corregido', 'transcripci[oó]n', 'una traducción', 'descargado', 'revisado',
  'legendas?', 'legendado', 'legendagem', 'tradu[cç][aã]o', 'traduzido', 'sincronia', 'sincroniza[cç][aã]o', 'revis[aã]o', 'revisado', 'resync', 'uma legenda', 'adapta[cç][aã]o', 'equipe', 'equipa',
  'sottotitoli', 'sottotitolato', 'traduzione', 'tradotto', 'sincronizzazione', 'sincronizzati', 'revisione', 'synch', 'resynch', 'adattamento',
  'traducerea?(?: (?:și|si|şi) adaptarea)?', 'subtitrarea?', 'sincronizarea?', 'adaptarea?', 'tradus', 'sincronizat', 'corectat', 'corectura',
  'untertitel(?:ung)?', 'untertitelt', 'übersetzung', 'übersetzt', 'korrektur(?:en)?', 'korrigiert', 'transkript', 'anpassung', 'überarbeitet', 'synchronisiert',
  'ondertiteling', 'ondertiteld', 'ondertitels', 'vertaling', 'vertaald', 'bewerkt', 'bewerking', 'gesynct', 'gesynchroniseerd', 'gecontroleerd', 'controle',
  '(?:svenska )?undertexter', 'undertextning', 'översättning', 'översatt', 'översättare', 'synk(?:ning)?(?:ad)?', 'textning', 'textad', '(?:danske |norske )?(?:under)?tekster', 'tekstning', 'tekstet', 'teksting', 'oversættelse', 'oversat', 'oversættere?', 'oversettelse', 'oversatt', 'oversetter', 'þýðandi', 'íslenskur texti',
  'suomennos', 'tekstitys', 'tekstitykset', 'käännös', 'suomentanut', 'suomentaja', 'oikoluku', 'synkronointi', 'tõlge', 'tõlkinud', 'tõlkija', 'subtiitrid', 'vertė', 'išvertė', 'vertimas', 'subtitrai', 'titrai', 'tulkojums', 'tulkoja', 'tulkojis', 'subtitri',
  'napisy(?: pl)?', 't[lł]umaczenie', 't[lł]umaczy[lł]a?', 'przek[lł]ad', 'korekta', 'dopasowanie', 'tekst polski', 'wersja polska', 'opracowanie', 'synchro', 'poprawki',
  'titulky', 'p[rř]eklad', 'p[rř]elo[zž]ila?', '(?:p[rř]e)?[cč]asov[aá]n[ií]', 'p[rř]e[cč]asovala?', 'korekce', 'korektury', 'korektura', 'prelo[zž]ila?', '[cč]asovanie', 'pre[cč]asovanie', 'úprava', 'z odposlechu přeložila?',
  'felirat(?:ok)?', 'fordítás', 'fordította', 'fordító', 'időzítés', 'időzítette', 'javította', 'készítette', 'szinkron', 'magyar szöveg', 'lektorálta',
  'prijevod(?: i obrada)?', 'preve[lo][ao]?', 'prevod(?: i obrada)?', 'titlovi?', 'obrada', 'obradi(?:o|la)', 'sinkronizacija', 'sinhronizacija', 'podnapisi', 'priredila?', 'prevede[l]a?', 'prilagodi(?:o|la)', 'превод и адаптация', 'превод', 'превео', 'превела', 'титлови?', 'обрада',
  'altyaz[ıi]', '[çc]eviri', '[çc]eviren(?:ler)?', '[çc]evirmen(?:ler)?', 'senkron', 'düzenleme', 'düzenleyen', 'υπότιτλοι', 'υποτιτλισμός', 'απόδοση(?: διαλόγων)?', 'μετάφραση', 'συγχρονισμός', 'επιμέλεια',
  '(?:редактор |автор(?:ы)? )?субтитр(?:ы|ов|и)', 'перевод(?: и субтитры)?', 'переводчик', 'переклад', 'пере(?:клав|клала|в[её]л|вела)', 'синхронизац(?:ия|ія)', 'тайминг', '(?:ответственный )?корректор', 'коректор', 'преведе', 'преводач', 'субтитри',
  'תרגום(?: וסנכרון)?', 'תורגם(?: וסונכרן)?', 'סנכרון', 'סונכרן', 'כתוביות', 'הובא', 'ترجمة', 'ترجمه', 'تمت الترجمة', 'تعديل التوقيت', 'ضبط التوقيت', 'مزامنة', 'توقيت', 'زیرنویس', 'زيرنويس', 'مترجم(?:ان|ین|ين)?', 'هماهنگ ?سازی', 'هماهنگ سازي', 'تنظیم',
  'diterjemahkan', 'penerjemah', 'alih bahasa', 'terjemahan', 'subtitle', 'phụ đề', 'biên dịch', 'dịch', 'dịch bởi', 'คำบรรยาย', 'แปล', 'บรรยายไทย', '字幕(?:翻[译譯]|制作|製作|[组組]|校[对對])?', '翻[译譯](?:校[对對])?', '校[对對]', '[时時][间間][轴軸]', '后期', '後期', '压制', '壓制', '日本語字幕', '字幕翻訳', '翻訳', '자막(?: ?제작| ?번역| ?수정)?', '번역', '싱크(?: ?수정)?', '제작',
];
export const CREDIT_ROLES = new RegExp(`^(?:${WORDS.join('|')})(?=[\\s:：.-]|$)`, 'u');

/** Words between a role and a name. */
export const CONNECTORS =
  /^(?:\s?[:：]\s?|\s(?:by|from|to you by|par|de|por|em|di|da|a cura di|von|durch|vom|door|van|av|af|przez|przez:|pro|od|od:|από|από τον|от|з|від|על ידי|ע"י|בידי|על-ידי|בואה|بواسطة|من|از|توسط|oleh|bởi|โดย|um|koos|autor|készítette)(?:\s?[:：])?(?:\s|$)|\s?-\s)/u;

/** Sites where subtitles and films are shared. No dialogue mentions them. */
export const SITES: readonly string[] = [
  'opensubtitles', 'open-subtitles', 'addic7ed', 'subscene.', 'podnapisi.', 'yify-', 'yts.', 'napiprojekt', 'napisy24', 'napisy.info', 'titlovi.com', 'subtitulos.es', 'tusubtitulo', 'subdivx', 'argenteam', 'legendas.tv', 'legendastv', 'insubs', 'titulky.com', 'edna.cz', 'feliratok.', 'hosszupuska', 'subs.ro', 'titrari.ro', 'prijevodi-online', 'divxtitles',
  'subdl.', 'subsource.', 'subtitlecat', 'zimuzu', 'zimuku', 'assrt.net', 'yyets', 'shooter.cn', 'subhd.', 'subom.', 'u-sub.net', 'seriessub', 'italiansubs', 'subsfactory', 'isubtitles', 'elsubtitle', 'tvsubtitles', 'moviesubtitles', 'subtitleseeker', 'subtitles.at', 'planetdp', 'turkcealtyazi', 'divxplanet', 'altyazi.org', 'sous-titres.eu', 'betaseries', 'forom.com', 'undertexter.se', 'swesub', 'norsub', 'nordicbits', 'dansubs', 'subcentral.', 'tv4user', 'bierdopje', 'nlondertitels', 'simply releases', 'divxfinland', 'finsubs', 'subtitrari.', 'regielive', 'subunacs', 'subsland', 'subs.sab', 'addicted.', 'allsubs', 'subsmax', 'mysubs.', 'sub-talk', 'wizdom.xyz', 'torec.net', 'ktuvit', 'sratim', 'subscenter', 'notabenoid', 'podnapisi', 'greeksubs', 'subtitles.gr', 'subs4free', 'subs4series', 'xsubs.tv', 'small-industry', 'film2movie', '30nama', 'subf2m', 'imovie-dl', 'tinymoviez', 'pahe.', 'kitsunekko', 'vietsub', 'phudeviet', 'subvn', 'idfl.', 'subindo', 'lebahku', 'ncicap.org', 'vitac.com', 'opensubs',
];
