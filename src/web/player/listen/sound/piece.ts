/** Passages of decoded sound. */

/** Copies a passage, so that it begins and ends exactly on a frame: Chromium rounds offsets of a longer one. */
export function piece(context: BaseAudioContext, from: AudioBuffer, start: number, end: number): AudioBuffer {
  const copy = context.createBuffer(from.numberOfChannels, Math.max(1, end - start), from.sampleRate);
  for (let channel = 0; channel < from.numberOfChannels; channel++)
    copy.copyToChannel(from.getChannelData(channel).subarray(start, end), channel);
  return copy;
}
