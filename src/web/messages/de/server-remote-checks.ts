/** German: what the checks of remote access found. One that is missing does not compile. */
import type { REMOTE_FAULT_TEXTS, RemoteCheckTexts } from '../../../contract/remote/check-texts.ts';
import { perLocale } from '../plural.ts';

const days = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const moments = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const day = (iso: string): string => days().format(new Date(iso));
const moment = (iso: string): string => moments().format(new Date(iso));

/** Faults of the certificate authority, of the DNS provider and of the server. */
export const remoteFaultsGerman: Pick<RemoteCheckTexts, keyof typeof REMOTE_FAULT_TEXTS> = {
  'clock-wrong': () => 'Die Uhr dieses Geräts weicht um Tage von der Uhr der Zertifizierungsstelle ab.',
  'ca-unreachable': () => 'Die Zertifizierungsstelle antwortet nicht.',
  'ca-broken': () => 'Die Antwort der Zertifizierungsstelle war nicht zu verstehen.',
  'ca-refused': () => 'Die Zertifizierungsstelle hat die Anfrage abgelehnt.',
  'ca-limited': () => 'Die Zertifizierungsstelle nimmt zurzeit keine weiteren Anfragen an.',
  'name-refused': () => 'Die Zertifizierungsstelle stellt für diesen Namen kein Zertifikat aus.',
  'proof-refused': () => 'Die Zertifizierungsstelle hat den Nachweis unter dem Namen nicht gefunden.',
  'proof-late': () => 'Die Nameserver haben den Nachweis drei Minuten lang nicht gezeigt.',
  'certificate-unfit': () => 'Das Zertifikat passt nicht zu seinem Schlüssel, zum Namen oder zum Datum.',
  'orders-used-up': () => 'In dieser Stunde wurden so viele Zertifikate bestellt, wie erlaubt sind.',
  'dns-refused': () => 'Der DNS-Anbieter nimmt den Token für diesen Namen nicht an.',
  'dns-unreachable': () => 'Der DNS-Anbieter antwortet nicht.',
  'dns-broken': () => 'Die Antwort des DNS-Anbieters war nicht zu verstehen.',
  'dns-limited': () => 'Der DNS-Anbieter nimmt zurzeit keine weiteren Anfragen an.',
  'storage-failed': () => 'Das Zertifikat lässt sich nicht speichern.',
  unexpected: () => 'Im Server ist etwas schiefgegangen; Einzelheiten nennt das Log.',
};

export const remoteChecksGerman: RemoteCheckTexts = {
  'terms-accepted': () => 'Die Nutzungsbedingungen der Zertifizierungsstelle sind angenommen.',
  'terms-open': () => 'Die Nutzungsbedingungen der Zertifizierungsstelle sind noch nicht angenommen.',
  'address-sent': () => 'Der Name führt zur Adresse deines Anschlusses.',
  'address-not-sent': () => 'Der DNS-Anbieter kennt die Adresse deines Anschlusses noch nicht.',
  'certificate-valid': ({ until }) => `Das Zertifikat gilt bis ${day(until)}.`,
  'certificate-ordered': () => 'Das Zertifikat wird gerade ausgestellt.',
  'certificate-waiting': () => 'Ein Zertifikat wird erst angefragt, wenn die Nutzungsbedingungen angenommen sind.',
  'listener-open': ({ port }) => `Der Server nimmt Fernzugriffe an Port ${port} an.`,
  'gateway-open': () => 'Der Server nimmt die Anfragen des Gateways an seinem privaten Socket an.',
  'listener-closed': () => 'Der Server nimmt keine Fernzugriffe an.',
  'listener-killed': () => 'Ein Eigentümer hat den Fernzugriff gesperrt.',
  'port-taken': ({ port }) => `Port ${port} ist von einem anderen Programm belegt.`,
  'port-forbidden': ({ port }) => `Der Benutzer des Servers darf an Port ${port} keine Verbindungen annehmen.`,
  'listen-address-unknown': () => 'Die eingestellte Adresse gehört nicht zu diesem Gerät.',
  'gateway-path-too-long': () => 'Der Pfad des Datenordners ist zu lang für einen Socket.',
  'listener-failed': () => 'Der Server kann von außen nicht angesprochen werden; den Grund nennt das Log.',
  'reached-from-outside': ({ at }) => `Am ${moment(at)} hat ein Gerät außerhalb des Heimnetzes den Server erreicht.`,
  'not-reached-yet': () =>
    'Seit dem Start hat kein Gerät außerhalb des Heimnetzes den Server erreicht. Das heißt nicht, dass keines es kann.',
  'proof-reached': ({ at }) => `Am ${moment(at)} hat sich eine dritte Stelle über die öffentliche Adresse verbunden.`,
  'proof-not-connected': () =>
    'Eine dritte Stelle konnte sich nicht mit Port 443 der öffentlichen Adresse verbinden. Vielleicht leitet der ' +
    'Router ihn nicht weiter, oder der Internetanbieter lässt keine Verbindung herein.',
  'proof-elsewhere': () =>
    'Eine dritte Stelle hat sich mit Port 443 der öffentlichen Adresse verbunden, aber etwas anderes als dieser ' +
    'Server hat geantwortet.',
  'proof-no-address': () => 'Eine dritte Stelle hat unter dem öffentlichen Namen keine Adresse gefunden.',
  'proof-running': () => 'Eine dritte Stelle wird gebeten, sich mit dem Server zu verbinden.',
  'home-port-forwarded': ({ at }) =>
    `Am ${moment(at)} kam eine Anfrage von außen am Port für das Heimnetz an. Der Router leitet einen Port weiter, ` +
    'der dafür nicht gedacht ist.',
  'home-port-quiet': () => 'Seit dem Start kam am Port für das Heimnetz keine Anfrage von außen an.',
  ...remoteFaultsGerman,
};
