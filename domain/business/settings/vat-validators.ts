// Single modules of the package: its main file loads the numbers of all countries, 300 files, in every process.
import * as AT from 'stdnum/lib/cjs/at/uid';
import * as BE from 'stdnum/lib/cjs/be/vat';
import * as BG from 'stdnum/lib/cjs/bg/vat';
import * as CY from 'stdnum/lib/cjs/cy/vat';
import * as CZ from 'stdnum/lib/cjs/cz/dic';
import * as DE from 'stdnum/lib/cjs/de/vat';
import * as DK from 'stdnum/lib/cjs/dk/cvr';
import * as EE from 'stdnum/lib/cjs/ee/kmkr';
import * as ES from 'stdnum/lib/cjs/es/nif';
import * as FI from 'stdnum/lib/cjs/fi/alv';
import * as FR from 'stdnum/lib/cjs/fr/tva';
import * as GR from 'stdnum/lib/cjs/gr/vat';
import * as HR from 'stdnum/lib/cjs/hr/oib';
import * as HU from 'stdnum/lib/cjs/hu/anum';
import * as IE from 'stdnum/lib/cjs/ie/vat';
import * as IT from 'stdnum/lib/cjs/it/iva';
import * as LT from 'stdnum/lib/cjs/lt/pvm';
import * as LU from 'stdnum/lib/cjs/lu/tva';
import * as LV from 'stdnum/lib/cjs/lv/pvn';
import * as MT from 'stdnum/lib/cjs/mt/vat';
import * as NL from 'stdnum/lib/cjs/nl/btw';
import * as PL from 'stdnum/lib/cjs/pl/nip';
import * as PT from 'stdnum/lib/cjs/pt/nif';
import * as RO from 'stdnum/lib/cjs/ro/cif';
import * as SE from 'stdnum/lib/cjs/se/vat';
import * as SI from 'stdnum/lib/cjs/si/ddv';
import * as SK from 'stdnum/lib/cjs/sk/dph';

/** Validators of the VAT identifiers of the member states, by country, ISO 3166-1 alpha-2. */
export const VAT_VALIDATORS: Readonly<Record<string, typeof AT>> = {
  AT,
  BE,
  BG,
  CY,
  CZ,
  DE,
  DK,
  EE,
  ES,
  FI,
  FR,
  GR,
  HR,
  HU,
  IE,
  IT,
  LT,
  LU,
  LV,
  MT,
  NL,
  PL,
  PT,
  RO,
  SE,
  SI,
  SK,
};
