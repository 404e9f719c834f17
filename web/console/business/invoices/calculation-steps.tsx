import { Accordion, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { formatDecimal } from '../records/money';

/** How the amounts of an invoice follow from its lines; read when it is opened. */
export function CalculationSteps({ id }: { id: number }) {
  const { t } = useTranslation('invoices');
  const [opened, setOpened] = useState<string | null>(null);
  const { data, error } = useQuery({
    ...businessQuery('explainInvoice', [String(id)], (options) => business.explainInvoice(String(id), options)),
    enabled: opened !== null,
  });
  return (
    <Accordion variant="contained" value={opened} onChange={setOpened}>
      <Accordion.Item value="steps">
        <Accordion.Control>{t('calculation')}</Accordion.Control>
        <Accordion.Panel>
          <Failure error={error} />
          <Stack gap={4}>
            {data?.data.steps.map((step) => (
              <Text key={step.of} size="sm">
                <Code>{step.of}</Code> = {step.formula} = <b>{formatDecimal(step.result)}</b>
              </Text>
            ))}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
