import de from '../../../web/console/locales/de/risks.json';
import en from '../../../web/console/locales/en/risks.json';
import { RISK_CODES, RISKS } from '../../../domain/identity/checks/risks';

describe('the texts of risks in the console', () => {
  test('in English are those of the catalogue', () => {
    expect(en).toEqual(Object.fromEntries(RISK_CODES.map((code) => [code, RISKS[code].message])));
  });

  test('exist in German for every code', () => {
    expect(Object.keys(de).sort()).toEqual([...RISK_CODES].sort());
    const missing = Object.entries(de).filter(
      ([code, text]) => text === '' || text === (en as Record<string, string>)[code],
    );
    expect(missing).toEqual([]);
  });
});
