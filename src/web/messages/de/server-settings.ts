/** German: the settings by their keys, and their groups. In English the declarations of the server are shown. */
import { certificateSettingsGerman } from './server-certificate-settings.ts';
import { SUBTITLE_PROVIDERS } from '../../../contract/subtitles/providers.ts';
import type { SettingText } from '../server.ts';

const { subtitles_a: A, subtitles_b: B, subtitles_c: C } = SUBTITLE_PROVIDERS;

export const settingTextsGerman = {
  listen: {
    title: 'Adresse und Port',
    summary: 'Adresse und Port, unter denen der Server antwortet.',
  },
  'tls.enabled': { title: 'HTTPS verwenden', summary: 'Der Server antwortet über HTTPS.' },
  'tls.hosts': {
    title: 'Weitere Hostnamen',
    summary: 'Weitere Hostnamen und Adressen, für die das eigene Zertifikat des Servers gilt.',
  },
  'paths.media': {
    title: 'Medienordner',
    summary: 'Ordner mit den Medien. Er ist die einzige Bibliothek, solange keine anderen hinzugefügt sind.',
  },
  'paths.data': {
    title: 'Datenordner',
    summary: 'Ordner für die Datenbank, die Schlüsseldatei und alles andere, was erhalten bleiben muss.',
  },
  'paths.cache': {
    title: 'Cache-Ordner',
    summary: 'Ordner für alles, was neu erzeugt werden kann, etwa verkleinerte Bilder und umgewandelte Abschnitte.',
  },
  'binaries.ffmpeg': {
    title: 'Videoumwandlung (ffmpeg)',
    summary: 'Das Programm ffmpeg, das Bild und Ton umwandelt.',
  },
  'binaries.ffprobe': {
    title: 'Videoanalyse (ffprobe)',
    summary: 'Das Programm ffprobe, das liest, was in einer Mediendatei ist.',
  },
  'server.name': {
    title: 'Name des Servers',
    summary: 'Unter diesem Namen erscheint der Server in Apps.',
    unset: 'Matinee',
  },
  libraries: {
    title: 'Bibliotheken',
    summary: 'Die Bibliotheken. Solange es keine gibt, ist der Medienordner eine Bibliothek mit gemischtem Inhalt.',
  },
  'logging.level': {
    title: 'Protokollstufe',
    summary:
      'Wie viel protokolliert wird. Hier geändert, wirkt es sofort; über Umgebung oder YAML-Datei nach einem Neustart.',
  },
  'database.url': {
    title: 'PostgreSQL-Adresse',
    summary: 'PostgreSQL-Datenbank anstelle der eingebauten, für Haushalte, denen ein Rechner nicht mehr reicht.',
  },
  'tls.dns_a': {
    title: 'Vertrauenswürdiges HTTPS zu Hause',
    summary:
      'Vertrauenswürdiges HTTPS zu Hause: ein Objekt mit DNS-Anbieter, Domain, Token, privater Adresse und Zustimmung zu den Bedingungen. Der Schlüssel trägt einen alten Namen und gilt für jeden unterstützten Anbieter.',
  },
  'supporter.activation_url': {
    title: 'Aktivierungsadresse',
    summary: 'Adresse, die Unterstützer erkennt. Unterstützung schaltet keine Funktionen frei.',
  },
  'supporter.url': {
    title: 'Unterstützungsseite',
    summary: 'Seite, auf der ein Haushalt die Untertitel monatlich unterstützen kann.',
  },
  'dlna.url': {
    title: 'DLNA-Adresse',
    summary: 'Adresse, unter der Geräte im Heimnetz diesen Server über DLNA erreichen.',
  },
  'dlna.enabled': {
    title: 'Über DLNA teilen',
    summary: 'Zeigt die Bibliotheken DLNA-Geräten im Heimnetz. Braucht dlna.url.',
  },
  ...certificateSettingsGerman,
  'integrations.metadata.url': {
    title: 'Adresse',
    summary: 'API-Adresse des Metadatenanbieters, bei TMDB https://api.themoviedb.org/3.',
  },
  'integrations.metadata.image_url': {
    title: 'Adresse der Bilder',
    summary:
      'Adresse, unter der die Bilder des Metadatenanbieters liegen, bei TMDB https://image.tmdb.org/t/p. Ohne sie werden keine geladen.',
  },
  'integrations.metadata.token': {
    title: 'Zugriffstoken',
    summary: 'Zugriffstoken (Lesezugriff) oder API-Schlüssel beim Metadatenanbieter.',
  },
  'integrations.media_compat.enabled': {
    title: 'Andere Apps zulassen',
    summary:
      'Apps eines kompatiblen Medienservers dürfen sich verbinden. Braucht vertrauenswürdiges HTTPS (tls.dns_a).',
  },
  'integrations.home_automation.enabled': {
    title: 'Player für die Hausautomation',
    summary: 'Stellt Player und ihre Wiedergabe der Hausautomation bereit.',
  },
  'integrations.mcp.resource_url': {
    title: 'Öffentliche Adresse',
    summary: 'Öffentliche Adresse für Agenten, endet auf /mcp. Die fünf MCP-Einstellungen gehören zusammen.',
  },
  'integrations.mcp.authorization_server': {
    title: 'OAuth-Server',
    summary: 'OAuth-Server, der Token für Agenten ausstellt.',
  },
  'integrations.mcp.introspection_url': {
    title: 'Prüfadresse',
    summary: 'Adresse, unter der dieser OAuth-Server Token prüft.',
  },
  'integrations.mcp.client_id': { title: 'Client-ID', summary: 'Client-Name dieses Servers beim OAuth-Server.' },
  'integrations.mcp.client_secret': {
    title: 'Client-Geheimnis',
    summary: 'Client-Geheimnis dieses Servers beim OAuth-Server.',
  },
  'integrations.webhook.url': { title: 'Adresse', summary: 'Adresse, die Ereignisse empfängt.' },
  'integrations.webhook.token': {
    title: 'Zugriffstoken',
    summary: 'Token, der mit jedem Ereignis gesendet wird.',
  },
  'security.require_mfa': {
    title: 'Zweiten Faktor verlangen',
    summary: 'Wer sich mit einem Passwort anmeldet, braucht auch einen zweiten Faktor.',
  },
  'security.stay_signed_in': {
    title: 'Browser angemeldet lassen',
    summary:
      'Bietet an, angemeldet zu bleiben: 90 Tage lang, und bis der Browser 30 Tage nicht benutzt wurde. Ist es ' +
      'ausgeschaltet, enden solche Sitzungen wie üblich: nach 15 Minuten ohne Benutzung und nach 8 Stunden.',
  },
  'auth.url': {
    title: 'Öffentliche Adresse',
    summary:
      'Adresse, unter der Browser diesen Server erreichen, für Passkeys und die Anmeldung über andere Dienste. Bei Fernzugriff über HTTPS muss sie genau https:// und der vollständige Name sein.',
  },
  'logging.audit_retention': {
    title: 'Aufbewahrung des Änderungsprotokolls',
    summary: 'Wie lange aufgezeichnet bleibt, wer was geändert hat.',
  },
  'integrations.oidc.issuer': {
    title: 'Adresse des Ausstellers',
    summary:
      'Aussteller für die Anmeldung mit OpenID Connect, genau so, wie er sich nennt. Er kann im Heimnetz stehen, über https mit einem Zertifikat, dem dieser Server vertraut.',
  },
  'integrations.oidc.client_id': { title: 'Client-ID', summary: 'Client-Name dieses Servers beim Aussteller.' },
  'integrations.oidc.client_secret': {
    title: 'Client-Geheimnis',
    summary: 'Client-Geheimnis dieses Servers beim Aussteller, falls er eines hat.',
  },
  'integrations.oidc.redirect_url': {
    title: 'Weiterleitungsadresse',
    summary:
      'Adresse, an die der Aussteller den Browser zurückschickt: die Adresse dieser Oberfläche mit dem Pfad /oidc/callback. Trage dieselbe Adresse beim Aussteller ein.',
  },
  'integrations.oidc.identity_claim': {
    title: 'Claim, der die Person bezeichnet',
    summary:
      'Claim des ID-Tokens, der die Person bezeichnet. Eine E-Mail-Adresse zählt nur, wenn der Aussteller sie geprüft hat, und Adressen wechseln den Besitzer: Behalte sub, wenn der Aussteller nichts anderes vorgibt.',
  },
  'integrations.saml.url': {
    title: 'Adresse dieses Servers',
    summary:
      'Adresse dieser Oberfläche zu Hause, mit https, unter der sich Personen mit SAML anmelden. Nötig, wenn die öffentliche Adresse nur dem Fernzugriff dient. Unter ihr kennt der Identitätsanbieter diesen Server.',
    unset: 'Die öffentliche Adresse, auth.url',
  },
  'integrations.saml.metadata_url': {
    title: 'Adresse der Metadaten',
    summary:
      'Adresse der Metadaten des SAML-Identitätsanbieters, die täglich gelesen werden. Nicht zusammen mit metadata_xml. Sie darf im Heimnetz liegen, über https mit einem Zertifikat, dem dieser Server vertraut.',
  },
  'integrations.saml.metadata_xml': {
    title: 'Metadaten-Dokument',
    summary:
      'Die Metadaten des SAML-Identitätsanbieters selbst, wenn er keine Adresse dafür hat. Nicht zusammen mit metadata_url.',
  },
  'integrations.saml.identity_attribute': {
    title: 'Attribut, das die Person bezeichnet',
    summary:
      'Name des Attributs, das die Person bezeichnet, mit genau einem Wert; oder NameID. E-Mail-Adressen wechseln den Besitzer: Wähle einen Wert, der bei einer Person bleibt.',
  },
  'integrations.scim.token': {
    title: 'Zugriffstoken',
    summary:
      'Token, mit dem ein Verzeichnisdienst Profile über SCIM verwaltet. Braucht token_expires_at. Die Seite ' +
      'Verzeichnisdienst erstellt einen, der sofort gilt.',
  },
  'integrations.scim.token_expires_at': {
    title: 'Ablauf des Tokens',
    summary: 'Wann der SCIM-Token abläuft: in der Zukunft, und beim Speichern höchstens 90 Tage entfernt.',
  },
  'scanning.interval': {
    title: 'Üblicher Abstand der Scans',
    summary: 'Zeit zwischen zwei Scans der Bibliotheken, solange keine andere gewählt ist.',
  },
  'scanning.frequency': {
    title: 'Nach neuen Dateien suchen',
    summary: 'Wie oft die Bibliotheken nach hinzugefügten, geänderten und entfernten Dateien durchsucht werden.',
    labels: {
      default: 'Üblicher Abstand',
      off: 'Nie',
      '5m': 'Alle 5 Minuten',
      '15m': 'Alle 15 Minuten',
      '1h': 'Jede Stunde',
    },
  },
  'search.dialogue': {
    title: 'In Dialogen und Liedtexten suchen',
    summary:
      'Indiziert, was in Filmen gesagt und in Liedern gesungen wird, aus Textuntertiteln und Liedtexten. Videos mit ' +
      'eingebetteten Untertiteln werden dafür einmal im Hintergrund gelesen. Der Index belegt etwa 140 KB je Film; ' +
      'Abschalten löscht ihn.',
  },
  'metadata.language': {
    title: 'Sprache der Beschreibungen',
    summary: 'Sprache, in der Titel, Handlungen und Bilder beim Metadatenanbieter angefragt werden.',
    unset: 'Beschreibungen sind auf Englisch',
  },
  'metadata.country': {
    title: 'Land der Altersfreigaben',
    summary:
      'Land, dessen Freigaben gemeint sind, wenn eine Angabe wie PG, 12 oder A kein Land nennt. Ohne Auswahl gilt die ' +
      'strengste Bedeutung aller Länder.',
    unset: 'Die strengste Bedeutung aller Länder',
  },
  'logging.playback_retention': {
    title: 'Aufbewahrung des Wiedergabeverlaufs',
    summary: 'Wie lange aufgezeichnet bleibt, was abgespielt wurde.',
  },
  'subtitles.language': {
    title: 'Standardsprache',
    summary: 'Sprache, in der Untertitel abgerufen werden, wenn keine andere gewählt ist.',
    unset: 'Keine Sprache',
  },
  'subtitles.audit': {
    title: 'Timing nach Scans prüfen',
    summary:
      'Hört jedes neue Video nach einem Scan einmal ab und meldet Untertitel, die zeitlich nicht passen oder in einer ' +
      'anderen Sprache sind. Dabei wird nichts geändert.',
  },
  'subtitles.wanted': {
    title: 'Gewünschte Untertitel',
    summary:
      'Untertitel, die für jeden Film und jede Folge gewünscht sind: die Standardsprache und weitere Sprachen mit ihrer Art.',
  },
  'integrations.subtitles_a.url': {
    title: 'API-Adresse',
    summary: `API-Adresse von ${A.title}.`,
    unset: `Die übliche Adresse von ${A.title}`,
  },
  'integrations.subtitles_a.api_key': {
    title: 'API-Schlüssel',
    summary: `API-Schlüssel für ${A.title}.`,
  },
  'integrations.subtitles_b.url': {
    title: 'API-Adresse',
    summary: `API-Adresse von ${B.title}.`,
  },
  'integrations.subtitles_b.api_key': {
    title: 'API-Schlüssel',
    summary: `API-Schlüssel für ${B.title}; nötig ist auch die Erklärung darunter.`,
  },
  'integrations.subtitles_b.personal_use': {
    title: 'Ich nutze es persönlich',
    summary: `Erklärt, dass ${B.title} persönlich genutzt wird, wie die Bedingungen es verlangen.`,
  },
  'integrations.subtitles_c.url': {
    title: 'API-Adresse',
    summary: `API-Adresse von ${C.title}.`,
  },
  'integrations.subtitles_c.api_key': {
    title: 'API-Schlüssel',
    summary: `API-Schlüssel für ${C.title}, zusammen mit Benutzername und Passwort.`,
  },
  'integrations.subtitles_c.username': {
    title: 'Benutzername',
    summary: `Benutzername bei ${C.title}.`,
  },
  'integrations.subtitles_c.password': { title: 'Passwort', summary: `Passwort bei ${C.title}.` },
  'binaries.tesseract': {
    title: 'Lesen von Bilduntertiteln (tesseract)',
    summary: 'Das Programm tesseract, das Bilduntertitel liest.',
  },
  'binaries.whisper': {
    title: 'Transkription (whisper)',
    summary: 'Das Programm whisper, das aus Sprache Untertitel entwirft.',
  },
  'subtitles.transcription_model': {
    title: 'Modelldatei für die Transkription',
    summary: 'Modelldatei, mit der aus Sprache Untertitel entworfen werden.',
  },
  'subtitles.transcription_architecture': {
    title: 'Größe des Transkriptionsmodells',
    summary: 'Größe und Art der Modelldatei, mit der aus Sprache Untertitel entworfen werden.',
  },
  'binaries.fpcalc': {
    title: 'Audio-Fingerabdrücke (fpcalc)',
    summary: 'Das Programm fpcalc, das am Ton erkennt, wo Intro und Abspann sind.',
  },
  'playback.mode': {
    title: 'Direkt abspielen oder umwandeln',
    summary:
      '„Automatisch“ spielt Dateien unverändert ab und wandelt nur um, was ein Gerät nicht abspielen kann. „Nie umwandeln“ lässt manche Dateien auf manchen Geräten nicht laufen. „Größte Kompatibilität“ wandelt alles um, was nicht H.264 und AAC ist; für Geräte, die mehr versprechen, als sie abspielen.',
    labels: {
      automatic: 'Automatisch',
      direct: 'Nie umwandeln',
      compatible: 'Größte Kompatibilität: H.264 und AAC',
    },
  },
  'playback.autoplay': {
    title: 'Nächste Folge automatisch abspielen',
    summary:
      'Startet die nächste Folge 10 Sekunden nach dem Ende, wenn niemand abbricht oder das im Player ausgeschaltet hat.',
  },
  'playback.subtitles': {
    title: 'Untertitel beim Start',
    summary:
      'Schaltet Untertitel beim Start der Wiedergabe ein oder aus, solange Zuschauer nicht selbst gewählt haben.',
    labels: { on: 'An', off: 'Aus' },
    unset: 'Wie im Profil gewählt',
  },
  'playback.auto_skip': {
    title: 'Automatisch überspringen',
    summary:
      'Was der Player ungefragt überspringt; für alles andere gibt es einen Knopf, und 5 Sekunden lang lässt es sich rückgängig machen.',
    labels: {
      intro: 'Intros',
      recap: 'Rückblicke',
      commercial: 'Werbung',
      outro: 'Outros',
      credits: 'Abspann',
    },
  },
  'playback.remote_bitrate': {
    title: 'Bandbreitenlimit unterwegs',
    summary:
      'Höchste Bandbreite pro Person außerhalb des Heimnetzes; ein Video, das mehr braucht, wird passend umgewandelt.',
    unset: 'Kein Limit',
    hint: '8 Mbit/s reichen für 1080p.',
  },
  'transcoding.quality': {
    title: 'Tempo oder Qualität',
    summary:
      'Abwägung zwischen Tempo und Qualität beim Umwandeln. „Am schnellsten“ braucht am wenigsten Rechenzeit und sieht bei gleicher Bitrate schlechter aus. „Bestes Bild“ sieht besser aus, aber Auflösungen, die dieser Rechner nicht in Echtzeit schafft, entfallen. „Ausgewogen“ wählt die beste Qualität, die schnell genug ist.',
    labels: { automatic: 'Ausgewogen', speed: 'Am schnellsten', quality: 'Bestes Bild' },
  },
  'transcoding.accelerator': {
    title: 'Grafikhardware',
    summary:
      'Grafikhardware, die Video umwandelt, um ein Vielfaches schneller als der Prozessor. „Automatisch“ testet, was da ist, und verwendet, was besteht. Fällt die gewählte Hardware aus, übernimmt der Prozessor.',
    labels: {
      none: 'Keine, Prozessor verwenden',
      auto: 'Automatisch',
      vaapi: 'VA-API (Intel und AMD, Linux)',
      qsv: 'Intel Quick Sync',
      cuda: 'NVIDIA',
      videotoolbox: 'Apple VideoToolbox',
      rkmpp: 'Rockchip',
      v4l2m2m: 'Video4Linux (Raspberry Pi)',
      amf: 'AMD AMF (Windows)',
      mf: 'Windows Media Foundation',
    },
  },
  'transcoding.codec': {
    title: 'Videoformat nach dem Umwandeln',
    summary:
      'Das Format, in das umgewandelt wird. HEVC, AV1 und VP9 brauchen weniger Bandbreite, aber mehr Rechenzeit, und werden nur verwendet, wo das Gerät sie abspielt; sonst H.264.',
    labels: {
      auto: 'Automatisch',
      h264: 'H.264, läuft überall',
      hevc: 'HEVC, etwa halb so groß',
      av1: 'AV1, am kleinsten und langsamsten',
      vp9: 'VP9',
    },
  },
  'transcoding.tone_map': {
    title: 'HDR-Farben für gewöhnliche Bildschirme umwandeln',
    summary:
      'Passt die Farben von HDR-Video an gewöhnliche Bildschirme an, wenn es umgewandelt wird. Ausgeschaltet läuft HDR-Video nur auf HDR-Geräten.',
  },
  'backup.directory': { title: 'Backup-Ordner', summary: 'Ordner für verschlüsselte Backups.' },
  'backup.key': {
    title: 'Passphrase',
    summary: 'Passphrase, mit der Backups verschlüsselt werden. Ohne sie wird kein Backup erstellt.',
  },
  'backup.interval': { title: 'Abstand der Backups', summary: 'Zeit zwischen zwei Backups.' },
  'backup.retention': { title: 'Anzahl der Backups', summary: 'Wie viele Backups aufbewahrt werden.' },
} as const satisfies Readonly<Record<string, SettingText>>;
