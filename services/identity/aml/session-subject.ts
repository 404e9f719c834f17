import { alpha3ToAlpha2 } from 'i18n-iso-countries';
import type { ClientSession } from 'mongoose';
import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import type { FollowOn } from '../../../domain/identity/sessions/steps';
import { Check, isCheckOf } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { scopeOf } from '../sessions/session-store';

const alpha2 = (code: string | null | undefined): string | undefined =>
  code === null || code === undefined ? undefined : (alpha3ToAlpha2(code) ?? undefined);

const GENDERS: Readonly<Record<string, 'male' | 'female'>> = { M: 'male', F: 'female' };

const named = (...parts: (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ');

/** Who is expected, by what the session was created with. */
function expectedSubject({ expected }: SessionRecord): ScreeningQuery | null {
  const fullName = named(expected?.firstName, expected?.lastName);
  if (expected === null || fullName === '') return null;
  return {
    fullName,
    entityType: 'person',
    dateOfBirth: expected.dateOfBirth,
    nationality: alpha2(expected.nationality),
    documentNumber: expected.documentNumber,
  };
}

/** Who the document names; the date of birth, nationality and number it states go with the name. */
function documentSubject(check: CheckRecord): ScreeningQuery | null {
  if (!isCheckOf(check, 'id_verification') || check.result === null) return null;
  const { firstName, lastName, fullName, dateOfBirth, nationality, documentNumber, sex } = check.result;
  const name = named(firstName, lastName) || named(fullName);
  if (name === '') return null;
  return {
    fullName: name,
    entityType: 'person',
    dateOfBirth: dateOfBirth ?? undefined,
    nationality: alpha2(nationality),
    documentNumber: documentNumber ?? undefined,
    gender: GENDERS[sex ?? ''],
  };
}

/**
 * The person a session screens: as the document names them, else as the session expects them.
 * @returns null where neither names anyone
 */
export async function sessionSubject(
  session: SessionRecord,
  sources: FollowOn['sources'],
  transaction: ClientSession,
): Promise<ScreeningQuery | null> {
  const document =
    sources.id === undefined
      ? null
      : await Check.findOne({ _id: sources.id, ...scopeOf(session), deletedAt: null })
          .session(transaction)
          .lean<CheckRecord>();
  return (document === null ? null : documentSubject(document)) ?? expectedSubject(session);
}
