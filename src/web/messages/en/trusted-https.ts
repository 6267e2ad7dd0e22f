/** English: trusted HTTPS at home. */
export const trustedHttpsEnglish = {
  lead: 'Open Matinee at home under a name, without a browser warning. The name leads to the private address of the server, and a certificate authority confirms it. Nothing is opened to the outside.',
  couldNotBeRead: 'The state of HTTPS at home could not be read',
  underWay: 'In progress',
  works: 'Works',
  offSays:
    'Browsers warn about the certificate of this server, because the server has signed it itself. With a name of your own the warning goes away.',
  offUntilRestart: 'A name is saved in the settings. It is used after the next restart of the server.',
  underWaySays: 'The name and its certificate are being set up. This takes a few minutes and needs nothing from you.',
  worksSays: 'Devices in your home network open Matinee at this address without a warning.',
  failingSays: ({ why }: { why: string }) => `This does not work as it should. ${why}`,
  change: 'Change',
  turnOff: 'Turn off HTTPS at home',
  turnOffQuestion: 'Turn off HTTPS at home?',
  forgets: ({ name }: { name: string }) =>
    `The server forgets ${name} and its token at once. It then shows its own certificate there, and browsers that have already opened this name refuse it with no way to continue.`,
  othersStay: 'All other addresses of the server work as before.',
  staysAtProvider: ({ provider, address }: { provider: string; address: string }) =>
    `At ${provider} the name leads to ${address} until you change or delete it there.`,
  certificateStays: 'The certificate stays on the disk of the server. It is used again if you set up the same name.',
  passkeysEnd:
    'Passkeys that were added at this name do not work until it is set up again. Passwords and recovery codes still do.',
  passkeysMove:
    'Passkeys belong to this name from then on. Those that were added at another one stop working; passwords and recovery codes still do.',
  openedHere: ({ address }: { address: string }) =>
    `You have opened this page at this name. To continue, open the server at another address, such as ${address}.`,
  isOff: 'HTTPS at home is off.',

  routerDrops: 'Allow the name in the router',
  routerDropsSays:
    'Many routers drop names that lead to private addresses. Allow this name there, or let the devices use another name server. This page shows within a minute or two whether it helped.',
  fritzBox: 'FRITZ!Box',
  fritzBoxPath: 'Home Network, Network, Network Settings, DNS Rebind Protection',
  dnsmasq: 'dnsmasq, OpenWrt',
  dnsmasqLine: ({ name }: { name: string }) => `rebind-domain-ok=/${name}/`,
  unbound: 'Unbound, pfSense, OPNsense',
  unboundLine: ({ name }: { name: string }) => `private-domain: "${name}"`,

  remoteIsOn: ({ access }: { access: string }) =>
    `Remote access is on and has its own certificate. A server has one or the other: turn it off under ${access} first, and restart the server.`,
  httpsIsOff: ({ advanced }: { advanced: string }) =>
    `This server answers without HTTPS. Turn HTTPS on under ${advanced} first, and restart the server.`,
  restartFirst: 'Restart the server first: a change that this needs is saved but not in effect yet.',

  provider: 'DNS provider',
  duckDns: 'DuckDNS',
  deSec: 'deSEC',
  getASubdomain: ({ provider }: { provider: string }) =>
    `Sign in at ${provider}, create a free subdomain, and enter it here with the token that the page shows.`,
  getAFullName: ({ provider }: { provider: string }) =>
    `Sign in at ${provider}, create a free name such as film.dedyn.io, and enter it here in full with a token that may change the records of that name.`,
  fullName: 'Full name',
  nameHint: ({ address }: { address: string }) => `You will open ${address}`,
  address: 'Private address of the server',
  addressHint:
    'An IPv4 address of your home network, such as 192.168.1.10, or the name of the server there if it leads to exactly one. Give the server a fixed address in the router, because the name does not follow a change.',
  isPublic:
    'The name becomes public: certificates are listed in public logs, and everyone can look up its private address. That does not make the server reachable from outside.',
  terms: 'Terms of the certificate authority',
  termsSay:
    'The certificate authority issues the certificate that browsers trust. No certificate is requested until you accept its terms.',
  termsOf: ({ host }: { host: string }) => `The terms are those of the certificate authority at ${host}.`,
  save: 'Save and start',
  isSaved: 'Saved. Setup has started.',
  subdomainFault: 'Enter the subdomain alone: letters, digits and hyphens.',
  fullNameFault: 'Enter the full name, such as film.dedyn.io.',
  tokenFault: ({ provider }: { provider: string }) => `This is not a token from ${provider}. Copy the token again.`,
  tokenMissing: ({ provider }: { provider: string }) => `No token for ${provider} is saved. Enter it here.`,
  addressFault: 'Enter a private IPv4 address, or a name at home that leads to exactly one.',

  checkAddress: 'Name at the provider',
  checkName: 'Name in this network',
};
