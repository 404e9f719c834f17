import { Anchor, Badge, Group, List, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse, OperationResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { identity, identityQuery } from '../../../shared/api/identity';
import { useSession } from '../../session';
import { FigureCard } from './figure-card';
import './texts';

type Step =
  | OperationResponse<'getIdentitySetup'>['steps'][number]
  | BusinessResponse<'getBusinessSetup'>['data']['steps'][number];

/** The page on which each step is done. */
const PAGES: Readonly<Record<Step['step'], string>> = {
  session_workflow_created: '/session-workflows',
  session_created: '/sessions',
  person_approved: '/sessions',
  key_created: '/keys',
  webhook_registered: '/webhooks',
  company_described: '/company',
  tax_rates_chosen: '/company/taxes',
  customer_created: '/customers',
  product_created: '/products',
  invoice_issued: '/invoices',
  payment_registered: '/receivables',
};

function StepItem({ step: { step, done } }: { step: Step }) {
  const { t } = useTranslation('home');
  const { routesByPath } = useRouter();
  // A page with sections has a route for all of them.
  const hasPage = `/${PAGES[step].split('/')[1]}` in routesByPath;
  const Icon = done ? IconCheck : IconCircleDashed;
  return (
    <List.Item
      icon={
        <ThemeIcon
          color={done ? 'teal' : 'gray'}
          variant={done ? 'filled' : 'light'}
          size={24}
          radius="xl"
          autoContrast
        >
          <Icon size={16} aria-hidden />
        </ThemeIcon>
      }
    >
      <VisuallyHidden>{t(done ? 'done' : 'open')}: </VisuallyHidden>
      {!done && hasPage ? (
        <Anchor component={Link} to={PAGES[step]}>
          {t(`steps.${step}`)}
        </Anchor>
      ) : (
        t(`steps.${step}`)
      )}
    </List.Item>
  );
}

/** The way from an empty organisation to a verified person and an issued invoice; nothing once every step is done. */
export function FirstSteps() {
  const { t } = useTranslation('home');
  const session = useSession();
  const identitySetup = useQuery({
    ...identityQuery('getIdentitySetup', [], (options) => identity.getIdentitySetup(options)),
    enabled: session.identity.size > 0,
  });
  const businessSetup = useQuery({
    ...businessQuery('getBusinessSetup', [], (options) => business.getBusinessSetup(options)),
    enabled: session.business.size > 0,
  });
  const groups = [identitySetup.data?.steps ?? [], businessSetup.data?.data.steps ?? []];
  const steps = groups.flat();
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <FigureCard title={t('setup')}>
      <Badge variant="light" tt="none" size="lg">
        {t('setupProgress', { done, total: steps.length })}
      </Badge>
      <Group align="start" gap="xl">
        {groups
          .filter((group) => group.length > 0)
          .map((group) => (
            <List key={group[0]?.step} spacing="xs" center listStyleType="none">
              {group.map((step) => (
                <StepItem key={step.step} step={step} />
              ))}
            </List>
          ))}
      </Group>
    </FigureCard>
  );
}
