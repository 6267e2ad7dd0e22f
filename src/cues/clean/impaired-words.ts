/**
 * Words that distinguish sounds from speech, by language: actions and sounds in brackets, words that occur only in
 * speech, speakers without a name, and labels that are no speakers.
 */

/** Matches a word of any script as a whole; `(?:…)` of plain alternatives, so that matching stays linear. */
const anyOf = (words: readonly string[], endings = ''): RegExp => new RegExp(`(?<![\\p{L}\\p{M}'’])(?:${words.join('|')})${endings}(?![\\p{L}\\p{M}])`, 'iu');

/** Actions of people other than speaking, and manners of speaking. */
const ENGLISH_ACTIONS: readonly string[] = [
  'laugh', 'chuckl', 'giggl', 'snicker', 'sigh', 'gasp', 'groan', 'moan', 'grunt', 'scream', 'shout', 'yell', 'cry', 'cri', 'sob', 'sobb', 'weep', 'whimper', 'whisper', 'mutter', 'mumbl', 'murmur', 'cough', 'sneez', 'sniff', 'sniffl', 'snor', 'snort', 'pant', 'exhal', 'inhal',
  'gulp', 'swallow', 'burp', 'belch', 'hiccup', 'cheer', 'applaud', 'clap', 'clapp', 'whistl', 'humm', 'hum', 'sing', 'chant', 'boo', 'growl', 'bark', 'howl', 'meow', 'neigh', 'roar', 'snarl', 'shriek', 'squeal', 'stammer', 'stutter', 'yawn', 'wail', 'scoff', 'hush', 'shush', 'vocaliz', 'chatter', 'breath', 'wheez', 'retch', 'chok', 'strain', 'scoff', 'tsk',
];
const ACTION_WORDS: readonly string[] = [
  ...ENGLISH_ACTIONS.map((stem) => `${stem}(?:es|s|ed|ing)`), 'laughter', 'laugh', 'sigh', 'sob', 'cough', 'gasp', 'scream', 'clear(?:s|ing) (?:his |her |their )?throat', '(?:speak|talk)(?:s|ing)(?: in)? \\p{L}{2,20}', 'in (?:english|spanish|french|german|italian|portuguese|russian|arabic|hebrew|hindi|japanese|chinese|mandarin|cantonese|korean|vietnamese|thai|turkish|greek|polish|dutch|swedish|danish|norwegian|finnish|ukrainian|romanian|latin|gaelic|irish|welsh|yiddish|urdu|farsi|persian|swahili|foreign language|native language)', 'imitat(?:es|ing) \\p{L}{2,20}', 'mouth(?:s|ing)', 'under (?:his|her) breath',
  'softly', 'quietly', 'loudly', 'sarcastically', 'muffled', 'indistinct(?:ly)?', 'inaudible', 'unintelligible', 'distorted', 'off-?screen', 'v\\.?o', 'on (?:tv|phone|radio|pa|recording|video|speaker|intercom)', 'over (?:phone|radio|pa|speakers?|intercom|headset|comms?)', 'narrating', 'continues', 'echoing', 'slurred',
  'rit', 'rient', 'rires?', 'ricanements?', 'ricane', 'soupirs?', 'soupire', 'chuchote', 'chuchotements?', 'murmures?', 'crie', 'cris?', 'hurle', 'hurlements?', 'pleure', 'pleurs', 'sanglots?', 'sanglote', 'tousse', 'gémit', 'gémissements?', 'halète', 'chante', 'siffle', 'renifle', 'en (?:anglais|français|espagnol|allemand|italien|arabe|russe|japonais|chinois)',
  'r[ií]en?', 'risas?', 'risitas?', 'suspir[ao]s?', 'susurr[ao]s?', 'grit[ao]s?', 'llor[ao]s?', 'llanto', 'solloz[ao]s?', 'tose', 'gim[eo]s?', 'gemidos?', 'jade[ao]s?', 'canta', 'silba', 'en (?:inglés|español|francés|alemán|italiano|árabe|ruso|japonés|chino)', 'susurrando', 'riendo', 'gritando', 'llorando', 'suspirando', 'tosiendo', 'cantando',
  'lacht', 'lachen', 'gelächter', 'kichert', 'seufzt', 'seufzen', 'flüstert', 'flüsternd', 'schreit', 'schreie', 'weint', 'schluchzt', 'hustet', 'stöhnt', 'keucht', 'singt', 'pfeift', 'räuspert sich', 'murmelt', 'brüllt', 'leise', 'auf (?:englisch|deutsch|französisch|spanisch|italienisch|arabisch|russisch)',
  'ride', 'ridono', 'risat[ae]', 'sospir[ao]', 'sussurra', 'grida', 'urla', 'piange', 'singhiozza', 'tossisce', 'geme', 'ansima', 'fischia', 'in (?:inglese|italiano|francese|spagnolo|tedesco|arabo|russo)',
  'ri', 'risos', 'risadas?', 'sussurra', 'chora', 'soluça', 'tosse', 'ofega', 'em (?:inglês|português|francês|espanhol|alemão|italiano)', 'gelach', 'zucht', 'fluistert', 'schreeuwt', 'huilt', 'snikt', 'hoest', 'kreunt', 'hijgt', 'zingt', 'fluit', 'in het (?:engels|nederlands|frans|duits|spaans)',
  'skrattar', 'skratt', 'suckar', 'viskar', 'skriker', 'gråter', 'hostar', 'stönar', 'sjunger', 'griner', 'latter', 'sukker', 'hvisker', 'råber', 'græder', 'hoster', 'synger', 'ler', 'roper', 'gråter', 'nauraa', 'naurua', 'huokaa', 'kuiskaa', 'huutaa', 'itkee', 'yskii', 'laulaa',
  'śmiech', 'śmieje się', 'śmieją się', 'wzdycha', 'szepcze', 'szeptem', 'krzyczy', 'krzyk', 'płacze', 'kaszle', 'jęczy', 'śpiewa', 'smích', 'směje se', 'vzdychá', 'vzdechne', 'šeptá', 'šeptem', 'křičí', 'pláče', 'kašle', 'zpívá', 'smiech', 'smeje sa', 'šepká', 'kričí', 'plače', 'nevet', 'nevetés', 'sóhajt', 'suttog', 'suttogva', 'kiabál', 'kiált', 'sír', 'köhög', 'énekel',
  'râde', 'râsete', 'oftează', 'șoptește', 'şopteşte', 'strigă', 'plânge', 'tușește', 'cântă', 'smije se', 'smijeh', 'uzdiše', 'šapće', 'viče', 'plače', 'smeh', 'kašlje', 'güler', 'gülüyor', 'gülüşmeler', 'kahkaha', 'iç çeker', 'fısıldar', 'fısıldıyor', 'bağırır', 'bağırıyor', 'ağlar', 'ağlıyor', 'öksürür', 'şarkı söyler',
  'смех', 'смеётся', 'смеется', 'смеются', 'хихикает', 'вздыхает', 'вздох', 'шепчет', 'шёпотом', 'шепотом', 'кричит', 'крик(?:и)?', 'плачет', 'рыдает', 'кашляет', 'стонет', 'поёт', 'поет', 'свистит', 'по-(?:английски|русски|французски|испански|немецки)', 'сміх', 'сміється', 'зітхає', 'шепоче', 'пошепки', 'кричить', 'плаче', 'кашляє', 'въздиша', 'шепне', 'вика', 'смее се',
  'γέλια', 'γελάει', 'γελάνε', 'αναστενάζει', 'ψιθυρίζει', 'φωνάζει', 'κλαίει', 'βήχει', 'τραγουδάει', 'צוחק(?:ת|ים|ות)?', 'צחוק', 'נאנח(?:ת)?', 'לוחש(?:ת)?', 'צועק(?:ת)?', 'בוכה', 'משתעל(?:ת)?', 'שר(?:ה)?', 'ضحك(?:ات)?', 'يضحك', 'تضحك', 'يتنهد', 'تتنهد', 'تنهد', 'يهمس', 'تهمس', 'همس', 'يصرخ', 'تصرخ', 'صراخ', 'يبكي', 'تبكي', 'بكاء', 'سعال',
];
/** Things that make sounds, and their verbs. */
const SOUND_WORDS: readonly string[] = [
  ...['slam', 'slamm', 'bang', 'thud', 'crash', 'shatter', 'clank', 'clang', 'clatter', 'clink', 'click', 'beep', 'buzz', 'ring', 'chim', 'toll', 'knock', 'honk', 'screech', 'explod', 'thunder', 'rumbl', 'rattl', 'rustl', 'creak', 'squeak', 'splash', 'gurgl', 'sizzl', 'hiss', 'whoosh', 'whirr', 'whir', 'tick', 'crackl', 'chirp', 'squawk', 'patter', 'hoot', 'blar', 'play', 'approach', 'open', 'clos', 'vibrat', 'drip', 'flush', 'rev', 'revv', 'idl', 'thump', 'clunk', 'swoosh', 'jingl', 'blow', 'trill', 'peal', 'squelch', 'crunch', 'fad', 'swell', 'stop', 'start', 'end'].map((stem) => `${stem}(?:e|es|s|ed|ing)?`),
  'music', 'song', 'theme', 'melody', 'applause', 'laughter', 'gunshots?', 'gunfire', 'explosions?', 'sirens?', 'alarm', 'horn', 'engine', 'footsteps', 'static', 'silence', 'pause', 'chatter', 'crowd', 'audience', 'phone', 'cellphone', 'telephone', 'door', 'doorbell', 'bell', 'bells', 'wind', 'rain', 'thunder', 'dog', 'birds?', 'crickets', 'noise', 'sounds?', 'speech', 'conversation', 'voice', 'beat', 'tune', 'dial tone',
  'musique', 'sonneries?', 'bruits?', 'applaudissements', 'aboiements?', 'claquements?', 'coups? de feu', 'tonnerre', 'téléphone', 'sirènes?', 'klaxon', 'grincements?', 'música', 'suena', 'timbre', 'ruidos?', 'aplausos', 'ladridos?', 'golpes?', 'disparos?', 'explosión', 'truenos?', 'murmullos?', 'sirenas?', 'teléfono', 'puerta',
  'musik', 'klingeln', 'klingelt', 'geräusche?', 'applaus', 'beifall', 'bellen', 'bellt', 'knall', 'schüsse', 'schuss', 'donner', 'donnert', 'jubel', 'telefon', 'sirenen?', 'tür', 'musica', 'squill[ai]', 'rumor[ei]', 'applausi', 'abbaia', 'spar[oi]', 'esplosione', 'tuon[oi]', 'toca', 'ruído', 'tiros?', 'explosão', 'trovão', 'muziek', 'geluid', 'schoten', 'deur', 'blaft',
  'applåder', 'dörr', 'bifald', 'klapsalver', 'dør', 'musikk', 'musiikki[a]?', 'aplodit', 'aplodeja', 'muzyka', 'oklaski', 'dzwoni', 'dzwonek', 'pukanie', 'strzał[y]?', 'hudba', 'potlesk', 'zvoní', 'klepání', 'výstřel[y]?', 'zene', 'taps', 'csörög', 'kopogás', 'lövés', 'muzică', 'aplauze', 'sună', 'glazba', 'muzika', 'pljesak', 'zvoni', 'müzik', 'alkış(?:lar)?', 'zil', 'kapı',
  'музыка', 'аплодисменты', 'звонок', 'звонит', 'стук', 'выстрел(?:ы)?', 'взрыв', 'сирена', 'шум', 'музика', 'оплески', 'дзвінок', 'постріл', 'аплодисменти', 'μουσική', 'χειροκροτήματα', 'κουδούνι', 'πυροβολισμ(?:ός|οί)', 'מוזיקה', 'מחיאות כפיים', 'צלצול', 'דפיקות', 'موسيقى', 'موسیقی', 'تصفيق', 'رنين', 'طرق',
];
const ACTIONS = anyOf(ACTION_WORDS);
const SOUNDS = anyOf([...ACTION_WORDS, ...SOUND_WORDS]);
/** Chinese, Japanese and Korean write no spaces: descriptions of sounds end in these. */
const EASTERN_SOUND = /(?:[音声聲笑曲歌泣]|息|拍手|歓声|音楽|音乐|音樂|笑い|悲鳴|ため息|叹气|嘆氣|哭|鼓掌|音|소리|음악|웃음|한숨|박수|비명|노래|숨)$/u;

