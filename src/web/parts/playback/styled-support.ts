/** Whether styled subtitles can be drawn here as they are. Elsewhere they are shown as plain text. */

/** Frame callbacks came after module workers in every engine, so they stand for both. */
export function canDrawStyles(): boolean {
  if (typeof Worker !== 'function' || typeof WebAssembly !== 'object' || typeof HTMLVideoElement !== 'function')
    return false;
  return (
    typeof HTMLCanvasElement.prototype.transferControlToOffscreen === 'function' &&
    'requestVideoFrameCallback' in HTMLVideoElement.prototype
  );
}
