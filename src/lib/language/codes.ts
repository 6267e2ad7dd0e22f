/**
 * The tables behind languages.ts: which codes ISO 639 knows, which of them mean the same, and the names and
 * shorthands people write in file names that no standard lists. Data only; the rules are in languages.ts.
 */

/** ISO 639-1 with its ISO 639-2 forms: `aa aar`, and where two exist `cs ces/cze` (terminological, then bibliographic). */
const TWO = `aa aar,ab abk,ae ave,af afr,ak aka,am amh,an arg,ar ara,as asm,av ava,ay aym,az aze,ba bak,be bel,bg bul,bi bis,bm bam,
bn ben,bo bod/tib,br bre,bs bos,ca cat,ce che,ch cha,co cos,cr cre,cs ces/cze,cu chu,cv chv,cy cym/wel,da dan,de deu/ger,dv div,
dz dzo,ee ewe,el ell/gre,en eng,eo epo,es spa,et est,eu eus/baq,fa fas/per,ff ful,fi fin,fj fij,fo fao,fr fra/fre,fy fry,ga gle,
gd gla,gl glg,gn grn,gu guj,gv glv,ha hau,he heb,hi hin,ho hmo,hr hrv,ht hat,hu hun,hy hye/arm,hz her,ia ina,id ind,ie ile,ig ibo,
ii iii,ik ipk,io ido,is isl/ice,it ita,iu iku,ja jpn,jv jav,ka kat/geo,kg kon,ki kik,kj kua,kk kaz,kl kal,km khm,kn kan,ko kor,
kr kau,ks kas,ku kur,kv kom,kw cor,ky kir,la lat,lb ltz,lg lug,li lim,ln lin,lo lao,lt lit,lu lub,lv lav,mg mlg,mh mah,mi mri/mao,
mk mkd/mac,ml mal,mn mon,mr mar,ms msa/may,mt mlt,my mya/bur,na nau,nb nob,nd nde,ne nep,ng ndo,nl nld/dut,nn nno,no nor,nr nbl,
nv nav,ny nya,oc oci,oj oji,om orm,or ori,os oss,pa pan,pi pli,pl pol,ps pus,pt por,qu que,rm roh,rn run,ro ron/rum,ru rus,rw kin,
sa san,sc srd,sd snd,se sme,sg sag,si sin,sk slk/slo,sl slv,sm smo,sn sna,so som,sq sqi/alb,sr srp,ss ssw,st sot,su sun,sv swe,
sw swa,ta tam,te tel,tg tgk,th tha,ti tir,tk tuk,tl tgl,tn tsn,to ton,tr tur,ts tso,tt tat,tw twi,ty tah,ug uig,uk ukr,ur urd,
uz uzb,ve ven,vi vie,vo vol,wa wln,wo wol,xh xho,yi yid,yo yor,za zha,zh zho/chi,zu zul,bh bih,sh hbs`;

/** ISO 639-2 codes that have no ISO 639-1 form, collections included. */
const THREE = `ace ach ada ady afa afh ain akk ale alg alt ang anp apa arc arn arp art arw ast ath aus awa bad bai bal ban bas bat bej
bem ber bho bik bin bla bnt bra btk bua bug byn cad cai car cau ceb cel chb chg chk chm chn cho chp chr chy cmc cnr cop cpe cpf cpp
crh crp csb cus dak dar day del den dgr din doi dra dsb dua dum dyu efi egy eka elx enm ewo fan fat fil fiu fon frm fro frr frs fur
gaa gay gba gem gez gil gmh goh gon gor got grb grc gsw gwi hai haw hil him hit hmn hsb hup iba ijo ilo inc ine inh ira iro jbo jpr
jrb kaa kab kac kam kar kaw kbd kha khi kho kmb kok kos kpe krc krl kro kru kum kut lad lah lam lez lol loz lua lui lun luo lus mad
mag mai mak man map mas mdf mdr men mga mic min mis mkh mnc mni mno moh mos mul mun mus mwl mwr myn myv nah nai nap nds new nia nic
niu nog non nqo nso nub nwc nym nyn nyo nzi osa ota oto paa pag pal pam pap pau peo phi phn pon pra pro raj rap rar roa rom rup sad
sah sai sal sam sas sat scn sco sel sem sga sgn shn sid sio sit sla sma smi smj smn sms snk sog son srn srr ssa suk sus sux syc syr
tai tem ter tet tig tiv tkl tlh tli tmh tog tpi tsi tum tup tut tvl tyv udm uga umb und vai vot wak wal war was wen xal yao yap ypk
zap zbl zen zgh znd zun zxx zza`;

