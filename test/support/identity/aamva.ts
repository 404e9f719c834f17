/** Content of a specimen barcode; dates are YYYY-MM-DD. */
export interface AamvaSpecimen {
  issuerId?: string;
  /** version of the AAMVA standard */
  version?: number;
  lastName?: string;
  firstName?: string;
  documentNumber?: string;
  dateOfBirth?: string;
  issueDate?: string;
  expiryDate?: string;
  sex?: 'F' | 'M';
  street?: string;
  city?: string;
  region?: string;
  postalCode?: string;
  country?: 'USA' | 'CAN' | 'MEX';
}

/** Text of the PDF417 barcode of a United States or Canadian licence. */
export function composeAamva(card: AamvaSpecimen): string {
  const {
    issuerId = '636014',
    version = 10,
    lastName = 'MARTINSDOTTER',
    firstName = 'KLARA',
    documentNumber = 'Y4217906',
    dateOfBirth = '1991-07-23',
    issueDate = '2024-02-01',
    expiryDate = '2030-07-23',
    sex = 'F',
    street = '2415 1ST AVE',
    city = 'SACRAMENTO',
    region = 'CA',
    postalCode = '958180000  ',
    country = 'USA',
  } = card;
  const yearFirst = version === 1 || country === 'CAN';
  const date = (iso: string): string => {
    const [year = '', month = '', day = ''] = iso.split('-');
    return yearFirst ? year + month + day : month + day + year;
  };
  const names =
    version === 1
      ? [`DAA${lastName},${firstName}`]
      : [`DCS${lastName}`, version < 4 ? `DCT${firstName}` : `DAC${firstName}`];
  const sexCode = version === 1 ? sex : sex === 'M' ? '1' : '2';
  const elements = [
    `DAQ${documentNumber}`,
    ...names,
    ...(version < 4 ? [] : ['DDEN', 'DADNONE', 'DDFN', 'DDGN']),
    'DCAC',
    `DBD${date(issueDate)}`,
    `DBB${date(dateOfBirth)}`,
    `DBA${date(expiryDate)}`,
    `DBC${sexCode}`,
    'DAYBRO',
    'DAU064 in',
    `DAG${street}`,
    `DAI${city}`,
    `DAJ${region}`,
    `DAK${postalCode}`,
    ...(version === 1 ? [] : ['DCF02/01/202450213/AAFD/30', `DCG${country}`]),
  ].join('\n');
  const subfile = `DL${elements}\r`;
  const jurisdictionVersion = version === 1 ? '' : '01';
  const offset = 19 + jurisdictionVersion.length + 2 + 10;
  const number = (value: number, length: number): string => String(value).padStart(length, '0');
  return `@\n\x1e\rANSI ${issuerId}${number(version, 2)}${jurisdictionVersion}01DL${number(offset, 4)}${number(subfile.length, 4)}${subfile}`;
}
