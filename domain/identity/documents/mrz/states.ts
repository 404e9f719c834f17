/** ISO 3166-1 alpha-3 codes, which the zone uses for states. */
const ISO_CODES =
  'ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH BLM BLR ' +
  'BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB CUW CXR CYM CYP ' +
  'CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB GIN GLP GMB ' +
  'GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN ' +
  'KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD ' +
  'MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN ' +
  'PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM ' +
  'SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR ' +
  'UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE';

/**
 * Codes of ICAO Doc 9303-3, section 5, beyond ISO: D for Germany, kinds of British nationality, organisations,
 * statelessness.
 */
const ICAO_CODES =
  'D EUE GBD GBN GBO GBP GBS RKS UNO UNA UNK XBA XIM XCC XCE XCO XEC XPO XES XMP XOM XDC XXA XXB XXC XXX IAO UTO';

const CODES = new Set([...ISO_CODES.split(' '), ...ICAO_CODES.split(' ')]);

/** True for a code that a zone may contain, fillers removed, including UTO, the state of the ICAO specimens. */
export const isStateCode = (code: string): boolean => CODES.has(code);

/** Every code, for readers that choose among candidates. */
export const STATE_CODES: readonly string[] = [...CODES];

/** Kosovo has no code of ISO 3166-1: the one of Unicode CLDR is used wherever a country is given. */
const KOSOVO = 'XKK';

const TO_ISO: Record<string, string> = {
  D: 'DEU',
  GBD: 'GBR',
  GBN: 'GBR',
  GBO: 'GBR',
  GBP: 'GBR',
  GBS: 'GBR',
  RKS: KOSOVO,
  XKX: KOSOVO,
};

/** The ISO 3166-1 alpha-3 code of a zone's code if there is one, else the code itself. */
export const toIsoState = (code: string): string => TO_ISO[code] ?? code;
