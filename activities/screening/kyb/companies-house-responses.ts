import { z } from 'zod';

// The fields that are read of the responses of Companies House; its reference names them.

const optionalText = z.string().nullish();

/** An address as the register states it. */
export const addressSchema = z.object({
  premises: optionalText,
  address_line_1: optionalText,
  address_line_2: optionalText,
  locality: optionalText,
  region: optionalText,
  postal_code: optionalText,
  country: optionalText,
});

/** A number, or its digits. Not a coercion, which reads null and an empty text as 0. */
const wholeNumber = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number),
]);

/** A date that cannot be read counts as unknown: people are compared with watch lists by the year. */
export const birthSchema = z
  .object({
    year: wholeNumber.pipe(z.int().min(1000).max(9999)),
    month: wholeNumber.pipe(z.int().min(1).max(12)).nullish(),
  })
  .nullish()
  .catch(null);

/** `GET /search/companies`. */
export const searchSchema = z.object({
  items: z
    .array(
      z.object({
        title: z.string(),
        company_number: z.string(),
        company_status: optionalText,
        company_type: optionalText,
        date_of_creation: optionalText,
        date_of_cessation: optionalText,
        address: addressSchema.nullish(),
      }),
    )
    .nullish(),
});

/** `GET /company/{number}`. */
export const profileSchema = z.object({
  company_name: z.string(),
  company_number: z.string(),
  company_status: optionalText,
  type: optionalText,
  date_of_creation: optionalText,
  date_of_cessation: optionalText,
  registered_office_address: addressSchema.nullish(),
  service_address: addressSchema.nullish(),
  previous_company_names: z.array(z.object({ name: z.string() })).nullish(),
});

/** `GET /company/{number}/officers`. */
export const officersSchema = z.object({
  total_results: z.number().nullish(),
  items: z
    .array(
      z.object({
        name: z.string(),
        officer_role: optionalText,
        appointed_on: optionalText,
        resigned_on: optionalText,
        nationality: optionalText,
        country_of_residence: optionalText,
        date_of_birth: birthSchema,
      }),
    )
    .nullish(),
});

/** `GET /company/{number}/persons-with-significant-control`. */
export const pscSchema = z.object({
  total_results: z.number().nullish(),
  items: z
    .array(
      z.object({
        name: optionalText,
        name_elements: z
          .object({
            forename: optionalText,
            other_forenames: optionalText,
            middle_name: optionalText,
            surname: optionalText,
          })
          .nullish(),
        kind: optionalText,
        natures_of_control: z.array(z.string()).nullish(),
        nationality: optionalText,
        country_of_residence: optionalText,
        date_of_birth: birthSchema,
        identification: z.object({ registration_number: optionalText, country_registered: optionalText }).nullish(),
        notified_on: optionalText,
        ceased_on: optionalText,
      }),
    )
    .nullish(),
});
