/** English: remote access. */
export const remoteEnglish = {
  lead: 'Watch away from home at your own address, over HTTPS. From outside, people can only watch: passwords are not accepted there, and the server cannot be managed.',
  couldNotBeRead: 'The state of remote access could not be read',
  state: 'State',
  off: 'Off',
  notOpenYet: 'Not open yet',
  open: 'Open',
  cut: 'Cut off',
  doesNotWork: 'Does not work',
  offSays: 'Matinee can be reached in your home network only.',
  offUntilRestart: 'Remote access is saved. It begins with the next restart of the server.',
  waitsForTerms: 'Remote access is not open yet: accept the terms of the certificate authority first.',
  waitsForCertificate: 'Remote access is not open yet: the server waits for its certificate.',
  openAndSeen: ({ when }: { when: string }) =>
    `Matinee can be reached from outside. The last request from there: ${when}.`,
  openNotSeen:
    'The server listens for remote access. No device outside has reached it since it started, so it is not clear yet whether the router lets requests through.',
  failingSays: ({ why }: { why: string }) => `Remote access does not work. ${why}`,
  cutSays: ({ when }: { when: string }) =>
    `An owner cut off remote access (${when}). It stays cut off, even after a restart, until an owner confirms their identity at home and allows it here again. Everyone then has to sign in again.`,
  cutAccess: 'Cut off remote access',
  cutAccessSays: 'Ends all connections from outside at once and signs everyone out there. Nothing changes at home.',
  isCut: 'Remote access is cut off.',
  allowAgain: 'Allow access again',
  isAllowed: 'Remote access is allowed again.',

  setUp: 'Setup',
  done: 'Done',
  next: 'Next',
  later: 'Later',
  failed: 'Failed',
  unknown: 'Unknown',
  ok: 'OK',

  chooseAName: 'Choose a name',
  dnsProvider: 'DuckDNS',
  getAName: ({ provider }: { provider: string }) =>
    `Sign in at ${provider}, create a free subdomain, and enter it here with the token that the page shows. The server then keeps the name pointed at your internet connection. Names from other providers do not work for remote access.`,
  subdomain: 'Subdomain',
  subdomainHint: ({ address }: { address: string }) => `Your address will be ${address}`,
  token: 'Token',
  tokenHint: 'Anyone who has it can redirect your name, so treat it like a password.',
  tokenKept: 'A token is saved. Leave this empty to keep it.',
  addressChanges: ({ old }: { old: string }) =>
    `The public address so far is ${old}. Identity providers send people back there, so change the address at your identity provider, too.`,
  passkeysChange:
    'Passkeys belong to one address. Those that were added at another one stop working after the restart, on this device too; recovery codes and passwords still work at home.',
  addressIsFixed: ({ address, needed }: { address: string; needed: string }) =>
    `The public address is set in the configuration file or the environment as ${address}, but has to be ${needed} for this name. Change it there.`,
  saveName: 'Save and turn on',
  nameIs: ({ address }: { address: string }) => `Your address is ${address}`,
  restartToUse: 'Saved. Restart the server to use it; the next steps follow then.',
  restartNow: 'Restart now',
  turnOff: 'Turn off remote access',
  turnedOff: 'Remote access is off after the next restart.',
  otherName: ({ advanced }: { advanced: string }) =>
    `To use another name, turn access off first. The token and the port can be changed under ${advanced}.`,
  advanced: 'Advanced',
  isSet: 'set',

  acceptTheTerms: 'Accept the terms',
  termsSay:
    'The certificate authority issues the certificate that browsers trust. No certificate is requested until you accept its terms.',
  readTheTerms: ({ host }: { host: string }) => `Terms at ${host}`,
  iAccept: 'I have read the terms and accept them',
  termsAreAccepted: 'The terms of the certificate authority are accepted.',

  forwardThePort: 'Forward a port in the router',
  forwardSays:
    'Open the page of your router. It calls this port forwarding, port sharing, virtual server or NAT. Enter these values. Matinee does not change anything in the router.',
  portOutside: 'External port (TCP)',
  toTheAddress: 'To the address',
  toThePort: 'To the port',
  addressUnknown:
    'The address of this machine in your home network. This page was opened by a name and does not know the address; you find it in the device list of the router.',
  noOtherPort: ({ port }: { port: string }) =>
    `Forward no other port, and never ${port}, which is for the home network. If the server has a firewall, open the port there, too.`,
  gatewaySays:
    'A gateway on this machine takes the requests from outside. Forward port 443 of the router to the port that the gateway listens on.',
  routerUnknown: 'The server cannot see the rules of the router. The last step shows whether this one works.',
  routerWorks: 'A device outside has reached the server, so the port forwarding works.',
  copyValue: ({ name }: { name: string }) => `Copy: ${name}`,
  copy: 'Copy',

  waitForTheCertificate: 'Wait for the certificate',
  waitSays: 'This takes a few minutes and needs nothing from you. This page shows the progress.',
  certificate: 'Certificate',
  validUntil: ({ date }: { date: string }) => `Valid until ${date}`,
  endedOn: ({ date }: { date: string }) => `Expired on ${date}`,
  nextAttempt: ({ when }: { when: string }) => `Next attempt: ${when}`,
  renewedByItself: 'It is renewed while the server runs. Nothing has to be restarted.',
  certificateOff: 'None yet',
  certificateWaiting: 'Waiting for the terms',
  certificateOrdering: 'Being issued',
  certificateIssued: 'Issued',
  certificateRenewing: 'Being renewed',
  certificateFailing: 'Could not be issued',

  checkFromAPhone: 'Check from a phone',
  phoneSays: ({ address }: { address: string }) =>
    `Turn Wi-Fi off on a phone, so that it uses the mobile network, and open ${address}. This page shows when it has reached the server.`,
  qrCode: ({ address }: { address: string }) => `QR code of ${address}`,
  arrived: ({ when }: { when: string }) => `A device outside has reached the server: ${when}.`,
  proofSays:
    'The server can also ask a third party to connect: a test certificate authority, which learns only the public name. You can do this up to four times a day.',
  prove: 'Check without a phone',
  notArrived: 'No device outside has reached the server yet.',

  checks: 'Checks',
  checkTerms: 'Terms',
  checkAddress: 'Name',
  checkCertificate: 'Certificate',
  checkListener: 'This server',
  checkReached: 'From outside',
  checkHomePort: 'Home port',
};
