/** German: trusted HTTPS at home. */
import type { Translation } from '../catalogue.ts';
import type { trustedHttpsEnglish } from '../en/trusted-https.ts';

export const trustedHttpsGerman: Translation<typeof trustedHttpsEnglish> = {
  lead: 'Matinee zu Hause unter einem Namen öffnen, ohne Warnung des Browsers. Der Name führt zur privaten Adresse des Servers, und eine Zertifizierungsstelle bestätigt ihn. Nach außen wird nichts geöffnet.',
  couldNotBeRead: 'Der Zustand von HTTPS zu Hause ließ sich nicht lesen',
  underWay: 'In Arbeit',
  works: 'Funktioniert',
  offSays:
    'Browser warnen vor dem Zertifikat dieses Servers, weil er es selbst ausgestellt hat. Mit einem eigenen Namen verschwindet die Warnung.',
  offUntilRestart: 'In den Einstellungen ist ein Name gespeichert. Er gilt nach dem nächsten Neustart des Servers.',
  underWaySays: 'Der Name und sein Zertifikat werden eingerichtet. Das dauert einige Minuten, und du musst nichts tun.',
  worksSays: 'Geräte im Heimnetz öffnen Matinee unter dieser Adresse ohne Warnung.',
  failingSays: ({ why }) => `Das funktioniert noch nicht, wie es soll. ${why}`,
  change: 'Ändern',
  turnOff: 'HTTPS zu Hause ausschalten',
  turnOffQuestion: 'HTTPS zu Hause ausschalten?',
  forgets: ({ name }) =>
    `Der Server vergisst ${name} und den Token sofort. Er zeigt dort dann sein eigenes Zertifikat, und Browser, die diesen Namen schon geöffnet haben, lehnen ihn ab, ohne dass man trotzdem fortfahren kann.`,
  othersStay: 'Alle anderen Adressen des Servers funktionieren wie bisher.',
  staysAtProvider: ({ provider, address }) =>
    `Bei ${provider} führt der Name zu ${address}, bis du ihn dort änderst oder löschst.`,
  certificateStays:
    'Das Zertifikat bleibt auf der Festplatte des Servers. Richtest du denselben Namen wieder ein, gilt es weiter.',
  passkeysEnd:
    'Passkeys, die unter diesem Namen hinzugefügt wurden, gelten erst wieder, wenn er wieder eingerichtet ist. Passwörter und Wiederherstellungscodes gelten weiter.',
  passkeysMove:
    'Passkeys gehören dann zu diesem Namen. Solche, die unter einem anderen hinzugefügt wurden, gelten nicht mehr; Passwörter und Wiederherstellungscodes gelten weiter.',
  openedHere: ({ address }) =>
    `Diese Seite ist unter diesem Namen geöffnet. Öffne den Server danach unter einer anderen Adresse, etwa ${address}.`,
  isOff: 'HTTPS zu Hause ist aus.',

  routerDrops: 'Den Namen im Router erlauben',
  routerDropsSays:
    'Viele Router verwerfen Namen, die zu privaten Adressen führen. Erlaube diesen Namen dort, oder lass die Geräte einen anderen Nameserver verwenden. Ob es geholfen hat, zeigt diese Seite nach ein bis zwei Minuten.',
  fritzBox: 'FRITZ!Box',
  fritzBoxPath: 'Heimnetz, Netzwerk, Netzwerkeinstellungen, DNS-Rebind-Schutz',
  dnsmasq: 'dnsmasq, OpenWrt',
  dnsmasqLine: ({ name }) => `rebind-domain-ok=/${name}/`,
  unbound: 'Unbound, pfSense, OPNsense',
  unboundLine: ({ name }) => `private-domain: "${name}"`,

  remoteIsOn: ({ access }) =>
    `Der Fernzugriff ist eingeschaltet und hat sein eigenes Zertifikat. Ein Server hat nur eines von beiden: Schalte ihn zuerst unter ${access} aus und starte den Server neu.`,
  httpsIsOff: ({ advanced }) =>
    `Dieser Server antwortet ohne HTTPS. Schalte HTTPS zuerst unter ${advanced} ein und starte den Server neu.`,
  restartFirst:
    'Starte zuerst den Server neu: Eine Änderung, die dafür nötig ist, ist gespeichert, gilt aber noch nicht.',

  provider: 'DNS-Anbieter',
  duckDns: 'DuckDNS',
  deSec: 'deSEC',
  getASubdomain: ({ provider }) =>
    `Melde dich bei ${provider} an, lege dort kostenlos eine Subdomain an und trage sie hier mit dem Token ein, den die Seite zeigt.`,
  getAFullName: ({ provider }) =>
    `Melde dich bei ${provider} an, lege dort kostenlos einen Namen wie film.dedyn.io an und trage ihn hier vollständig ein, mit einem Token, der die Einträge dieses Namens ändern darf.`,
  fullName: 'Vollständiger Name',
  nameHint: ({ address }) => `Du öffnest dann ${address}`,
  address: 'Private Adresse des Servers',
  addressHint:
    'Eine IPv4-Adresse im Heimnetz wie 192.168.1.10 oder der Name des Servers dort, wenn er zu genau einer führt. Gib dem Server im Router eine feste Adresse, denn der Name folgt einer Änderung nicht.',
  isPublic:
    'Der Name wird öffentlich: Zertifikate stehen in öffentlichen Verzeichnissen, und jeder kann die private Adresse dazu nachschlagen. Von außen erreichbar wird der Server dadurch nicht.',
  terms: 'Nutzungsbedingungen der Zertifizierungsstelle',
  termsSay:
    'Die Zertifizierungsstelle stellt das Zertifikat aus, dem Browser vertrauen. Ein Zertifikat wird erst angefordert, wenn du ihre Nutzungsbedingungen annimmst.',
  termsOf: ({ host }) => `Es gelten die Nutzungsbedingungen der Zertifizierungsstelle bei ${host}.`,
  save: 'Speichern und starten',
  isSaved: 'Gespeichert. Die Einrichtung hat begonnen.',
  subdomainFault: 'Gib nur die Subdomain an: Buchstaben, Ziffern und Bindestriche.',
  fullNameFault: 'Gib den vollständigen Namen an, etwa film.dedyn.io.',
  tokenFault: ({ provider }) => `Das ist kein Token von ${provider}. Kopiere den Token noch einmal.`,
  tokenMissing: ({ provider }) => `Für ${provider} ist kein Token gespeichert. Trage ihn hier ein.`,
  addressFault: 'Gib eine private IPv4-Adresse an oder einen Namen im Heimnetz, der zu genau einer führt.',

  checkAddress: 'Name beim Anbieter',
  checkName: 'Name in diesem Netz',
};
