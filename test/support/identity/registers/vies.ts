/** Response of VIES to a path; null if nothing is found. */
export function respondVies(path: string): object | null {
  const [state = '', number = ''] = /^\/ms\/(\w\w)\/vat\/(\w+)$/.exec(path)?.slice(1) ?? [];
  const buildResponse = (userError: string, name = '---', address = '---') => ({
    isValid: userError === 'VALID',
    requestDate: '2026-11-21T07:24:03.811Z',
    userError,
    name,
    address,
    requestIdentifier: '',
    originalVatNumber: number,
    vatNumber: number,
    viesApproximate: { name: '---', street: '---', postalCode: '---', city: '---', companyType: '---', matchName: 3 },
  });
  if (state === 'FR' && number === '40303265045')
    return buildResponse('VALID', 'BOULANGERIE DU PORT SARL', '1 QUAI\n33000 BORDEAUX');
  if (state === 'DE' && number === '136695976') return buildResponse('VALID');
  if (state === 'EL' && number === '094259216') return buildResponse('VALID', 'ΛΙΜΑΝΙ ΑΕ');
  if (state === 'IE') return buildResponse('MS_UNAVAILABLE');
  return buildResponse('INVALID');
}
