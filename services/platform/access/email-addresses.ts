/** Canonical form of an email address, for lookups and the unique index. */
export const normaliseEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase();