/** Whether text in brackets names an action of a person. */
export const isAction = (text: string): boolean => ACTIONS.test(text) || EASTERN_SOUND.test(text.trim());
/** Whether text in brackets names a sound. */
export const isSoundWord = (text: string): boolean => SOUNDS.test(text) || EASTERN_SOUND.test(text.trim());

/** First and second persons, which no description of a sound contains. */
const PERSONS = anyOf([
  'i', 'you', 'we', 'my', 'your', 'our', 'us', 'me', 'mine', 'yours', 'myself', 'yourself', 'je', 'tu', 'nous', 'vous', 'moi', 'toi', 'mon', 'ton', 'votre', 'notre', 'ma', 'mes', 'tes', "j['’]\\p{L}+", 'yo', 'tú', 'nosotros', 'usted(?:es)?', 'mi', 'ich', 'du', 'wir', 'ihr', 'mich', 'dich', 'mir', 'dir', 'mein(?:e|en)?', 'dein(?:e|en)?', 'uns',
  'io', 'noi', 'voi', 'mio', 'mia', 'tuo', 'tua', 'eu', 'você', 'nós', 'meu', 'minha', 'seu', 'ik', 'jij', 'wij', 'jullie', 'mijn', 'jouw', 'jag', 'mig', 'dig', 'vi', 'jeg', 'meg', 'deg', 'minä', 'sinä', 'ja', 'ty', 'my', 'wy', 'mnie', 'ciebie', 'já', 'vy', 'mě', 'én', 'te', 'ben', 'sen', 'biz', 'siz', 'я', 'ты', 'мы', 'вы', 'меня', 'тебя', 'мне', 'тебе', 'нас', 'вас', 'мой', 'моя', 'твой', 'ти', 'ми', 'ви', 'мене', 'аз',
  'εγώ', 'εσύ', 'εμείς', 'μου', 'σου', 'אני', 'אתה', 'אנחנו', 'שלי', 'أنا', 'أنت', 'نحن',
]);
const EASTERN_PERSONS = /[我你您咱俺僕私君]|あなた|お前|나는|내가|우리|너는|저는/u;
/** Words that occur in clauses and not in descriptions. */
const CLAUSE = anyOf([
  'is', 'are', 'was', 'were', 'am', 'be', 'been', 'has', 'had', 'have', 'will', 'would', 'can', 'could', 'should', 'must', 'do', 'does', 'did', 'not', 'but', 'that', 'this', 'what', 'who', 'why', 'how', 'if', 'because', 'so', 'or', 'please', 'said', 'says', 'yes', 'maybe', 'never', 'god', 'let', 'than', 'too', 'just',
  'est', 'était', "c['’]est", 'pas', 'ne', 'que', 'oui', 'non', 'mais', 'es', 'está', 'fue', 'era', 'pero', 'sí', 'ist', 'war', 'nicht', 'hat', 'dass', 'aber', 'nein', 'è', 'che', 'ma', 'é', 'não', 'foi', 'mas', 'niet', 'maar', 'nee', 'är', 'inte', 'men', 'er', 'ikke', 'ei', 'mutta', 'jest', 'nie', 'ale', 'tak', 'je', 'není', 'nem', 'hogy', 'nu', 'dar', 'değil', 'ama', 'не', 'это', 'что', 'но', 'был', 'была', 'це', 'що', 'δεν', 'είναι', 'αλλά', 'לא', 'זה', 'لا', 'هذا',
]);
/** First words of commands. */
const COMMAND = /^(?:stop|keep|start|open|close|go|come|get|give|take|look|listen|wait|hold|stay|shut|turn|put|tell|ask|try|help|leave|run|sorry|thanks?|let)(?![\p{L}\p{M}])/iu;
/** Exclamations of one or two words. */
const INTERJECTION = /^(?:oh|ah|aw|ow|wow|whoa|yeah|yep|yes|nope|no|okay|ok|sounds (?:good|great|fine|familiar|right)|hey|hello|hi|hmm?|mm|mm-hmm|mhm|uh|uh-huh|uh-oh|um|huh|ha|well|please|damn|shit|fuck|god|jesus|right|what|why|bye|goodbye|thanks|sure|good|great|fine|nein|non|oui|sí|si|ja|nej|nee|да|нет|ні|так)(?![\p{L}\p{M}])/iu;
const THIRD = /^(?:he|she|it|they|there|il|elle|ils|él|ella|er|sie|es|lui|lei|ele|ela|hij|zij|han|hon|hun|он|она|они)\s/iu;

