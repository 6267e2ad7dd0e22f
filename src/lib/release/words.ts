/**
 * The words of release names, as one table: their meanings, and whether they hold anywhere.
 *
 * A strong word (`1080p`, `x264`) ends a title in any position. A weak word (`CAM`, `Extended`, `MAX`) is also an
 * ordinary word, so it counts only next to or after a strong one. Keys are lowercase with separators taken out:
 * `WEB-DL`, `WEB.DL` and `WEBDL` are all `webdl`.
 */
import { SUBTITLE_FORMATS } from '../../contract/subtitles/formats.ts';

export type ReleaseField =
  | 'resolution'
  | 'source'
  | 'codec'
  | 'hdr'
  | 'audio'
  | 'service'
  | 'edition'
  | 'flag'
  | 'language'
  | 'channels'
  | 'depth'
  | 'threeD'
  | 'noise';
export interface ReleaseWord {
  field: ReleaseField;
  value: string;
  strong: boolean;
}

const STRONG: Partial<Record<ReleaseField, string>> = {
  resolution: `4320p 4320p,8k 4320p,2160p 2160p,4k 2160p,uhd 2160p,4kuhd 2160p,1440p 1440p,1080p 1080p,1080i 1080i,fhd 1080p,fullhd 1080p,
    720p 720p,720i 720p,576p 576p,576i 576i,540p 540p,480p 480p,480i 480i,400p 360p,360p 360p,240p 240p,2160i 2160p,1080p50 1080p,1080p60 1080p,720p60 720p`,
  source: `bluray bluray,bdrip bluray,brrip bluray,bdremux remux,bdmux bluray,bdmv bluray,bd25 bluray,bd50 bluray,bd66 bluray,bd100 bluray,
    uhdbd bluray,uhdbdrip bluray,uhdrip bluray,remux remux,bdrmx remux,blurayremux remux,uhdblurayremux remux,uhdremux remux,dvdremux remux,
    microhd bluray,dvdrip dvd,dvdmux dvd,dvd5 dvd,dvd9 dvd,dvdr dvd,hddvd hddvd,hddvdrip hddvd,dvdscr screener,dvdscreener screener,
    bdscr screener,screener screener,webscreener screener,webdl web-dl,webdlrip web-dl,webhd web-dl,webuhd web-dl,webmux web-dl,webrip webrip,webcap webrip,webdlmux web-dl,
    hdtv hdtv,hdtvrip hdtv,hdtvmux hdtv,uhdtv hdtv,uhdtvrip hdtv,pdtv tv,pdtvrip tv,dsr tv,dsrip tv,dvbrip tv,satrip tv,tvrip tv,dthrip tv,dtvrip tv,sdtv tv,tvmux tv,hdrip hdrip,
    hdlight hdrip,vhsrip vhs,vhs vhs,camrip cam,hdcam cam,hdcamrip cam,telesync telesync,hdts telesync,hdtsrip telesync,tsrip telesync,
    telecine telecine,hdtc telecine,workprint workprint,ppvrip tv,laserdisc laserdisc,ldrip laserdisc`,
  codec: `x264 h264,h264 h264,avc h264,x265 h265,h265 h265,hevc h265,x266 h266,h266 h266,vvc h266,av1 av1,vp9 vp9,xvid xvid,divx divx,
    mpeg2 mpeg2,vc1 vc1,hi10p h264,hevc10 h265,h264mvc h264,mpeg4 mpeg4,x26410bit h264,x26510bit h265`,
  hdr: 'hdr10 hdr10,hdr10plus hdr10+,hdr10+ hdr10+,hdr10p hdr10+,dolbyvision dolby vision,dovi dolby vision',
  audio: `dd51 ac3,ddp51 eac3,dd+51 eac3,dd20 ac3,ddp20 eac3,ddp71 eac3,ac351 ac3,aac20 aac,aac51 aac,aac2 aac,dts dts,dtshd dts-hd,dtshdma dts-hd ma,
    dtsma dts-hd ma,dtshdhra dts-hd hra,dtsx dts:x,dtsxma dts:x,dtses dts,ac3 ac3,eac3 eac3,ddp eac3,dd+ eac3,truehd truehd,ddpa eac3 atmos,ddpa51 eac3 atmos,flac flac,lpcm pcm,aac aac,
    truehdatmos truehd atmos,ddpatmos eac3 atmos,dolbydigital ac3,dolbydigitalplus eac3`,
  depth: '10bit 10,8bit 8,12bit 12,10bits 10,8bits 8',
  threeD:
    'hsbs half side by side,halfsbs half side by side,hou half top and bottom,halfou half top and bottom,htab half top and bottom,bd3d frame packed,3dbd frame packed',
  flag: `vostfr subbed,subfrench subbed,readnfo proper,nfofix proper,rerip repack,dublaj dubbed,türkçedublaj dubbed,turkcedublaj dubbed,trdublaj dubbed,
    altyazılı subs,altyazili subs,altyazı subs,altyazi subs,traltyazı subs,traltyazi subs,türkçealtyazı subs,türkçealtyazılı subs,turkcealtyazi subs,turkcealtyazili subs`,
};

