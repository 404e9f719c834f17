import { z } from 'zod';
import { findCompanyGaps } from '../../../services/business/documents/completeness';
import { printSampleInvoice } from '../../../services/business/documents/sample-invoice';
import { MAX_LOGO_BYTES, readLogo, removeLogo, setLogo } from '../../../services/business/settings/company-logo';
import { updateCompany } from '../../../services/business/settings/company-settings';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { buildPreviewResponse, PREVIEW_REPLY, PREVIEW_WAIT_MS } from '../documents/preview-responses';
import { buildEtagHeader, omitFields, parseIfMatch, stripReadOnlyFields } from '../revisions';
import {
  COMPANY_DERIVED,
  COMPANY_READ_ONLY,
  companyBody,
  companySchema,
  exampleCompany,
  LOGO_PATH,
  presentCompany,
} from './company-fields';

const companyReply = { schema: z.object({ data: companySchema }), example: { data: exampleCompany } };
const TAG = 'Configuration';

const read = defineRoute({
  method: 'get',
  path: '/api/config/company',
  operationId: 'getCompany',
  summary: 'Get the company',
  tag: TAG,
  permission: 'config:read',
  replies: { 200: { description: 'The company.', ...companyReply } },
  async handle(context) {
    const { company } = await getCaller(context);
    return {
      status: 200,
      headers: buildEtagHeader(company.version, company.derivedVersion),
      body: serializeResponse({ data: presentCompany(company) }, company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/company',
  operationId: 'updateCompany',
  summary: 'Update the company',
  description:
    'Changes the fields that are sent. Issued documents do not change. Read-only fields may be sent back unchanged. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  body: companyBody,
  bodyExample: { legalName: 'Example GmbH', iban: 'DE89 3704 0044 0532 0130 00', timeZone: 'Europe/Berlin' },
  replies: { 200: { description: 'The updated company.', ...companyReply } },
  errors: {
    409: '`base_currency_in_use`: documents or stock have been posted in the base currency.',
    412: 'The record has changed since the version that If-Match names.',
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const current = serializeResponse(presentCompany(caller.company), caller.company.timeZone);
    const input = stripReadOnlyFields(omitFields(body, COMPANY_DERIVED), current, COMPANY_READ_ONLY);
    const company = await updateCompany(context.platform, caller, input, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(company.version, company.derivedVersion),
      body: serializeResponse({ data: presentCompany(company) }, company.timeZone),
    };
  },
});

const preview = defineRoute({
  method: 'post',
  path: '/api/config/company/preview',
  operationId: 'previewCompany',
  summary: 'Print a sample invoice with changed settings',
  description:
    'The PDF of a sample invoice as it would look after `PUT /api/config/company` with the same body, with the stamp "Draft". Nothing is changed. The response waits for the file at most 25 s; it is deleted after about a day.',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  body: companyBody,
  bodyExample: { legalName: 'Example GmbH', paymentNote: 'Thank you for your order.' },
  ...PREVIEW_REPLY,
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const current = serializeResponse(presentCompany(caller.company), caller.company.timeZone);
    const input = stripReadOnlyFields(omitFields(body, COMPANY_DERIVED), current, COMPANY_READ_ONLY);
    return buildPreviewResponse(await printSampleInvoice(context.platform, caller, input, PREVIEW_WAIT_MS));
  },
});

const completeness = defineRoute({
  method: 'get',
  path: '/api/config/company/completeness',
  operationId: 'getCompanyCompleteness',
  summary: 'Check the company for mandatory details',
  description:
    'Lists the details that the law of the company’s country requires on every invoice and the company lacks. With `completenessChecks` on, invoices are rejected until they are supplied.',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  replies: {
    200: {
      description: 'The missing details.',
      schema: z.object({
        data: z.object({
          complete: z.boolean(),
          missing: z.array(
            z.object({
              rule: z.string().meta({ description: 'Id of the requirement, such as DE-TAX-NUMBER.' }),
              field: z.string().meta({ description: 'Field of the company that supplies the detail.' }),
              problem: z.string(),
            }),
          ),
        }),
      }),
      example: {
        data: {
          complete: false,
          missing: [
            { rule: 'SELLER-ADDRESS', field: 'address', problem: 'the seller needs a street (line1) and a city' },
          ],
        },
      },
    },
  },
  async handle(context) {
    const { company } = await getCaller(context);
    const missing = findCompanyGaps(company).map((gap) => ({ ...gap, field: gap.field.replace('company.', '') }));
    return { status: 200, body: { data: { complete: missing.length === 0, missing } } };
  },
});

const showLogo = defineRoute({
  method: 'get',
  path: LOGO_PATH,
  operationId: 'getCompanyLogo',
  summary: 'Get the logo',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  replies: { 200: { description: 'The image, PNG or JPEG.', contentType: 'image/*' } },
  async handle(context) {
    const { bytes, contentType } = await readLogo(context.platform, await getCaller(context));
    return { status: 200, bytes, contentType, headers: { 'X-Content-Type-Options': 'nosniff' } };
  },
});

const putLogo = defineRoute({
  method: 'put',
  path: LOGO_PATH,
  operationId: 'setCompanyLogo',
  summary: 'Set the logo',
  description:
    'The logo is printed on documents that are issued from now on; issued documents keep theirs. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  files: {
    logo: { required: true, description: `PNG or JPEG image of at most ${MAX_LOGO_BYTES / 1024 / 1024} MB.` },
  },
  replies: { 200: { description: 'The updated company.', ...companyReply } },
  errors: {
    412: 'The record has changed since the version that If-Match names.',
    413: 'The logo is larger than 1 MB.',
  },
  async handle(context, { files }) {
    const caller = await getCaller(context);
    const bytes = files['logo']?.body ?? Buffer.alloc(0);
    const company = await setLogo(context.platform, caller, bytes, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(company.version, company.derivedVersion),
      body: serializeResponse({ data: presentCompany(company) }, company.timeZone),
    };
  },
});

const deleteLogo = defineRoute({
  method: 'delete',
  path: LOGO_PATH,
  operationId: 'removeCompanyLogo',
  summary: 'Remove the logo',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  replies: { 200: { description: 'The updated company.', ...companyReply } },
  errors: { 412: 'The record has changed since the version that If-Match names.' },
  async handle(context) {
    const caller = await getCaller(context);
    const company = await removeLogo(context.platform, caller, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(company.version, company.derivedVersion),
      body: serializeResponse({ data: presentCompany(company) }, company.timeZone),
    };
  },
});

export const companyRoutes: readonly Route[] = [read, update, preview, completeness, showLogo, putLogo, deleteLogo];
