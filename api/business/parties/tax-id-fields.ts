import { z } from 'zod';
import { TAX_ID_VERIFICATION_STATUSES } from '../../../domain/business/parties/tax-id-verification';
import type { TaxIdVerification } from '../../../models/business/parties/tax-id-verification';
import { instant } from '../fields';

export const taxIdVerificationSchema = z.object({
  id: z.string(),
  taxId: z.string(),
  status: z.enum(TAX_ID_VERIFICATION_STATUSES),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why there is no result yet, such as `vies_ms_unavailable`; the query is repeated.' }),
  requestedAt: instant,
  checkedAt: instant.nullable().meta({ description: 'Time of the last query.' }),
  consultationNumber: z.string().nullable().meta({
    description: 'Number under which VIES proves the query; null unless the company has a valid VAT identifier.',
  }),
  name: z.string().nullable().meta({ description: 'As registered; null if the member state does not disclose it.' }),
  address: z.string().nullable(),
});

export const exampleTaxIdVerification = {
  id: 'txv_01JQZ5D7F9H1K3M5P7R9T1V3X5',
  taxId: 'DE123456788',
  status: 'valid' as const,
  reason: null,
  requestedAt: '2026-11-21T10:00:00.000+01:00',
  checkedAt: '2026-11-21T10:00:01.000+01:00',
  consultationNumber: 'WAPIAAAAYsGB9Tmj',
  name: null,
  address: null,
};

/** A verification as the API shows it. */
export const presentTaxIdVerification = (verification: TaxIdVerification) => ({
  id: verification.id,
  taxId: verification.taxId,
  status: verification.status,
  reason: verification.reason,
  requestedAt: verification.requestedAt,
  checkedAt: verification.checkedAt,
  consultationNumber: verification.consultationNumber,
  name: verification.name,
  address: verification.address,
});

/** The last verification of a holder; null if there was none. */
export const presentHolderVerification = ({
  taxIdVerification,
}: {
  taxIdVerification?: TaxIdVerification | null | undefined;
}) => (taxIdVerification == null ? null : presentTaxIdVerification(taxIdVerification));
