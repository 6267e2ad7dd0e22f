/** Settings of the public name and its certificate in German. */
export const certificateSettingsGerman = {
  'remote.dns_a_domain': {
    title: 'Subdomain',
    summary: 'Subdomain beim ersten DNS-Anbieter, für den Zugriff von außen.',
  },
  'remote.dns_a_token': {
    title: 'Token des DNS-Anbieters',
    summary: 'Token beim ersten DNS-Anbieter, für den Zugriff von außen.',
  },
  'acme.directory': {
    title: 'Adresse der Zertifizierungsstelle',
    summary: 'ACME-Verzeichnis der Stelle, die das Zertifikat des öffentlichen Namens ausstellt.',
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
  'remote.terms_accepted': {
    title: 'Nutzungsbedingungen der Zertifizierungsstelle annehmen',
    summary:
      'Nimmt die Nutzungsbedingungen der Stelle an, die das Zertifikat ausstellt. Vorher wird sie nichts gefragt, ' +
      'und der Server ist von außen nicht erreichbar.',
  },
} as const;
