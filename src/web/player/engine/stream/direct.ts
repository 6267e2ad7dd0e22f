/** A file, or a stream that the browser reads by itself, in the media element. */
import { failureIn, loadReasons } from '../../../data/client.ts';
import type { StreamFailure } from './judge.ts';
import type { OpenStream, StreamNeeds } from './types.ts';

/** Asks for one byte of an address, and returns why the server refuses it; undefined if the server sends it. */
export async function refusalOf(url: string): Promise<StreamFailure | undefined> {
  let reply: Response;
  try {
    reply = await fetch(url, { headers: { range: 'bytes=0-0' }, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    return { status: 0, says: '' };
  }
  if (reply.ok) {
    void reply.body?.cancel();
    return undefined;
  }
  await loadReasons();
  return failureIn(reply.status, await reply.json().catch(() => ({})));
}

/** The status of an address; 0 when no answer comes. */
export const statusOf = (url: string): Promise<number> =>
  fetch(url, { method: 'HEAD', credentials: 'same-origin', cache: 'no-store' }).then(
    ({ status }) => status,
    () => 0,
  );

export function openDirect({ video, url, at, on }: StreamNeeds): OpenStream {
  let isOver = false;
  const onError = async () => {
    const { error } = video;
    if (!error || isOver) return;
    if (error.code === MediaError.MEDIA_ERR_DECODE) return on.undecodable(undefined);
    const failed = await refusalOf(url);
    if (isOver) return;
    if (failed) on.failed(failed);
    // Given now but not before: a short break. Only what never began is undecodable.
    else if (error.code === MediaError.MEDIA_ERR_NETWORK) on.failed({ status: 0, says: '' });
    else on.undecodable(undefined);
  };
  const onMeta = () => {
    if (at > 0 && Math.abs(video.currentTime - at) > 1) video.currentTime = at;
  };
  const listener = () => void onError();
  video.addEventListener('error', listener);
  video.addEventListener('loadedmetadata', onMeta);
  video.src = url;
  if (at > 0) video.currentTime = at;
  return {
    // The element has given up; the caller opens it again.
    resume: () => undefined,
    tracks: () => undefined,
    onTracks: () => () => undefined,
    facts: () => ({}),
    close: () => {
      isOver = true;
      video.removeEventListener('error', listener);
      video.removeEventListener('loadedmetadata', onMeta);
    },
  };
}
