/** Settings of remote access, the public name and its certificate in German. */
export const certificateSettingsGerman = {
  'remote.proxy_token': {
    title: 'Token des Gateways',
    summary:
      'Token, mit dem das Gateway beweist, dass der Adresse zu trauen ist, die es weitergibt. Er gilt nur am privaten ' +
      'Socket des Gateways.',
  },
  'remote.mode': {
    title: 'Fernzugriff',
    summary:
      'Zugriff von außerhalb des Heimnetzes, unter dem öffentlichen Namen über HTTPS mit einem Zertifikat, dem Browser ' +
      'vertrauen. Braucht auth.url und den Namen beim DNS-Anbieter.',
    labels: { off: 'Aus', https: 'HTTPS unter dem öffentlichen Namen' },
  },
  'remote.gateway': {
    title: 'Gateway verwenden',
    summary:
      'Ein Gateway auf diesem Gerät nimmt die Anfragen von außen an und reicht sie über einen privaten Socket weiter. ' +
      'Braucht remote.mode mit dem Wert https und remote.proxy_token.',
  },
  'remote.listen': {
    title: 'Adresse und Port',
    summary:
      'Adresse und Port, unter denen der Server Anfragen von außen beantwortet. Der Router leitet seinen Port 443 ' +
      'hierher. Mit dem Gateway nicht verwendet.',
  },
  'remote.dns_a_domain': {
    title: 'Subdomain',
    summary: 'Subdomain beim ersten DNS-Anbieter, für den Fernzugriff.',
  },
  'remote.dns_a_token': {
    title: 'Token des DNS-Anbieters',
    summary: 'Token beim ersten DNS-Anbieter, für den Fernzugriff.',
  },
  'acme.directory': {
    title: 'Adresse der Zertifizierungsstelle',
    summary: 'ACME-Verzeichnis der Stelle, die das Zertifikat des öffentlichen Namens ausstellt.',
  },
  'acme.probe_directory': {
    title: 'Adresse der Stelle für Prüfungen',
    summary:
      'ACME-Verzeichnis einer Zertifizierungsstelle für Tests. Sie wird gebeten, sich mit der öffentlichen Adresse zu verbinden, wenn ein Eigentümer den Fernzugriff prüft. Ein Zertifikat stellt sie nicht aus.',
  },
  'acme.resolver': {
    title: 'Nameserver für den Nachweis',
    summary:
      'Nameserver, der anstelle der zuständigen gefragt wird, ob der Nachweis für das Zertifikat zu sehen ist. ' +
      'Für Netze, aus denen die zuständigen nicht erreichbar sind.',
  },
  'acme.dns_a_url': {
    title: 'Adresse des ersten DNS-Anbieters',
    summary: 'Adresse, unter der Einträge des ersten DNS-Anbieters geändert werden.',
  },
  'acme.dns_b_url': {
    title: 'Adresse des zweiten DNS-Anbieters',
    summary: 'Adresse, unter der Einträge des zweiten DNS-Anbieters geändert werden.',
  },
  'remote.terms_accepted': {
    title: 'Nutzungsbedingungen der Zertifizierungsstelle annehmen',
    summary:
      'Nimmt die Nutzungsbedingungen der Stelle an, die das Zertifikat ausstellt. Vorher wird kein Zertifikat angefordert, ' +
      'und der Server ist von außen nicht erreichbar.',
  },
} as const;
