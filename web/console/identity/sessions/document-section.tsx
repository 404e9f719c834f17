import { Badge, SimpleGrid, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatIfDay, formatPercent } from '../../../shared/format';
import { WideContent } from '../../components/wide-content';
import { findSideFile } from './evidence-files';
import { Section } from './section';
import type { DocumentResult, Session } from './session';
import { SessionFile } from './session-file';
import { SessionPicture } from './session-picture';
import { useFieldName } from './use-field-name';
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
  if (agrees === null)
    return (
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        {t('fields.oneSource')}
      </Text>
    );
  const Icon = agrees ? IconCheck : IconAlertTriangle;
  return (
    <Badge
      color={agrees ? 'green' : 'red'}
      variant="light"
      tt="none"
      miw="max-content"
      leftSection={<Icon size={12} aria-hidden />}
    >
      {t(agrees ? 'fields.agrees' : 'fields.contradicts')}
    </Badge>
  );
}

/** What one source says, and how certainly it was read. */
function Value({ field }: { field: Field | undefined }) {
  if (field === undefined) return '–';
  return (
    <>
      {formatIfDay(field.value)}
      <Text span size="xs" c="dimmed" ml={6} style={{ whiteSpace: 'nowrap' }}>
        {formatPercent(field.confidence)}
      </Text>
    </>
  );
}

interface FieldRowProps {
  name: string;
  fields: readonly Field[];
  sources: readonly Field['source'][];
  highlighted: string | null;
  onHighlight: (id: string | null) => void;
}

/** A field by source. Its name shows where it is on the picture: while it is pointed at or has the focus. */
function FieldRow({ name, fields, sources, highlighted, onHighlight }: FieldRowProps) {
  const { t } = useTranslation('sessions');
  const visible = fields.find((field) => field.box !== null);
  const id = visible === undefined ? null : identify(visible);
  return (
    <Table.Tr onMouseEnter={() => onHighlight(id)} onMouseLeave={() => onHighlight(null)}>
      <Table.Th scope="row">
        {id === null ? (
          name
        ) : (
          <UnstyledButton
            fz="sm"
            fw={700}
            td="underline dotted"
            aria-label={t('fields.show', { field: name })}
            aria-pressed={id === highlighted}
            onClick={() => onHighlight(id)}
            onFocus={() => onHighlight(id)}
            onBlur={() => onHighlight(null)}
          >
            {name}
          </UnstyledButton>
        )}
      </Table.Th>
      {sources.map((source) => (
        <Table.Td key={source}>
          <Value field={fields.find((each) => each.source === source)} />
        </Table.Td>
      ))}
      <Table.Td>
        <Agreement fields={fields} />
      </Table.Td>
    </Table.Tr>
  );
}

interface FieldTableProps {
  fields: readonly Field[];
  highlighted: string | null;
  onHighlight: (id: string | null) => void;
}

function FieldTable({ fields, highlighted, onHighlight }: FieldTableProps) {
  const { t } = useTranslation('sessions');
  const nameOf = useFieldName();
  const used = SOURCES.filter((source) => fields.some((field) => field.source === source));
  return (
    <Stack gap="xs">
      <WideContent label={t('fields.field')}>
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
            {groupFields(fields).map(([key, group]) => (
              <FieldRow
                key={key}
                name={nameOf(key)}
                fields={group}
                sources={used}
                highlighted={highlighted}
                onHighlight={onHighlight}
              />
            ))}
          </Table.Tbody>
        </Table>
      </WideContent>
      <Text size="xs" c="dimmed">
        {t('fields.confidence')}
      </Text>
    </Stack>
  );
}

/** The pictures of the identity document with what was read on them, and the fields by source. */
export function DocumentSection({ session, showPictures }: { session: Session; showPictures: boolean }) {
  const { t } = useTranslation('sessions');
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const nameOf = useFieldName();
  const { document } = session.results;
  if (document === null) return null;
  return (
    <Section title={t('document')}>
      <SimpleGrid type="container" cols={{ base: 1, '800px': showPictures ? 2 : 1 }} className="document-columns">
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
                            label: `${nameOf(field.name)}: ${formatIfDay(field.value)}`,
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
        <FieldTable fields={document.fields} highlighted={highlighted} onHighlight={setHighlighted} />
      </SimpleGrid>
    </Section>
  );
}
