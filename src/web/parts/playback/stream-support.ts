/** Which kinds of streams this browser takes, asked of the browser itself. */

const HLS = 'application/vnd.apple.mpegurl';
const FMP4 = 'video/mp4; codecs="avc1.42E01E,mp4a.40.2"';

/** Media Source Extensions, under either name. */
interface Source {
  isTypeSupported: (type: string) => boolean;
}
const mediaSource = (): Source | undefined => {
  const { ManagedMediaSource: managed, MediaSource: usual } = globalThis as {
    ManagedMediaSource?: Source;
    MediaSource?: Source;
  };
  return usual ?? managed;
};

/** Whether a content type can be fed to Media Source Extensions; undefined where there are none. */
export const takesType = (type: string): boolean | undefined => {
  const source = mediaSource();
  return source && source.isTypeSupported(type);
};

/** Only Apple's browsers are trusted with native HLS: others that report it have no alternate audio. */
export function playsHlsNatively(): boolean {
  if (typeof document === 'undefined') return false;
  const video = document.createElement('video') as HTMLVideoElement & { webkitSetPresentationMode?: unknown };
  return typeof video.webkitSetPresentationMode === 'function' && video.canPlayType(HLS) !== '';
}

/** Whether streams are put together in this page, so that it decides when their audio plays. */
export const isStreamOurs = (): boolean => !playsHlsNatively() && takesType(FMP4) === true;

export const canPlayHls = (): boolean => playsHlsNatively() || takesType(FMP4) === true;
