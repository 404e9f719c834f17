import { Accordion, Code, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Failure } from '../../components/failure';
import { textFilter } from '../../components/list-search';
import { FormRow } from '../../components/form-row';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import type en from '../../locales/en/events.json';
import { eventsQuery } from './events';
import './texts';

declare module '../../../shared/i18n' {
  interface Texts {
    events: typeof en;
  }
}

const searchSchema = z.object({ search: textFilter });

/** Every event with the moment it is sent and an example of its body. */
export default function EventsPage() {
  const { t } = useTranslation('webhooks');
  const [{ search = '' }, change] = usePageSearch(searchSchema);
  const { data, error } = useQuery(eventsQuery);
  const { t: describe } = useTranslation('events');
  // An event of a newer service has the description of the API.
  const described = data?.map((event) => ({
    ...event,
    summary: describe(event.type, { defaultValue: event.summary }),
  }));
  const found = described?.filter(({ type, summary }) =>
    `${type} ${summary}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <Page title={t('events.title')}>
      <Text>{t('events.introduction')}</Text>
      <FormRow>
        <TextInput
          label={t('events.search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={({ currentTarget }) => change({ search: currentTarget.value }, { replace: true })}
        />
      </FormRow>
      <Failure error={error} />
      {found?.length === 0 && <Text>{t('events.noMatch')}</Text>}
      <Accordion variant="separated" order={2}>
        {found?.map(({ type, summary, example }) => (
          <Accordion.Item key={type} value={type}>
            <Accordion.Control>
              <Stack gap={2}>
                <Text ff="monospace" fw={600}>
                  {type}
                </Text>
                <Text size="sm">{summary}</Text>
              </Stack>
            </Accordion.Control>
            <Accordion.Panel>
              <Code block tabIndex={0} aria-label={t('events.example', { type })} role="region">
                {JSON.stringify(example, null, 2)}
              </Code>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Page>
  );
}
