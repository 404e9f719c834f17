import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../../shared/format';
import { findFaceFiles, findSideFile } from './evidence-files';
import { Section } from './section';
import type { Session } from './session';
import { SessionFile } from './session-file';
import type { EvidenceFile } from './session-file';
import './texts';

/** The files that other sections of the page show. */
function listShown({ results, evidence }: Session): Set<string> {
  const { document, poa } = results;
  const sides = document?.sides.map(({ side }) => findSideFile(evidence, document.checkId, side)) ?? [];
  const proofs = evidence.filter(({ checkId }) => checkId === poa?.checkId);
  const faces = findFaceFiles(evidence, results).slice(0, 1);
  return new Set([...sides, ...proofs, ...faces].flatMap((file) => (file === undefined ? [] : [file.id])));
}

/** The remaining files by check, in the order of their submission. */
function groupByCheck(session: Session): [string, EvidenceFile[]][] {
  const shown = listShown(session);
  const groups = new Map<string, EvidenceFile[]>();
  for (const file of session.evidence)
    if (!shown.has(file.id)) groups.set(file.checkId, [...(groups.get(file.checkId) ?? []), file]);
  return [...groups];
}

/** The files of one check, which are requested, and audited, when the user asks for them. */
function CheckFiles({ session, checkId, files }: { session: Session; checkId: string; files: EvidenceFile[] }) {
  const { t } = useTranslation('sessions');
  const [isShown, setShown] = useState(false);
  const feature = session.steps.find(({ checkIds }) => checkIds.includes(checkId))?.feature;
  const step = feature === undefined ? t('files.title') : t(`feature.${feature}`);
  const at = formatDateTime(files[0]?.createdAt ?? session.createdAt);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">{t('files.group', { step, at })}</Text>
        {!isShown && (
          <Button size="xs" variant="default" onClick={() => setShown(true)}>
            {t('files.show', { count: files.length })}
          </Button>
        )}
      </Group>
      {isShown && (
        <SimpleGrid type="container" cols={{ base: 1, '500px': 2, '900px': 4 }}>
          {files.map((file, index) => (
            <div key={file.id}>
              <SessionFile sessionId={session.id} file={file} label={t('files.file', { step, number: index + 1 })} />
            </div>
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

/** The files that belong to no result that is shown: earlier captures, movements, and what could not be examined. */
export function FilesSection({ session }: { session: Session }) {
  const { t } = useTranslation('sessions');
  const groups = groupByCheck(session);
  if (groups.length === 0) return null;
  return (
    <Section title={t('files.title')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('files.hint')}
        </Text>
        {groups.map(([checkId, files]) => (
          <CheckFiles key={checkId} session={session} checkId={checkId} files={files} />
        ))}
      </Stack>
    </Section>
  );
}