/** Withdrawn codes still found in files, and what they became. */
const WITHDRAWN = 'iw he,in id,ji yi,jw jv,mo ro,mol ro,scc sr,scr hr,jaw jv';

/** ISO 639-3 members of a macrolanguage: `cmn zh` is simply Chinese, `yue zh-yue` keeps the member as BCP 47 does. */
const MEMBERS = `cmn zh,yue zh-yue,nan zh-nan,wuu zh-wuu,hak zh-hak,gan zh-gan,lzh zh-lzh,arb ar,arz ar-arz,ary ar-ary,apc ar-apc,
ajp ar-ajp,arq ar-arq,aeb ar-aeb,acm ar-acm,afb ar-afb,pes fa,prs fa-af,ekk et,lvs lv,zsm ms,swh sw,khk mn,azj az,uzn uz,npi ne,
ory or,plt mg,gug gn,als sq,ydd yi,kmr ku,ckb ku-ckb,pbu ps,ltg lv-ltg,nno nn,nob nb`;

/** Shorthands of subtitle sites and players that are not ISO 639 codes. */
const SHORTHAND = `pob pt-br,pb pt-br,ptb pt-br,ptbr pt-br,brpt pt-br,chs zh-hans,cht zh-hant,zhs zh-hans,zht zh-hant,zhcn zh-cn,
zhtw zh-tw,gb zh-hans,big5 zh-hant,jp ja,jap ja,cz cs,dk da,gr el,ua uk,vn vi,spl es-419,latam es-419,latino es-419,
ea es-419,spn es,esp es,enus en-us,engb en-gb,usa en-us,ned nl,nld nl,frn fr,vff fr,vfq fr-ca,mne cnr,kor ko,rus ru,
简 zh-hans,繁 zh-hant,简体 zh-hans,繁体 zh-hant,繁體 zh-hant,简中 zh-hans,繁中 zh-hant,中文 zh,日本語 ja,简体中文 zh-hans,繁體中文 zh-hant`;

/** Names that the platform's data does not give in this form. */
const NAMES = `brazilian pt-br,brazilian portuguese pt-br,brazillian pt-br,brazillian portuguese pt-br,portuguese brazilian pt-br,
portuguese brazil pt-br,portugues brasil pt-br,portugues brasileiro pt-br,portuguese portugal pt-pt,european portuguese pt-pt,
spanish latin america es-419,spanish latin american es-419,latin american spanish es-419,spanish latino es-419,espanol latino es-419,
espanol latinoamericano es-419,latin spanish es-419,spanish spain es-es,castilian es-es,castellano es-es,european spanish es-es,
spanish europe es-es,spanish european es-es,chinese simplified zh-hans,simplified chinese zh-hans,chinese traditional zh-hant,
traditional chinese zh-hant,chinese bg code zh-hans,big 5 code zh-hant,mandarin zh,mandarin chinese zh,cantonese zh-yue,
french canada fr-ca,french canadian fr-ca,canadian french fr-ca,french france fr-fr,english us en-us,english uk en-gb,
american english en-us,british english en-gb,farsi fa,persian fa,farsi persian fa,bengali bn,bangla bn,burmese my,flemish nl-be,
filipino fil,tagalog tl,greek el,modern greek el,greenlandic kl,moldavian ro,norwegian bokmal nb,bokmal nb,nynorsk nn,
northern sami se,northen sami se,espranto eo,sinhalese si,sinhala si,serbian latin sr-latn,serbian cyrillic sr-cyrl,
serbo croatian sh,slovenian sl,slovene sl,ukranian uk,kurdish ku,sorani ku-ckb,malay ms,malaysian ms,bahasa indonesia id,
bahasa melayu ms,montenegrin cnr,punjabi pa,odia or,oriya or,pashto ps,valencian ca-valencia,chinese cantonese zh-yue,
hindi hi,hebrew he,arabic ar,castellano espana es-es,espanol espana es-es,francais canada fr-ca,quebecois fr-ca,vlaams nl-be`;

