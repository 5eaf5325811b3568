/** What is to be said where a client is not in the version that its facts were read in; nothing where it is. */
export const versionNotes = (name: string, read: string, found: string): string[] =>
  found === read ? [] : [`its definitions were read in ${name} ${read}; this is ${found} and may differ`];
