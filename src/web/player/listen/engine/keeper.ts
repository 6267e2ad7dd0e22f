/**
 * Keeps the buttons of headphones and lock screens with this page. Browsers give them to media elements only; the
 * gapless deck has none, so a silent one plays along.
 */
const RATE = 8000;
const SECONDS = 10;
const SILENCE = 0x80;
const SPACE = 0x20;

/** A WAV file of silence: 8 bits, one channel. */
function silence(): Blob {
  const bytes = new Uint8Array(44 + RATE * SECONDS).fill(SILENCE);
  const view = new DataView(bytes.buffer);
  const text = (at: number, letters: string) =>
    bytes.set(
      [...letters].map((letter) => letter.charCodeAt(0)),
      at,
    );
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVE');
  text(12, 'fmt');
  bytes[15] = SPACE;
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, 'data');
  view.setUint32(40, RATE * SECONDS, true);
  return new Blob([bytes], { type: 'audio/wav' });
}

let element: HTMLAudioElement | undefined;
/** Plays silence while decoded sound plays. */
export function keepSession(isOn: boolean): void {
  if (!isOn) return element?.pause();
  if (!element) {
    element = new Audio(URL.createObjectURL(silence()));
    element.loop = true;
  }
  if (element.paused) element.play().catch(() => undefined);
  return undefined;
}
