/** What a client sends to `/check-vat-number`. */
interface ViesQuery {
  countryCode: string;
  vatNumber: string;
  requesterMemberStateCode?: string;
  requesterNumber?: string;
}

const COMPANIES: Readonly<Record<string, { name: string; address: string }>> = {
  FR40303265045: { name: 'BOULANGERIE DU PORT SARL', address: '1 QUAI\n33000 BORDEAUX' },
  DE136695976: { name: '---', address: '---' },
  EL094259216: { name: 'ΛΙΜΑΝΙ ΑΕ', address: '---' },
  ESB12345674: { name: '---', address: '---' },
  ESB76543214: { name: '---', address: '---' },
};

/** Consultation number of a query with the VAT number of the requester. */
export const CONSULTATION_NUMBER = 'WAPIAAAAYtest0001';

const buildFailure = (error: string) => ({ actionSucceed: false, errorWrappers: [{ error }] });

/** Response of VIES; null if the path is unknown. Numbers of Ireland cannot be queried. */
export function respondVies(path: string, body: string): object | null {
  if (path !== '/check-vat-number') return null;
  const { countryCode, vatNumber, requesterMemberStateCode, requesterNumber } = JSON.parse(body) as ViesQuery;
  if (countryCode === 'IE') return buildFailure('MS_UNAVAILABLE');
  if (!/^[0-9A-Za-z+*.]{2,12}$/.test(vatNumber)) return buildFailure('INVALID_INPUT');
  const requester = `${requesterMemberStateCode ?? ''}${requesterNumber ?? ''}`;
  if (requester !== '' && COMPANIES[requester] === undefined) return buildFailure('INVALID_REQUESTER_INFO');
  const company = COMPANIES[`${countryCode}${vatNumber}`];
  const notProcessed = 'NOT_PROCESSED';
  return {
    countryCode,
    vatNumber,
    requestDate: '2026-11-21T07:24:03.811Z',
    valid: company !== undefined,
    requestIdentifier: requester === '' ? '' : CONSULTATION_NUMBER,
    name: company?.name ?? '---',
    address: company?.address ?? '---',
    traderName: '---',
    traderStreet: '---',
    traderPostalCode: '---',
    traderCity: '---',
    traderCompanyType: '---',
    traderNameMatch: notProcessed,
    traderStreetMatch: notProcessed,
    traderPostalCodeMatch: notProcessed,
    traderCityMatch: notProcessed,
    traderCompanyTypeMatch: notProcessed,
  };
}
