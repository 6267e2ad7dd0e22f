/** German: remote access. */
import type { Translation } from '../catalogue.ts';
import type { remoteEnglish } from '../en/remote.ts';

export const remoteGerman: Translation<typeof remoteEnglish> = {
  lead: 'Unterwegs ansehen unter einer eigenen Adresse, über HTTPS. Von außen kann man nur ansehen: Passwörter gelten dort nicht, und der Server lässt sich nicht verwalten.',
  couldNotBeRead: 'Der Zustand des Fernzugriffs ließ sich nicht lesen',
  state: 'Zustand',
  off: 'Aus',
  notOpenYet: 'Noch nicht offen',
  open: 'Offen',
  cut: 'Gesperrt',
  doesNotWork: 'Funktioniert nicht',
  offSays: 'Matinee ist nur im Heimnetz erreichbar.',
  offUntilRestart: 'Der Fernzugriff ist gespeichert. Er beginnt mit dem nächsten Neustart des Servers.',
  waitsForTerms:
    'Der Fernzugriff ist noch nicht offen: Nimm zuerst die Nutzungsbedingungen der Zertifizierungsstelle an.',
  waitsForCertificate: 'Der Fernzugriff ist noch nicht offen: Der Server wartet auf sein Zertifikat.',
  openAndSeen: ({ when }) => `Matinee ist von außen erreichbar. Letzte Anfrage von dort: ${when}.`,
  openNotSeen:
    'Der Server nimmt Fernzugriffe an. Seit dem Start hat ihn von dort noch kein Gerät erreicht; ob der Router Anfragen durchlässt, ist also noch nicht bekannt.',
  failingSays: ({ why }) => `Der Fernzugriff funktioniert nicht. ${why}`,
  cutSays: ({ when }) =>
    `Ein Eigentümer hat den Fernzugriff gesperrt (${when}). Er bleibt gesperrt, auch nach einem Neustart, bis ein Eigentümer im Heimnetz seine Identität bestätigt und ihn hier wieder freigibt. Danach müssen sich alle neu anmelden.`,
  cutAccess: 'Fernzugriff sperren',
  cutAccessSays: 'Beendet sofort alle Verbindungen von außen und meldet dort alle ab. Zu Hause ändert sich nichts.',
  isCut: 'Der Fernzugriff ist gesperrt.',
  allowAgain: 'Zugriff wieder freigeben',
  isAllowed: 'Der Fernzugriff ist wieder freigegeben.',

  setUp: 'Einrichtung',
  done: 'Erledigt',
  next: 'Als Nächstes',
  later: 'Später',
  failed: 'Fehlgeschlagen',
  unknown: 'Unbekannt',
  ok: 'In Ordnung',

  chooseAName: 'Einen Namen wählen',
  dnsProvider: 'DuckDNS',
  getAName: ({ provider }) =>
    `Melde dich bei ${provider} an, lege dort kostenlos eine Subdomain an und trage sie hier mit dem Token ein, den die Seite zeigt. Der Server sorgt dann dafür, dass der Name zu deinem Anschluss führt. Namen anderer Anbieter funktionieren für den Fernzugriff nicht.`,
  subdomain: 'Subdomain',
  subdomainHint: ({ address }) => `Deine Adresse wird ${address}`,
  token: 'Token',
  tokenHint: 'Wer ihn hat, kann deinen Namen umleiten. Behandle ihn wie ein Passwort.',
  tokenKept: 'Ein Token ist gespeichert. Lass das Feld leer, um ihn zu behalten.',
  addressChanges: ({ old }) =>
    `Bisher ist die öffentliche Adresse ${old}. Identitätsanbieter leiten dorthin zurück; ändere die Adresse deshalb auch bei deinem Anbieter.`,
  passkeysChange:
    'Passkeys gehören zu einer Adresse. Solche, die unter einer anderen hinzugefügt wurden, gelten nach dem Neustart nicht mehr, auch nicht auf diesem Gerät; Wiederherstellungscodes und Passwörter gelten zu Hause weiter.',
  addressIsFixed: ({ address, needed }) =>
    `Die öffentliche Adresse ist in der Konfigurationsdatei oder der Umgebung als ${address} festgelegt, muss für diesen Namen aber ${needed} sein. Ändere sie dort.`,
  saveName: 'Speichern und einschalten',
  nameIs: ({ address }) => `Deine Adresse ist ${address}`,
  restartToUse: 'Gespeichert. Starte den Server neu, damit es gilt; danach folgen die nächsten Schritte.',
  restartNow: 'Jetzt neu starten',
  turnOff: 'Fernzugriff ausschalten',
  turnedOff: 'Nach dem nächsten Neustart ist der Fernzugriff aus.',
  otherName: ({ advanced }) =>
    `Für einen anderen Namen schalte den Zugriff zuerst aus. Token und Port lassen sich unter ${advanced} ändern.`,
  advanced: 'Erweitert',
  isSet: 'gesetzt',

  acceptTheTerms: 'Die Nutzungsbedingungen annehmen',
  termsSay:
    'Die Zertifizierungsstelle stellt das Zertifikat aus, dem Browser vertrauen. Ein Zertifikat wird erst angefordert, wenn du ihre Nutzungsbedingungen annimmst.',
  readTheTerms: ({ host }) => `Nutzungsbedingungen bei ${host}`,
  iAccept: 'Ich habe die Nutzungsbedingungen gelesen und nehme sie an',
  termsAreAccepted: 'Die Nutzungsbedingungen der Zertifizierungsstelle sind angenommen.',

  forwardThePort: 'Im Router einen Port weiterleiten',
  forwardSays:
    'Öffne die Oberfläche deines Routers. Dort heißt das Portweiterleitung, Portfreigabe, virtueller Server oder NAT. Trage diese Werte ein. Matinee ändert im Router nichts.',
  portOutside: 'Externer Port (TCP)',
  toTheAddress: 'An die Adresse',
  toThePort: 'An den Port',
  addressUnknown:
    'Die Adresse dieses Geräts im Heimnetz. Diese Seite wurde über einen Namen geöffnet und kennt sie deshalb nicht; sie steht in der Geräteliste des Routers.',
  noOtherPort: ({ port }) =>
    `Leite keinen anderen Port weiter und niemals ${port}, denn der ist für das Heimnetz. Hat der Server eine Firewall, öffne den Port auch dort.`,
  gatewaySays:
    'Ein Gateway auf diesem Gerät nimmt die Anfragen von außen an. Leite Port 443 des Routers an den Port, den das Gateway verwendet.',
  routerUnknown: 'Die Regeln des Routers kann der Server nicht sehen. Ob diese wirkt, zeigt der letzte Schritt.',
  routerWorks: 'Ein Gerät außerhalb des Heimnetzes hat den Server erreicht; die Weiterleitung funktioniert also.',
  copyValue: ({ name }) => `Kopieren: ${name}`,
  copy: 'Kopieren',

  waitForTheCertificate: 'Auf das Zertifikat warten',
  waitSays: 'Das dauert einige Minuten, und du musst nichts tun. Diese Seite zeigt den Fortschritt.',
  certificate: 'Zertifikat',
  validUntil: ({ date }) => `Gilt bis ${date}`,
  endedOn: ({ date }) => `Abgelaufen am ${date}`,
  nextAttempt: ({ when }) => `Nächster Versuch: ${when}`,
  renewedByItself: 'Es wird im laufenden Betrieb erneuert. Ein Neustart ist nicht nötig.',
  certificateOff: 'Noch keines',
  certificateWaiting: 'Wartet auf die Nutzungsbedingungen',
  certificateOrdering: 'Wird ausgestellt',
  certificateIssued: 'Ausgestellt',
  certificateRenewing: 'Wird erneuert',
  certificateFailing: 'Wurde nicht ausgestellt',

  checkFromAPhone: 'Mit einem Telefon prüfen',
  phoneSays: ({ address }) =>
    `Schalte an einem Telefon das WLAN aus, damit es das Mobilfunknetz benutzt, und öffne ${address}. Diese Seite zeigt, wenn es den Server erreicht hat.`,
  qrCode: ({ address }) => `QR-Code von ${address}`,
  arrived: ({ when }) => `Ein Gerät außerhalb des Heimnetzes hat den Server erreicht: ${when}.`,
  proofSays:
    'Der Server kann auch eine dritte Stelle bitten, sich zu verbinden: eine Zertifizierungsstelle für Tests. Sie erfährt nur den öffentlichen Namen. Das geht bis zu viermal am Tag.',
  prove: 'Ohne Telefon prüfen',
  notArrived: 'Von außen hat noch kein Gerät den Server erreicht.',

  checks: 'Prüfungen',
  checkTerms: 'Nutzungsbedingungen',
  checkAddress: 'Name',
  checkCertificate: 'Zertifikat',
  checkListener: 'Dieser Server',
  checkReached: 'Von außen',
  checkHomePort: 'Port für das Heimnetz',
};
