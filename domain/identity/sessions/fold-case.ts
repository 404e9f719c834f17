/** Text in the form in which it is compared without regard to case. */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();
