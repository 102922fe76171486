// Controls mean nothing in a file for people, XML cannot hold most of them even escaped, and those that turn the
// direction of text can make it say something else than it does.
const unprintable = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu

/** Text that any file can hold: whatever came from a target or a script, it cannot break the format around it. */
export const printable = (text: string): string => text.toWellFormed().replaceAll(unprintable, '\ufffd')
