/** Parts that most passwords are made of: words, names and teams that people choose, and the rows of keyboards. */

const WORDS = `
password passwords passwort passwrd passwd pass motdepasse contrasena senha parola wachtwoord geheim secret secrets private
admin administrator root user users guest login logon signin account default changeme changeit change letmein welcome welcom
hello goodbye master superuser super system server service manager operator support helpdesk backup database oracle mysql postgres
test tests testing tester demo sample example temp temporary secure security access access14 enter open sesame opensesame
matinee media movie movies film films cinema theater theatre plex jellyfin emby kodi netflix popcorn television
computer laptop desktop internet google facebook youtube instagram twitter linkedin amazon microsoft windows apple iphone android samsung
love lover lovely loveme iloveyou ilove loveyou mylove babygirl babyboy baby sweetheart sweetie honey darling angel angels forever always
princess prince queen king kings dragon dragons monkey tiger tigers lion lions eagle eagles bear bears wolf wolves shark dolphin horse
football soccer baseball basketball hockey tennis golf cricket rugby hunter hunting fishing ranger rangers yankees cowboys lakers steelers packers
liverpool chelsea arsenal barcelona juventus manchester united realmadrid bayern celtic everton
sunshine summer winter spring autumn flower flowers butterfly rainbow moonlight starlight sunset ocean
shadow shadows phantom ghost killer assassin warrior ninja pirate soldier samurai knight wizard magic merlin
superman batman spiderman ironman wonderwoman starwars startrek pokemon pikachu naruto minecraft fortnite roblox gandalf hobbit matrix
michael jennifer jessica ashley daniel andrew joshua matthew charlie george thomas robert william jordan michelle nicole amanda samantha
anthony richard alexander christopher elizabeth patricia margaret victoria isabella sophia olivia emily hannah jasmine maria anna david james john
cheese chocolate cookie cookies pepper ginger banana orange strawberry coffee whiskey peanut
mustang ferrari porsche corvette mercedes harley yamaha honda toyota chevrolet
freedom liberty america england france germany canada australia texas london paris berlin newyork chicago california
trust trustno1 trustnoone rockyou whatever nothing something blahblah fuckyou fuckoff asshole bitch pussy
money dollar dollars million millionaire bitcoin business company office
january february march april june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
qwerty qwertz azerty asdf asdfgh zxcvbn qazwsx abc abcd abcdef
one two three four five six seven eight nine ten zero
myname mypass mypassword my the and for you not yes
family friend friends mother father brother sister mommy daddy grandma grandpa
buster bailey maggie sophie buddy rocky lucky max duke molly daisy
jesus christ heaven blessed faith godisgood
music guitar piano drummer metallica nirvana slipknot beatles eminem
school student teacher college university
`;

/** In lower case, three letters or more. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word.length >= 3));

/** Rows of the usual keyboards, their columns, and the alphabet: walks over them are no secret. */
export const KEYBOARD_ROWS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop[]\\',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'qwertzuiopü+',
  'yxcvbnm,.-',
  'azertyuiop^$',
  'qsdfghjklmù',
  'wxcvbn,;:!',
  '!@#$%^&*()_+',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  'qazwsxedcrfvtgbyhnujmikolp',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю',
];
