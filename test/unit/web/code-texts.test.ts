import type { Schema } from 'mongoose';
import { FICTIONAL_LIST, PUBLISHED_LISTS } from '../../../services/identity/aml/catalogue';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import { CHECK_KINDS } from '../../../domain/identity/checks/checks';
import { ERROR_CODES, WORKER_CODES } from '../../../scripts/docs/texts/error-codes';
import { CODES_WITHOUT_CONSOLE_TEXT } from '../../support/console-texts';
import aml from '../../../web/console/locales/en/aml.json';
import failures from '../../../web/console/locales/en/failures.json';
import home from '../../../web/console/locales/en/home.json';
import reasons from '../../../web/console/locales/en/failure-reasons.json';

test('every published watch list has a name in the console', () => {
  expect(Object.keys(aml.listNames).sort()).toEqual([...Object.keys(PUBLISHED_LISTS), FICTIONAL_LIST.code].sort());
});

test('every reason of an ended delivery has a text in the console', () => {
  const { enumValues } = WebhookDelivery.schema.path('reason') as Schema.Types.String & {
    enumValues: (string | null)[];
  };
  const codes = enumValues.filter((code) => code !== null);
  expect(codes.length).toBeGreaterThan(0);
  for (const code of codes) expect(reasons).toHaveProperty(code);
});

/** Codes of workers that render documents; no check fails with one of them. */
const DOCUMENT_CODES = new Set(['pdf_unexpected', 'template_version_unknown']);

test('every kind of check, and every error code with which one can fail, has a text in the console', () => {
  expect(Object.keys(home.checkKind).sort()).toEqual([...CHECK_KINDS].sort());
  const codes = Object.keys(WORKER_CODES).filter((code) => !DOCUMENT_CODES.has(code));
  for (const code of [...codes, 'sandbox_failure', 'evidence_missing', 'evidence_altered'])
    expect(reasons).toHaveProperty(code);
});

test('every error code of a register, and of an outgoing request, has a text in the console', () => {
  const codes = Object.keys(WORKER_CODES).filter((code) => /^(register|egress)_/.test(code));
  for (const code of [...codes, 'timed_out', 'internal_error', 'unavailable']) expect(reasons).toHaveProperty(code);
});

test('every error code of the APIs that users of the console meet has a text in it', () => {
  const codes = Object.keys(ERROR_CODES).filter((code) => !CODES_WITHOUT_CONSOLE_TEXT.has(code));
  expect(Object.keys(failures).sort()).toEqual(codes.sort());
});
