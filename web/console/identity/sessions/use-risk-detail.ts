import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/format';
import { useReasonText } from '../../components/failure-reason';
import type enKyb from '../../locales/en/kyb.json';
import type en from '../../locales/en/sessions.json';
import '../kyb/texts';
import './texts';

type DetailName = keyof (typeof en)['risks']['detail'];
type Provider = keyof (typeof enKyb)['providers'];

/** One detail of a risk, such as "Register: GLEIF"; names and values without a text in the console stay as they are. */
export function useRiskDetail(): (name: string, value: unknown) => string {
  const { t } = useTranslation('sessions');
  const { t: kyb } = useTranslation('kyb', { useSuspense: false });
  const describeReason = useReasonText();
  const describeValue = (name: string, value: unknown): string => {
    if (typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 3 });
    if (typeof value === 'boolean') return t(value ? 'risks.yes' : 'risks.no');
    const text = String(value);
    if (name === 'reason') return describeReason(text);
    return name === 'provider' ? kyb(`providers.${text as Provider}`, { defaultValue: text }) : text;
  };
  return (name, value) =>
    `${t(`risks.detail.${name as DetailName}`, { defaultValue: name })}: ${describeValue(name, value)}`;
}
