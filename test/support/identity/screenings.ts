import type { z } from 'zod';
import { screeningResultSchema } from '../../../api/identity/aml/screening-responses';
import { call } from '../client';
import type { ApiResponse, RequestOptions } from '../client';
/** Screens a subject. @param query begins with `?` */
export const postScreening = (json: object, options: RequestOptions, query = ''): Promise<ApiResponse> =>
  call('POST', `/v1/aml/screen${query}`, { json, ...options });

/** A list of one person, a company, a vessel and a person in another script. */
export const LISTED_ENTRIES = [
  {
    id: 'A1',
    type: 'person',
    name: 'Ramón Quintavalle Ostrander',
    aliases: 'Рамон Остранд; Ramon Ostrander',
    weakAliases: 'El Halcon',
    datesOfBirth: '1965-03-02',
    countries: 'PA',
    gender: 'male',
    identifiers: 'PX0099887',
  },
  { id: 'A2', type: 'company', name: 'Zephyrine Maritime Holdings LLC', countries: 'AE' },
  { id: 'A3', type: 'vessel', name: 'STELLA OBSCURA', identifiers: 'IMO 9812345' },
  { id: 'A4', type: 'person', name: 'خالد المستعار', datesOfBirth: '1971' },
];

/** @throws Error unless the screening is completed (200) */
export const parseScreening = (response: ApiResponse): z.infer<typeof screeningResultSchema> => {
  if (response.status !== 200) throw new Error(`Answered ${response.status}: ${JSON.stringify(response.body)}`);
  return screeningResultSchema.parse(response.body);
};