const WEAK: Partial<Record<ReleaseField, string>> = {
  resolution: 'hd 720p,sd 480p,qhd 540p',
  source:
    'web web,bd bluray,br bluray,dvd dvd,cam cam,ts telesync,tc telecine,scr screener,wp workprint,r5 telecine,ppv tv,tv tv,dtv tv,itunes web-dl,vod web-dl',
  hdr: 'hdr hdr,hlg hlg,sdr sdr,dv dolby vision,pq hdr',
  audio: 'dd ac3,opus opus,mp3 mp3,pcm pcm,vorbis vorbis,dual dual,atmos atmos,ma ma,ogg vorbis',
  channels: '71 7.1,51 5.1,20 2.0,10 1.0,21 2.1,61 6.1,8ch 7.1,6ch 5.1,2ch 2.0,stereo 2.0,mono 1.0',
  service: `amzn Amazon,amazon Amazon,nf Netflix,netflix Netflix,dsnp Disney+,dsny Disney,disney+ Disney+,hmax HBO Max,max Max,hbo HBO,atvp Apple TV+,atv Apple TV,aptv Apple TV+,hulu Hulu,
    pcok Peacock,pmtp Paramount+,pmnt Paramount+,ip BBC iPlayer,iplayer BBC iPlayer,stan Stan,crav Crave,cr Crunchyroll,fun Funimation,funi Funimation,
    it iTunes,red YouTube Red,yt YouTube,now NOW,all4 Channel 4,c4 Channel 4,my5 My5,itv ITV,itvx ITVX,skst SkyShowtime,sho Showtime,starz Starz,stz Starz,
    mubi MUBI,crit Criterion,cc Comedy Central,cbs CBS,nbc NBC,abc ABC,fox FOX,ae A&E,hist History,ds Discovery,dscp discovery+,disc discovery+,vudu Vudu,
    roku Roku,tubi Tubi,play Google Play,viki Viki,vrv VRV,hidi HIDIVE,bili Bilibili,adn ADN,arte ARTE,joyn Joyn,rtl RTL,rtlp RTL+,tvnow TVNOW,sky Sky,viap Viaplay,
    vpl Viaplay,svt SVT,nrk NRK,dr DR,yle Yle,gpla Google Play,amc AMC,amcp AMC+,shud Shudder,zee5 ZEE5,hotstar Hotstar,hs Hotstar,hst Hotstar,sonyliv SonyLIV,jc JioCinema,
    ma Movies Anywhere,bcore Bravia Core,wow WOW,filmin Filmin,mvst Movistar+,globo Globoplay,glbo Globoplay,oksh OKKO,kion KION,ivi ivi,kp Kinopoisk`,
  edition: `extended Extended,extendedcut Extended,extendededition Extended,extendedversion Extended,directorscut Director's Cut,directorsedition Director's Cut,dc Director's Cut,
    theatrical Theatrical,theatricalcut Theatrical,theatricalversion Theatrical,theatricaledition Theatrical,unrated Unrated,unratedcut Unrated,unratededition Unrated,
    unratedversion Unrated,uncut Uncut,uncensored Uncensored,remastered Remastered,remaster Remastered,4kremastered Remastered,4kremaster Remastered,
    digitallyremastered Remastered,restored Restored,4krestored Restored,finalcut Final Cut,specialedition Special Edition,collectorsedition Collector's Edition,
    criterion Criterion,criterioncollection Criterion,ultimatecut Ultimate Cut,ultimateedition Ultimate Edition,ultimatecollectorsedition Ultimate Collector's Edition,
    anniversaryedition Anniversary Edition,imax IMAX,imaxedition IMAX,imaxenhanced IMAX,roguecut Rogue Cut,openmatte Open Matte,assemblycut Assembly Cut,
    despecialized Despecialized,despecializededition Despecialized,fanedit Fan Edit,redux Redux,internationalcut International Cut,limitededition Limited Edition,
    producerscut Producer's Cut,televisionversion Television Version,tvcut Television Version,workprintcut Workprint,superdupercut Super Duper Cut,
    blackandchrome Black and Chrome,blackchrome Black and Chrome,noiredition Noir Edition,deluxeedition Deluxe Edition,diamondedition Diamond Edition,
    alternatecut Alternate Cut,alternateending Alternate Ending,originalcut Original Cut,longcut Extended,hybridcut Hybrid,signatureedition Signature Edition,steelbook Steelbook`,
  flag: `proper proper,real proper,repack repack,repack2 repack,repack3 repack,proper2 proper,internal internal,int internal,limited limited,dubbed dubbed,subbed subbed,
    multi multi,dual multi,dualaudio multi,multisubs subs,multisub subs,subs subs,subtitles subs,hardsub hardsub,hardsubs hardsub,hc hardsub,korsub hardsub,dl multi,ml multi,hybrid hybrid,
    complete complete,festival festival,retail retail,vostfr subbed,msubs subs,esub subs,esubs subs,nordicsubs subs,dub dubbed,ded dubbed,colorized colorized,line line,md line`,
  language: `english en,eng en,french fr,truefrench fr,vff fr-fr,vfq fr-ca,vfi fr,vf fr,vf2 fr,fre fr,german de,ger de,deutsch de,italian it,ita it,ital it,spanish es,esp es,spa es,castellano es-es,
    latino es-419,latam es-419,portuguese pt,por pt,brazilian pt-br,ptbr pt-br,dublado pt-br,russian ru,rus ru,dutch nl,flemish nl-be,swedish sv,swe sv,danish da,dan da,norwegian no,nor no,finnish fi,
    polish pl,pol pl,pl pl,pldub pl,czech cs,cze cs,hungarian hu,hun hu,greek el,turkish tr,tur tr,türkçe tr,turkce tr,yerli tr,hindi hi,tamil ta,telugu te,malayalam ml,kannada kn,bengali bn,punjabi pa,korean ko,kor ko,
    japanese ja,jpn ja,jap ja,chinese zh,chi zh,mandarin zh,cantonese zh-yue,thai th,vietnamese vi,hebrew he,arabic ar,persian fa,ukrainian uk,ukr uk,bulgarian bg,romanian ro,
    nordic mul,icelandic is,catalan ca,cat ca,serbian sr,croatian hr,slovak sk,slovenian sl,estonian et,latvian lv,lithuanian lt,indonesian id,malay ms,filipino fil`,
  threeD: '3d 3d,sbs side by side,tab top and bottom,ou top and bottom,fsbs side by side,mvc frame packed',
  noise: `v2 v2,v3 v3,v4 v4,ws widescreen,fs fullscreen,oar oar,hfr hfr,60fps 60,50fps 50,23976 x,extras extras,bonus bonus,dubs x,10b x,crf x,
    rip rip,muxed x,dsub x,hq hq,lq lq,x x,bit bit,ai ai,upscale ai,upscaled ai,enhanced x,proof proof,ddc x,convert x,custom x,audio x,end end,uncompressed x,batch x,season x,netrip x`,
};

