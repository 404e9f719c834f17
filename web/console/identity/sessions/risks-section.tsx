import { Badge, List, Text } from '@mantine/core';
import type { MantineColor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from './section';
import type { Risk } from './session';
import { useRiskDetail } from './use-risk-detail';
import { useRiskText } from './use-risk-text';
import './texts';

const SEVERITY_COLORS: Readonly<Record<Risk['severity'], MantineColor>> = {
  low: 'gray',
  medium: 'yellow',
  high: 'red',
};

/** Risks in words, with what each leads to and what it was found in. */
export function RiskList({ risks }: { risks: readonly Risk[] }) {
  const { t } = useTranslation('sessions');
  const describe = useRiskText();
  const describeDetail = useRiskDetail();
  if (risks.length === 0) return <Text size="sm">{t('risks.none')}</Text>;
  return (
    <List spacing="xs" listStyleType="none">
      {risks.map((risk) => (
        <List.Item key={`${risk.feature}.${risk.code}`}>
          <Badge color={SEVERITY_COLORS[risk.severity]} variant="light" tt="none" mr="xs">
            {t(`risks.severity.${risk.severity}`)}
          </Badge>
          {describe(risk.code, risk.message)}{' '}
          <Text span size="sm" c="dimmed">
            {t(`risks.action.${risk.action}`)} · {risk.code}
            {Object.entries(risk.details ?? {}).map(([name, value]) => ` · ${describeDetail(name, value)}`)}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}

/** The section of a session with its risks, shown also when there are none. */
export function RisksSection({ risks }: { risks: readonly Risk[] }) {
  const { t } = useTranslation('sessions');
  return (
    <Section title={t('risks.title')}>
      <RiskList risks={risks} />
    </Section>
  );
}
