import { useTranslation } from 'react-i18next';
import type en from '../../locales/en/aml.json';
import './texts';

type ListCode = keyof (typeof en)['listNames'];

/** The name of a published watch list in the language of the console; an own list has its title, or else its code. */
export function useListName(): (code: string, title?: string) => string {
  const { t } = useTranslation('aml');
  return (code, title = code) => t(`listNames.${code as ListCode}`, { defaultValue: title });
}