/** Returns whether text in brackets is speech. `isRound`: round brackets, in which asides are written. */
export function isSpoken(text: string, isRound: boolean): boolean {
  const trimmed = text.trim();
  if (trimmed.includes('?') || trimmed.includes('？') || /^["“”«»„‘'「『]/u.test(trimmed)) return true;
  const isCapital = !/\p{Ll}/u.test(trimmed);
  const isSound = isSoundWord(trimmed);
  if (/[!！]/.test(trimmed) && !(isCapital && isSound)) return true;
  if (/\p{L}['’](?:m|re|ll|ve|d|t)(?!\p{L})|^(?:it|that|there|here|what|who|where|how)['’]s(?!\p{L})/iu.test(trimmed)) return true;
  if (PERSONS.test(trimmed) || EASTERN_PERSONS.test(trimmed)) return true;
  if (/\b(?:later|earlier|ago)\b|\d{4}/i.test(trimmed)) return true;
  const words = trimmed.split(/\s+/).length;
  if ((words > 1 && COMMAND.test(trimmed)) || (INTERJECTION.test(trimmed) && (!isSound || /^sounds /i.test(trimmed)))) return true;
  if (isRound && words >= 3 && /^\p{Lu}.*[.…]$/u.test(trimmed) && !isCapital) return true;
  const isSentence = /^\p{Lu}.*[.…]$|。$/u.test(trimmed) && !isCapital;
  // The subject of a sound is no evidence of speech: `Er` is a pronoun in German and a verb in Danish.
  if (CLAUSE.test(isSound ? trimmed.replace(THIRD, '') : trimmed) && (isRound || !isSound || isSentence)) return true;
  if (isSound) return false;
  return THIRD.test(trimmed) || isSentence || (words >= 3 && /[.…]$/.test(trimmed) && !isCapital) || words > 8;
}

/** Speakers without a name. */
const ROLE = new RegExp(
  `^(?:(?:the |an? |young |old |elderly |male |female |first |second |little |teenage |drunk |other )*(?:${[
    'man', 'woman', 'men', 'women', 'boy', 'girl', 'boys', 'girls', 'child', 'children', 'kids?', 'narrator', 'announcer', 'reporter', 'newscaster', 'news ?anchor', 'anchor(?:man|woman)?', 'voice', 'voices', 'male voice', 'female voice', 'computer', 'computer voice', 'radio', 'operator', 'dispatcher', 'dispatch', 'guard', 'guards', 'soldiers?', 'officer', 'cop', 'policeman', 'police officer', 'detective', 'nurse', 'doctor', 'waiter', 'waitress', 'bartender', 'driver', 'pilot', 'captain', 'teacher', 'students?', 'judge', 'lawyer', 'priest', 'crowd', 'audience', 'all', 'both', 'everyone', 'together', 'others', 'chorus', 'singer', 'mother', 'father', 'mom', 'dad', 'grandma', 'grandpa', 'host', 'interviewer', 'interpreter', 'translator', 'clerk', 'secretary', 'receptionist', 'customer', 'patient', 'prisoner', 'recording', 'automated voice', 'speaker',
    'homme', 'femme', 'garçon', 'fille', 'enfants?', 'narrateur', 'narratrice', 'voix', 'tous', 'foule', 'hombre', 'mujer', 'niñ[oa]s?', 'narradora?', 'locutora?', 'voz', 'todos', 'mann', 'frau', 'junge', 'mädchen', 'kind', 'erzähler(?:in)?', 'sprecher(?:in)?', 'stimme', 'alle', 'beide', 'uomo', 'donna', 'ragazz[oa]', 'bambin[oa]', 'narratore', 'tutti', 'homem', 'mulher', 'menin[oa]', 'vrouw', 'jongen', 'meisje', 'verteller', 'kvinna', 'pojke', 'flicka', 'berättare', 'kvinde', 'kvinne', 'mand', 'fortæller', 'forteller', 'mies', 'nainen', 'poika', 'tyttö', 'kertoja', 'mężczyzna', 'kobieta', 'chłopiec', 'dziewczyna', 'narrator(?:ka)?', 'lektor', 'muž', 'žena', 'chlapec', 'dívka', 'férfi', 'nő', 'fiú', 'lány', 'narrátor', 'bărbat', 'femeie', 'adam', 'kad[ıi]n', 'erkek', 'çocuk', 'anlat[ıi]c[ıi]', 'мужчина', 'женщина', 'мальчик', 'девочка', 'диктор', 'голос', 'все', 'чоловік', 'жінка', 'άντρας', 'γυναίκα', 'αφηγητής',
  ].join('|')})(?:['’]s voice)?(?: ?(?:#|no\\. ?)?\\d{1,2}| [a-d])?)$`,
  'iu',
);
export const isRole = (name: string): boolean => ROLE.test(name.replace(/\s*\([^()]{0,30}\)$/, '').trim());

const TITLES = /^(?:MR|MRS|MS|MISS|DR|PROF|PROFESSOR|SGT|SERGEANT|LT|LIEUTENANT|CAPT|CPT|CPL|PVT|COL|GEN|DET|INSP|SISTER|BROTHER|UNCLE|AUNT|AUNTIE|GRANDMA|GRANDPA|MADAME|MONSIEUR|MME|SEÑOR|SEÑORA|HERR|FRAU|SIGNOR|SIGNORA)\.? \p{Lu}/u;
const FIRST_NAMES: ReadonlySet<string> = new Set(
  (
    'ADAM ALAN ALBERT ALEX ALEXANDER ALICE AMANDA AMY ANDREA ANDREW ANDY ANGELA ANN ANNA ANNE ANTHONY ARTHUR ASHLEY BARBARA BEN BENJAMIN BETH BETTY BILL BILLY BOB BOBBY BRANDON BRENDA BRIAN CARL CARLOS CAROL CAROLINE CATHERINE CHARLES CHARLIE CHARLOTTE CHLOE CHRIS CHRISTIAN CHRISTINE CHRISTOPHER CLAIRE CLARA DAN DANIEL DANNY DAVE DAVID DEBBIE DENNIS DIANA DIANE DONALD DONNA DOROTHY DOUG EDDIE EDWARD ELENA ELIZABETH ELLEN EMILY EMMA ERIC ERIN ETHAN EVA EVELYN FRANCES FRANCIS FRED GARY GEORGE GERALD GLORIA GREG HANNAH HANS HARRY HEATHER HELEN HENRY HOWARD IAN ISABELLA JACOB JAMES JANE JANET JASON JEFF JEN JENNIFER JENNY JEREMY JERRY JESSICA JIM JIMMY JOAN JOE JOEY JOHN JOHNNY JONATHAN JOSE JOSEPH JOSH JOSHUA JUAN JUDITH JUDY JULIA JULIE JUSTIN KAREN KATE KATHERINE KATHY KATIE KELLY KEN KENNETH KEVIN KIM LARRY LAURA LAUREN LEO LESLIE LINDA LISA LIZ LOUIS LUCAS LUCY LUIS LUKE MAGGIE MARGARET MARIA MARIE MARTHA MARTIN MARY MATT MATTHEW MEGAN MELISSA MICHAEL MICHELLE MIKE NANCY NATALIE NATHAN NICHOLAS NICK NICOLE NOAH OLIVER OLIVIA PABLO PAMELA PATRICIA PATRICK PAUL PAULA PEDRO PETER PHILIP PIERRE RACHEL RALPH RAYMOND REBECCA RICHARD ROBERT ROGER RON RONALD ROSS ROY RUSSELL RYAN SALLY SAM SAMANTHA SAMUEL SANDRA SARA SARAH SCOTT SEAN SHARON SIMON SOPHIA SOPHIE STEPHANIE STEPHEN STEVE STEVEN SUE SUSAN TED TERESA THERESA THOMAS TIM TIMOTHY TINA TODD TOM TOMMY TONY TRACY TYLER VANESSA VICTORIA VINCENT WALTER WENDY WILLIAM ZOE'
  ).split(' '),
);
/** Whether a name in capitals can only be that of a person. */
export const isPersonal = (name: string): boolean => TITLES.test(name) || FIRST_NAMES.has(name);

/** Words in capitals before a colon that are speech, titles or signs. Compared by first word and as a whole. */
const NO_SPEAKER: ReadonlySet<string> = new Set([
  'WARNING', 'CAUTION', 'NOTE', 'NB', 'N.B.', 'PS', 'P.S.', 'PPS', 'P.P.S.', 'FYI', 'BREAKING', 'BREAKING NEWS', 'ATTENTION', 'DANGER', 'QUESTION', 'Q', 'A', 'ANSWER', 'FACT', 'FICTION', 'RULE', 'RULES', 'STEP', 'LESSON', 'NUMBER', 'NO', 'PART', 'CHAPTER', 'EPISODE', 'SEASON', 'ACT', 'SCENE', 'VERDICT', 'RESULT', 'RESULTS', 'STATUS', 'LOCATION', 'SUBJECT', 'RE', 'FROM', 'TO', 'CC', 'DATE', 'TIME', 'NAME', 'AGE', 'TITLE', 'TOTAL', 'SCORE', 'PRICE', 'ERROR', 'UPDATE', 'ALERT', 'MISSION', 'OBJECTIVE', 'TARGET', 'CODE', 'PASSWORD', 'CALL', 'TEL', 'PHONE', 'URGENT', 'IMPORTANT', 'REMEMBER', 'POINT', 'PLAN', 'TIP', 'LATER', 'THEN', 'NOW', 'FIRST', 'SECOND', 'THIRD', 'LAST', 'FINALLY', 'OPTION', 'CHOICE', 'REASON', 'PROBLEM', 'SOLUTION', 'CAUSE', 'CAUSE OF DEATH', 'MOTIVE', 'WEAPON', 'SUSPECT', 'VICTIM', 'ADDRESS', 'REWARD', 'WANTED', 'MISSING', 'EVIDENCE', 'EXHIBIT', 'CASE', 'FILE', 'TOPIC', 'THEME', 'MOTTO', 'QUOTE', 'UNQUOTE', 'HEADLINE', 'EXCLUSIVE', 'LIVE', 'SPOILER', 'CONCLUSION', 'TRANSLATION', 'MEANING', 'DEFINITION', 'EXAMPLE', 'THE', 'THIS', 'THAT', 'THESE', 'IT', 'I', 'WE', 'YOU', 'MY', 'YOUR', 'OUR', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'YES', 'OK', 'OKAY', 'WELL', 'SO', 'AND', 'BUT', 'OR', 'IF', 'WHAT', 'WHO', 'WHY', 'HOW', 'WHEN', 'WHERE', 'ALSO', 'PLEASE', 'STOP', 'GO', 'HELP', 'SALE', 'OPEN', 'CLOSED', 'PRESS', 'EXIT', 'IN', 'ON', 'AT', 'FOR', 'OF', 'WITH', 'APOLLO', 'OPERATION', 'PROJECT', 'AGENT', 'DAY', 'YEAR', 'WEEK', 'HOUR', 'LEVEL', 'ROUND', 'GAME', 'TEAM', 'ROOM', 'UNIT', 'GRADE', 'CLASS', 'TYPE', 'MODEL', 'VERSION', 'SERIAL', 'ID',
  'NASA', 'USA', 'US', 'UK', 'EU', 'UN', 'NATO', 'UNESCO', 'UNICEF', 'FIFA', 'UEFA', 'AI', 'IQ', 'DNA', 'UFO', 'CEO', 'IRA', 'IRS', 'ATF', 'DEA', 'NSA', 'EPA', 'FEMA', 'OPEC', 'ISIS', 'AIDS', 'COVID', 'LA', 'CIA', 'SOS', 'IBM', 'BBC', 'HBO', 'NBA', 'NFL', 'ATM', 'VIP', 'GPS', 'URL', 'USB', 'APP', 'AM', 'PM', 'BTW', 'ASAP', 'RIP', 'DIY', 'FAQ', 'UNO', 'ONU', 'OTAN', 'UE', 'RDA', 'DDR', 'BRD', 'USSR', 'URSS', 'UDSSR', 'OVNI', 'SIDA', 'ADN',
  'ACHTUNG', 'HINWEIS', 'FRAGE', 'ANTWORT', 'REGEL', 'WARNUNG', 'WICHTIG', 'TEIL', 'KAPITEL', 'ANMERKUNG', 'MERKE', 'REMARQUE', 'RÈGLE', 'RÉPONSE', 'CHAPITRE', 'PARTIE', 'ATENCIÓN', 'NOTA', 'AVISO', 'PREGUNTA', 'RESPUESTA', 'REGLA', 'CAPÍTULO', 'PARTE', 'ATENÇÃO', 'PERGUNTA', 'RESPOSTA', 'REGRA', 'ATTENZIONE', 'DOMANDA', 'RISPOSTA', 'REGOLA', 'CAPITOLO', 'LET OP', 'VRAAG', 'ANTWOORD', 'REGEL', 'OBS', 'VARNING', 'UWAGA', 'PYTANIE', 'ODPOWIEDŹ', 'POZOR', 'OTÁZKA', 'FIGYELEM', 'ATENȚIE', 'DİKKAT', 'ВНИМАНИЕ', 'ВАЖНО', 'ВОПРОС', 'ОТВЕТ', 'ПРАВИЛО', 'СССР', 'США', 'УВАГА', 'ΠΡΟΣΟΧΗ', 'ΗΠΑ',
]);

/** Returns whether a name in capitals before a colon is no speaker in any file. */
export function isNoSpeaker(name: string): boolean {
  const plain = name.replace(/\s*\([^()]{0,30}\)$/, '').trim();
  const [first = ''] = plain.split(/\s+/);
  if (NO_SPEAKER.has(plain) || NO_SPEAKER.has(first)) return true;
  // Letters without a vowel are an abbreviation, and so are three letters with one, such as FBI.
  const letters = plain.replaceAll(/[^\p{L}]/gu, '');
  return letters === plain && ((/^[A-Z]{2,5}$/.test(plain) && !/[AEIOUY]/.test(plain)) || /^[A-Z]BI$/.test(plain));
}

/** The bleep over a word: it stays, because it marks the place of the word. */
export const isBleep = (text: string): boolean => /^\W{0,4}(?:bleep(?:s|ed|ing)?|beep(?:ed)?|expletive|censored|redacted|blank|inaudible|unintelligible|indistinct|sic|_+|\*+)(?: deleted)?\W{0,4}$/i.test(text);

/** `dramatic music playing`: a description of music, not a lyric. */
export const isMusicDescription = (text: string): boolean =>
  text.length <= 80 && !isSpoken(text, true) && /\b(?:music|song|theme|melody|tune|instrumental|vocalizing|humming)\s(?:\p{L}{1,12}\s){0,2}(?:play|plays|playing|continues?|continuing|stops?|stopping|ends?|ending|swells?|swelling|fades?|fading|begins?|starts?|resumes?|intensifies|crescendos)(?:\s(?:in|on|over|out|up|down|softly|loudly|quietly|faintly|radio|tv|speakers?|distance|background|the)){0,4}\W{0,3}$/iu.test(text);