const rows = (table: string): [string, string][] =>
  table.split(',').map((row) => {
    const text = row.trim();
    const cut = text.indexOf(' ');
    return [text.slice(0, cut), text.slice(cut + 1)];
  });

const gather = (table: Partial<Record<ReleaseField, string>>, strong: boolean): [string, ReleaseWord][] =>
  (Object.entries(table) as [ReleaseField, string][]).flatMap(([field, text]) =>
    rows(text).map(([key, value]): [string, ReleaseWord] => [key, { field, value, strong }]),
  );

/** Each word's meaning. If a word is strong in one sense and weak in another, the strong one is listed. */
export const WORDS: ReadonlyMap<string, ReleaseWord> = new Map([...gather(WEAK, false), ...gather(STRONG, true)]);

/**
 * Editions that are another picture or another box, and the same from the first minute to the last: the others are
 * other cuts.
 */
export const PACKAGINGS: ReadonlySet<string> = new Set([
  'Remastered',
  'Restored',
  'Criterion',
  "Collector's Edition",
  "Ultimate Collector's Edition",
  'Anniversary Edition',
  'IMAX',
  'Open Matte',
  'Limited Edition',
  'Deluxe Edition',
  'Diamond Edition',
  'Signature Edition',
  'Steelbook',
  'Hybrid',
  'Uncensored',
  'Noir Edition',
  'Black and Chrome',
]);

/** Tags that are added to the name of a release when it is posted again. They are not the group that made it. */
export const REPOST_TAGS: ReadonlySet<string> = new Set(
  `postbot,xpost,obfuscated,obfuscation,scrambled,asrequested,asrequestedxpost,alternativetorequested,rakuv,rakuvfinhel,buymore,gerov,nzbgeek,nzbgeeks,
  whiterev,chamele0n,4planet,4p,z0ids3n,altezachen,repost,reposted,sickbeard,mazzyflirt,prehd,rp,bunny,rarbg,rartv,eztv,ettv,tgx,yify,yts,
  ettvto,eztvre,glodls,newpct,sample,encrypted,1`
    .split(',')
    .map((tag) => tag.trim()),
);

/** `DTS-HD MA 5` is the longest run of pieces that one word is written in. */
export const MAX_TOKENS = 4;

/** File name endings of videos, subtitles and their companions, which are not part of a release name. */
export const ENDINGS: ReadonlySet<string> = new Set([
  ...SUBTITLE_FORMATS.flatMap(({ extensions }) => extensions),
  ...`mkv mp4 m4v avi mov wmv ts m2ts mts mpg mpeg mpe m2v webm flv f4v ogv ogm vob divx asf rm rmvb 3gp 3g2 dv mk3d strm iso wtv dvr-ms
   idx sup sbv txt nfo mka zip rar`.split(/\s+/),
]);
