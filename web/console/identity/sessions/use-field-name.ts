import { useTranslation } from 'react-i18next';
import './texts';

/** Names of fields of a person or document in the language of the user; a name without a text is returned as it is. */
export function useFieldName(): (field: string) => string {
  const { t, i18n } = useTranslation('sessions');
  return (field) => (i18n.exists(`sessions:fieldNames.${field}`) ? t(`fieldNames.${field}` as never) : field);
}
