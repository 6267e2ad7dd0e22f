/** Which language to propose: the first of this browser's that is offered, or its base. Pure. */
export function proposedLanguage(preferred: readonly string[], offered: readonly string[]): string {
  for (const tag of preferred) {
    const parts = tag.toLowerCase().split('-');
    for (let length = parts.length; length > 0; length--) {
      const found = parts.slice(0, length).join('-');
      if (offered.includes(found)) return found;
    }
  }
  return 'en';
}
