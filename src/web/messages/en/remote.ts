/** English: access from outside. */
export const remoteEnglish = {
  lead: 'Watch away from home at an address of your own, over HTTPS. From outside, people only watch: passwords are not accepted there, and nothing is administered.',
  couldNotBeRead: 'The state of access from outside could not be read',
  state: 'State',
  off: 'Off',
  notOpenYet: 'Not open yet',
  open: 'Open',
  cut: 'Cut',
  doesNotWork: 'Does not work',
  offSays: 'Matinee can be reached in your home network only.',
  offUntilRestart: 'Access from outside is saved. It begins with the next restart of the server.',
  waitsForTerms: 'Access from outside is not open yet: the terms of the certificate authority have to be accepted.',
  waitsForCertificate: 'Access from outside is not open yet: the server waits for its certificate.',
  openAndSeen: ({ when }: { when: string }) =>
    `Matinee can be reached from outside. The last request from there: ${when}.`,
  openNotSeen:
    'The server listens for access from outside. No device out there has reached it since it started, so it is not known yet whether the router lets one in.',
  failingSays: ({ why }: { why: string }) => `Access from outside does not work. ${why}`,
  cutSays: ({ when }: { when: string }) =>
    `An Owner has cut access from outside (${when}). It stays cut, after a restart too, until an Owner allows it here, at home, with a proof that it is them. Everyone has to sign in again then.`,
  cutAccess: 'Cut access from outside',
  cutAccessSays:
    'Cuts everything that is open from outside at once and signs everyone out there. At home nothing changes.',
  isCut: 'Access from outside is cut.',
  allowAgain: 'Allow access again',
  isAllowed: 'Access from outside is allowed again.',

  setUp: 'Set-up',
  done: 'Done',
  next: 'Next',
  later: 'Later',
  failed: 'Failed',
  unknown: 'Unknown',
  ok: 'OK',

  chooseAName: 'Choose a name',
  dnsProvider: 'DuckDNS',
  getAName: ({ provider }: { provider: string }) =>
    `Sign in at ${provider}, create a free subdomain, and enter it here with the token that the page shows. The server then keeps the name on the address of your connection. Names of other providers do not work for access from outside.`,
  subdomain: 'Subdomain',
  subdomainHint: ({ address }: { address: string }) => `Your address will be ${address}`,
  token: 'Token',
  tokenHint: 'Whoever has it can move your name, so treat it like a password.',
  tokenKept: 'A token is saved. Leave this empty to keep it.',
  addressChanges: ({ old }: { old: string }) =>
    `So far the public address is ${old}. Identity providers return there: change the address at them, too.`,
  passkeysChange:
    'Passkeys belong to one address. Those that were added at another one stop working after the restart, on this device too; recovery codes and passwords still work at home.',
  addressIsFixed: ({ address, needed }: { address: string; needed: string }) =>
    `The public address is set outside as ${address}, and has to be ${needed} for this name.`,
  saveName: 'Save and turn on',
  nameIs: ({ address }: { address: string }) => `Your address is ${address}`,
  restartToUse: 'Saved. Restart the server to use it; the next steps follow then.',
  restartNow: 'Restart now',
  turnOff: 'Turn off access from outside',
  turnedOff: 'Access from outside is off after the next restart.',
  otherName: ({ advanced }: { advanced: string }) =>
    `To use another name, turn access off first. The token and the port can be changed under ${advanced}.`,
  advanced: 'Advanced',
  isSet: 'set',

  acceptTheTerms: 'Accept the terms',
  termsSay:
    'The certificate authority issues the certificate that browsers trust. It is asked nothing before you accept its terms, and the name stays without a certificate until then.',
  readTheTerms: ({ host }: { host: string }) => `Terms at ${host}`,
  iAccept: 'I have read the terms and accept them',
  termsAreAccepted: 'The terms of the certificate authority are accepted.',

  forwardThePort: 'Forward a port in the router',
  forwardSays:
    'Open the page of your router. It calls this port forwarding, port sharing, virtual server or NAT. Enter these values. Matinee opens nothing in the router by itself.',
  portOutside: 'Port outside (TCP)',
  toTheAddress: 'To the address',
  toThePort: 'To the port',
  addressUnknown:
    'The address of this machine in your home network. This page was opened by a name, so it does not know it; the list of devices in the router has it.',
  noOtherPort: ({ port }: { port: string }) =>
    `Forward no other port, and never ${port}, which is for the home. If the server has a firewall, let the port in there, too.`,
  gatewaySays:
    'A gateway on this machine takes the requests from outside. Lead port 443 of the router to the port at which it listens.',
  routerUnknown: 'The server cannot see the rules of the router. The last step shows whether this one works.',
  routerWorks: 'A device outside has reached the server, so the router leads here.',
  copyValue: ({ name }: { name: string }) => `Copy: ${name}`,
  copy: 'Copy',

  waitForTheCertificate: 'Wait for the certificate',
  waitSays: 'This takes a few minutes and needs nothing from you. This page shows the progress.',
  certificate: 'Certificate',
  validUntil: ({ date }: { date: string }) => `Valid until ${date}`,
  endedOn: ({ date }: { date: string }) => `Ended on ${date}`,
  nextAttempt: ({ when }: { when: string }) => `Next attempt: ${when}`,
  renewedByItself: 'It is renewed while the server runs. Nothing has to be restarted.',
  certificateOff: 'None yet',
  certificateWaiting: 'Waits for the terms',
  certificateOrdering: 'Is being obtained',
  certificateIssued: 'Issued',
  certificateRenewing: 'Is being renewed',
  certificateFailing: 'Could not be obtained',

  checkFromAPhone: 'Check from a phone',
  phoneSays: ({ address }: { address: string }) =>
    `Turn Wi-Fi off on a phone, so that it uses the mobile network, and open ${address}. This page shows when it has arrived.`,
  qrCode: ({ address }: { address: string }) => `QR code of ${address}`,
  arrived: ({ when }: { when: string }) => `A device outside has reached the server: ${when}.`,
  proofSays:
    'The server can also ask a third party to connect, a certificate authority of tests. It learns only the public name. Four times a day.',
  prove: 'Check without a phone',
  notArrived: 'No device outside has arrived yet.',

  checks: 'Checks',
  checkTerms: 'Terms',
  checkAddress: 'Name',
  checkCertificate: 'Certificate',
  checkListener: 'This server',
  checkReached: 'From outside',
  checkHomePort: 'Port for the home',
};
