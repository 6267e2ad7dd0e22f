/**
 * The one parser of language tags, for requests, settings and files alike.
 *
 * A tag is BCP 47 (RFC 5646) with an ISO 639-1 or ISO 639-2 primary subtag, written in lowercase, two letters where
 * ISO 639-1 has them: `EN` and `eng` are `en`, `fre` and `fra` are `fr`, `pt-BR` is `pt-br`; `zz` is none.
 * Pure; never throws.
 */
/**
 * ISO 639-1 with its ISO 639-2 forms: `aa aar`, and where two exist `cs ces/cze` (terminological, then bibliographic).
 */
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

/** Reads a table of rows such as `iw he,in id`: the last word of each row is its value. */
export const pairs = (table: string): [string, string][] =>
  table.split(',').map((row) => {
    const text = row.trim();
    const cut = text.lastIndexOf(' ');
    return [text.slice(0, cut), text.slice(cut + 1)];
  });

/**
 * Every ISO 639-1 code to its ISO 639-2 pair. `sh` and `bh` are withdrawn, yet still what such files are labelled with.
 */
export const ALPHA3: ReadonlyMap<string, { terminological: string; bibliographic: string }> = new Map(
  pairs(TWO).map(([two, three]) => {
    const [terminological = three, bibliographic = terminological] = three.split('/');
    return [two, { terminological, bibliographic }];
  }),
);

/** Every ISO 639-1, ISO 639-2 and withdrawn code to its normal form: two letters where they exist. */
const PRIMARY: ReadonlyMap<string, string> = new Map([
  ...THREE.split(/\s+/).map((code): [string, string] => [code, code]),
  ...[...ALPHA3].flatMap(([two, { terminological, bibliographic }]): [string, string][] => [
    [two, two],
    [terminological, two],
    [bibliographic, two],
  ]),
  ...pairs(WITHDRAWN),
]);

const MAX_TAG_LENGTH = 64;
/** ISO 639-2 leaves qaa to qtz to local use; broadcasters mark the original sound so. */
const LOCAL_USE = /^q[a-t][a-z]$/;

/** Returns the normal form of a tag of 2 to 64 characters in any case, or undefined when it is not one. */
export function parseLanguage(text: string): string | undefined {
  if (text.length < 2 || text.length > MAX_TAG_LENGTH) return undefined;
  const [first = '', ...rest] = text.toLowerCase().split('-');
  const primary = LOCAL_USE.test(first) ? first : PRIMARY.get(first);
  if (primary === undefined || !isWellFormedRest(rest)) return undefined;
  return [primary, ...rest].join('-');
}

/**
 * Checks what follows the primary subtag: extlang, script, region, variants, extensions, private use. Source: RFC 5646,
 * section 2.1.
 */
function isWellFormedRest(parts: readonly string[]): boolean {
  let at = 0;
  const next = (shape: RegExp) => at < parts.length && shape.test(parts[at] ?? '') && ++at > 0;
  for (let extlangs = 0; extlangs < 3 && next(/^[a-z]{3}$/); extlangs++);
  next(/^[a-z]{4}$/);
  next(/^(?:[a-z]{2}|\d{3})$/);
  const variants = at;
  while (next(/^(?:[a-z0-9]{5,8}|\d[a-z0-9]{3})$/));
  const seen = parts.slice(variants, at);
  while (next(/^[0-9a-wy-z]$/)) {
    seen.push(parts[at - 1] ?? '');
    if (!next(/^[a-z0-9]{2,8}$/)) return false;
    while (next(/^[a-z0-9]{2,8}$/));
  }
  if (next(/^x$/)) {
    if (!next(/^[a-z0-9]{1,8}$/)) return false;
    while (next(/^[a-z0-9]{1,8}$/));
  }
  return at === parts.length && new Set(seen).size === seen.length;
}