/** English names of ISO 639-2 entries that the platform has none for: mostly collections. */
const COLLECTIONS = `afa Afro-Asiatic languages,alg Algonquian languages,apa Apache languages,art Artificial languages,
ath Athapascan languages,aus Australian languages,bad Banda languages,bai Bamileke languages,bat Baltic languages,
ber Berber languages,bh Bihari languages,bnt Bantu languages,btk Batak languages,cai Central American Indian languages,
cau Caucasian languages,cel Celtic languages,cmc Chamic languages,cpe English-based creoles,cpf French-based creoles,
cpp Portuguese-based creoles,crp Creoles and pidgins,cus Cushitic languages,day Land Dayak languages,dra Dravidian languages,
fiu Finno-Ugrian languages,gem Germanic languages,him Himachali languages,ijo Ijo languages,inc Indic languages,
ine Indo-European languages,ira Iranian languages,iro Iroquoian languages,kar Karen languages,khi Khoisan languages,kro Kru languages,
map Austronesian languages,mis Uncoded language,mkh Mon-Khmer languages,mno Manobo languages,mun Munda languages,myn Mayan languages,
nah Nahuatl languages,nai North American Indian languages,nic Niger-Kordofanian languages,nub Nubian languages,
oto Otomian languages,paa Papuan languages,phi Philippine languages,pra Prakrit languages,roa Romance languages,
sai South American Indian languages,sal Salishan languages,sem Semitic languages,sgn Sign language,sio Siouan languages,
sit Sino-Tibetan languages,sla Slavic languages,smi Sami languages,son Songhai languages,ssa Nilo-Saharan languages,tai Tai languages,
tup Tupi languages,tut Altaic languages,wak Wakashan languages,wen Sorbian languages,ypk Yupik languages,znd Zande languages,
sh Serbo-Croatian,cnr Montenegrin,tl Tagalog,und Unknown language`;

/** Regional variants whose English and native names are understood in file names. */
export const REGIONAL = ['pt-br', 'pt-pt', 'es-419', 'es-mx', 'es-es', 'es-ar', 'en-us', 'en-gb', 'en-au', 'en-ca', 'fr-ca', 'fr-fr', 'fr-be',
  'fr-ch', 'de-at', 'de-ch', 'de-de', 'nl-be', 'nl-nl', 'zh-hans', 'zh-hant', 'zh-cn', 'zh-tw', 'zh-hk', 'sr-latn', 'sr-cyrl', 'sv-fi', 'it-ch'];

/** Three-letter codes whose names are understood too. The others' names are too short or too rare to trust in a file name. */
export const NAMED_THREE = ['fil', 'haw', 'ceb', 'ast', 'sco', 'scn', 'nds', 'tlh', 'gsw', 'hmn', 'kok', 'mai', 'sah', 'cnr', 'hsb', 'dsb'];

/** The places whose words for the common languages are understood: `Englisch`, `anglais`, `inglés`, `английский`. */
export const NAMING_LOCALES = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'fi', 'pl', 'cs', 'hu', 'ru', 'uk', 'tr', 'el', 'ro', 'hr'];

/** The languages that subtitles are mostly in: their names in NAMING_LOCALES are understood. */
export const COMMON = ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'sv', 'da', 'no', 'nb', 'fi', 'is', 'pl', 'cs', 'sk', 'hu', 'ro', 'bg', 'hr', 'sr',
  'sl', 'bs', 'mk', 'sq', 'el', 'tr', 'ru', 'uk', 'et', 'lv', 'lt', 'ar', 'he', 'fa', 'hi', 'ta', 'te', 'bn', 'th', 'vi', 'id', 'ms', 'ja', 'ko', 'zh', 'ca', 'eu', 'gl'];

const pairs = (table: string): [string, string][] =>
  table.split(',').map((row) => {
    const text = row.trim();
    const cut = text.lastIndexOf(' ');
    return [text.slice(0, cut), text.slice(cut + 1)];
  });

/** Every ISO 639-1 code to its ISO 639-2 pair. `sh` and `bh` are withdrawn, yet still what such files are labelled with. */
export const ALPHA3: ReadonlyMap<string, { terminological: string; bibliographic: string }> = new Map(
  pairs(TWO).map(([two, three]) => {
    const [terminological = three, bibliographic = terminological] = three.split('/');
    return [two, { terminological, bibliographic }];
  }),
);

/** Every ISO 639-1, ISO 639-2 and withdrawn code to its normal form: two letters where they exist. */
export const PRIMARY: ReadonlyMap<string, string> = new Map([
  ...THREE.split(/\s+/).map((code): [string, string] => [code, code]),
  ...[...ALPHA3].flatMap(([two, { terminological, bibliographic }]): [string, string][] => [[two, two], [terminological, two], [bibliographic, two]]),
  ...pairs(WITHDRAWN),
]);

/** ISO 639-3 members and site shorthands, understood in file names only, to tags. */
export const LENIENT: ReadonlyMap<string, string> = new Map([...pairs(MEMBERS), ...pairs(SHORTHAND)]);

/** Written names, folded as languages.ts folds them, to tags. */
export const EXTRA_NAMES: ReadonlyMap<string, string> = new Map(pairs(NAMES));

/** English names that the platform lacks. */
export const OWN_NAMES: ReadonlyMap<string, string> = new Map(
  COLLECTIONS.split(',').map((row) => {
    const text = row.trim();
    const cut = text.indexOf(' ');
    return [text.slice(0, cut), text.slice(cut + 1)];
  }),
);
