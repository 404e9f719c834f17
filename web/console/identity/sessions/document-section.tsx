import { Badge, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../../shared/format';
import { findSideFile } from './evidence-files';
import { Section } from './section';
import type { DocumentResult, Session } from './session';
import { SessionFile } from './session-file';
import { SessionPicture } from './session-picture';
import './texts';

type Field = DocumentResult['fields'][number];

const identify = ({ side, source, name }: Field): string => `${side}.${source}.${name}`;

/** Fields of all sources by their name, in the order of their first appearance. */
function groupFields(fields: readonly Field[]): [string, Field[]][] {
  const groups = new Map<string, Field[]>();
  for (const field of fields) groups.set(field.name, [...(groups.get(field.name) ?? []), field]);
  return [...groups];
}

const SOURCES = ['visual', 'mrz', 'barcode'] as const;

function Agreement({ fields }: { fields: readonly Field[] }) {
  const { t } = useTranslation('sessions');
  const agrees = fields.find((field) => field.agrees !== null)?.agrees ?? null;
  if (agrees === null) return <Text size="sm">{t('fields.oneSource')}</Text>;
  const Icon = agrees ? IconCheck : IconAlertTriangle;
  return (
    <Badge color={agrees ? 'green' : 'red'} variant="light" tt="none" leftSection={<Icon size={12} aria-hidden />}>
      {t(agrees ? 'fields.agrees' : 'fields.contradicts')}
    </Badge>
  );
}

interface FieldTableProps {
  fields: readonly Field[];
  onHighlight: (id: string | null) => void;
}

function FieldTable({ fields, onHighlight }: FieldTableProps) {
  const { t, i18n } = useTranslation('sessions');
  const used = SOURCES.filter((source) => fields.some((field) => field.source === source));
  const name = (key: string): string =>
    i18n.exists(`sessions:fieldNames.${key}`) ? t(`fieldNames.${key}` as never) : key;
  return (
    <Table.ScrollContainer
      minWidth={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t('fields.field') } }}
    >
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('fields.field')}</Table.Th>
            {used.map((source) => (
              <Table.Th key={source} scope="col">
                {t(`fields.${source}`)}
              </Table.Th>
            ))}
            <Table.Th scope="col">{t('fields.agreement')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groupFields(fields).map(([key, group]) => {
            const visible = group.find((field) => field.box !== null);
            return (
              <Table.Tr
                key={key}
                onMouseEnter={() => onHighlight(visible === undefined ? null : identify(visible))}
                onMouseLeave={() => onHighlight(null)}
              >
                <Table.Th scope="row">{name(key)}</Table.Th>
                {used.map((source) => {
                  const field = group.find((each) => each.source === source);
                  return (
                    <Table.Td
                      key={source}
                      title={field && t('fields.confidence', { share: formatPercent(field.confidence) })}
                    >
                      {field?.value ?? '–'}
                    </Table.Td>
                  );
                })}
                <Table.Td>
                  <Agreement fields={group} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The pictures of the identity document with what was read on them, and the fields by source. */
export function DocumentSection({ session, showPictures }: { session: Session; showPictures: boolean }) {
  const { t } = useTranslation('sessions');
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const { document } = session.results;
  if (document === null) return null;
  return (
    <Section title={t('document')}>
      <SimpleGrid type="container" cols={{ base: 1, '800px': showPictures ? 2 : 1 }}>
        {showPictures && (
          <Stack>
            {document.sides.map(({ side, width, height, rotation }) => {
              const file = findSideFile(session.evidence, document.checkId, side);
              if (file === undefined) return null;
              if (!file.contentType.startsWith('image/'))
                return <SessionFile key={side} sessionId={session.id} file={file} label={t(side)} />;
              return (
                <SessionPicture
                  key={side}
                  sessionId={session.id}
                  evidenceId={file.id}
                  label={t(side)}
                  size={{ width, height }}
                  rotation={rotation}
                  highlighted={highlighted}
                  boxes={document.fields.flatMap((field) =>
                    field.side === side && field.box !== null
                      ? [
                          {
                            id: identify(field),
                            label: `${field.name}: ${field.value}`,
                            box: field.box,
                            isContradicted: field.agrees === false,
                          },
                        ]
                      : [],
                  )}
                />
              );
            })}
          </Stack>
        )}
        <FieldTable fields={document.fields} onHighlight={setHighlighted} />
      </SimpleGrid>
    </Section>
  );
}
