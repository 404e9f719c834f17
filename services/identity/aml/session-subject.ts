import { alpha3ToAlpha2 } from 'i18n-iso-countries/index';
import type { ClientSession } from 'mongoose';
import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import { getKnownPart } from '../../../domain/identity/documents/mrz/dates';
import type { FollowOn } from '../../../domain/identity/sessions/steps';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { findCheckOfSession } from '../checks/check-store';

const toAlpha2 = (code: string | null | undefined): string | undefined =>
  code === null || code === undefined ? undefined : (alpha3ToAlpha2(code) ?? undefined);

const GENDERS: Readonly<Record<string, 'male' | 'female'>> = { M: 'male', F: 'female' };

const joinNames = (...parts: (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ');

/** The expected person, by the details that the session was created with. */
function buildExpectedSubject({ expected }: SessionRecord): ScreeningQuery | null {
  const fullName = joinNames(expected?.firstName, expected?.lastName);
  if (expected === null || fullName === '') return null;
  return {
    fullName,
    entityType: 'person',
    dateOfBirth: expected.dateOfBirth,
    nationality: toAlpha2(expected.nationality),
    documentNumber: expected.documentNumber,
  };
}

/** The person named by the document, with the date of birth, nationality and number that it states. */
function buildDocumentSubject(check: CheckRecord): ScreeningQuery | null {
  if (!isCheckOfKind(check, 'id_verification') || check.result === null) return null;
  const { firstName, lastName, fullName, dateOfBirth, nationality, documentNumber, sex } = check.result;
  const name = joinNames(firstName, lastName) || joinNames(fullName);
  if (name === '') return null;
  return {
    fullName: name,
    entityType: 'person',
    dateOfBirth: dateOfBirth === null ? undefined : getKnownPart(dateOfBirth),
    nationality: toAlpha2(nationality),
    documentNumber: documentNumber ?? undefined,
    gender: GENDERS[sex ?? ''],
  };
}

/**
 * The person that a session screens: as named by the document, otherwise as expected by the session.
 * @returns null if neither names anyone
 */
export async function findSessionSubject(
  session: SessionRecord,
  sources: FollowOn['sources'],
  mongoSession: ClientSession,
): Promise<ScreeningQuery | null> {
  const document = sources.id === undefined ? null : await findCheckOfSession(session, sources.id, mongoSession);
  return (document === null ? null : buildDocumentSubject(document)) ?? buildExpectedSubject(session);
}
