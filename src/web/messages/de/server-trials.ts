/** German: why an accelerator failed its test or a film. Sentence fragments. */
import type { HardwareFault, TrialReasonTexts } from '../../../contract/playback/trial-reasons.ts';

const FORBIDDEN = 'der Benutzer des Servers muss in die Gruppe, der es gehört (meist render)';

const hardwareFaults: Pick<TrialReasonTexts, HardwareFault> = {
  'no-encoder': () => 'dieses ffmpeg enthält den Encoder dafür nicht',
  forbidden: () => `der Server darf das Gerät nicht verwenden: ${FORBIDDEN}`,
  'no-nvidia-driver': () => 'der NVIDIA-Treiber wurde nicht gefunden',
  'no-amd-driver': () => 'der AMD-Treiber wurde nicht gefunden',
  'graphics-driver-failed': () => 'der Treiber der Grafikhardware ließ sich nicht starten',
  'quick-sync-driver-failed': () => 'der Treiber für Quick Sync ließ sich nicht starten',
  'no-such-device': () => 'kein solches Gerät wurde gefunden',
  'device-full': () => 'das Gerät hat keinen Platz für eine weitere Umwandlung',
  'pictures-refused': () => 'das Gerät nimmt diese Bilder nicht an',
  'no-ffmpeg': () => 'ffmpeg ist nicht installiert',
  silent: () => 'keine Antwort mehr',
  'too-slow': () => 'länger als 10 Sekunden gebraucht',
  crashed: () => 'ffmpeg ist abgestürzt',
  'output-unusable': () => 'das Ergebnis ist unbrauchbar',
  'server-busy': () => 'der Server war für einen Test zu beschäftigt',
  'stopped-with-error': () => 'mit einem Fehler abgebrochen',
};

export const trialReasonsGerman: TrialReasonTexts = {
  ...hardwareFaults,
  'failed-on-film': ({ fault }) => `bei einem Film ausgefallen (${hardwareFaults[fault]()}), wird erneut getestet`,
  'not-tested': () => 'noch nicht getestet',
  'encoding-failed': () => 'nicht versucht, weil schon das Kodieren fehlschlug',
  'encodes-only': () => 'es kann nur kodieren',
  'no-hdr-pictures': () => 'dieses ffmpeg kann keine HDR-Bilder zum Testen erzeugen',
  'device-forbidden': ({ device }) => `der Server darf ${device} nicht verwenden: ${FORBIDDEN}`,
  'other-system': ({ system }) => `nur unter ${system} vorhanden`,
  'no-nvidia-device': () => 'kein NVIDIA-Gerät gefunden',
  'no-rockchip-device': () => 'kein Rockchip-Videogerät gefunden',
  'no-video-device': () => 'kein Videogerät gefunden',
  'no-graphics-device': () => 'keine Grafikhardware unter /dev/dri gefunden',
  'wrote-nothing': () => 'es kam kein Ergebnis',
  'wrong-size': () => 'die Bilder haben die falsche Größe',
  'wrong-count': ({ made, of }) => `${made} statt ${of} Bilder erzeugt`,
  'wrong-times': () => 'die Bilder haben falsche Zeiten',
  'keyframe-missing': () => 'an einer verlangten Stelle fehlt ein Keyframe',
  'keyframe-dependent': () => 'die Keyframes lassen sich nicht für sich allein dekodieren',
  'keyframe-unasked': () => 'Keyframes an Stellen, an denen keine verlangt sind',
  undecodable: () => 'die Bilder lassen sich nicht dekodieren',
  'wrong-pictures': () => 'die Bilder sind falsch',
};
