import { Box, Group, List, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatNumber, formatPercent } from '../../../shared/format';
import { findFaceFiles, findSideFile } from './evidence-files';
import { Section } from './section';
import type { FaceMatchResult, Session } from './session';
import type { Rectangle } from './picture-viewer';
import { SessionPicture } from './session-picture';
import './texts';

/** Share of its size that is shown around a face. */
const MARGIN = 0.4;

const addMargin = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: x - width * MARGIN,
  y: y - height * MARGIN,
  width: width * (1 + 2 * MARGIN),
  height: height * (1 + 2 * MARGIN),
});

function Comparison({ match }: { match: FaceMatchResult }) {
  const { t } = useTranslation('sessions');
  if (match.similarity === null) return <Text size="sm">{t('faces.notCompared')}</Text>;
  const values = {
    similarity: formatNumber(match.similarity, { maximumFractionDigits: 2 }),
    threshold: formatNumber(match.threshold, { maximumFractionDigits: 2 }),
    reviewThreshold: formatNumber(match.reviewThreshold, { maximumFractionDigits: 2 }),
    rate: formatPercent(match.falseMatchRate, 3),
  };
  return (
    <Stack gap={4}>
      <Text fw={600}>{t(match.match ? 'faces.match' : 'faces.noMatch', values)}</Text>
      <Progress
        value={Math.max(0, Math.min(1, match.similarity)) * 100}
        color={match.match ? 'green' : 'red'}
        aria-label={t('faces.similarity')}
      />
      <Text size="sm">{t('faces.meaning', values)}</Text>
      <Text size="sm" c="dimmed">
        {t('faces.measured', values)}
      </Text>
      {/* Comes with the model, in English. */}
      <Text size="xs" c="dimmed" lang="en">
        {match.measuredOn}
      </Text>
    </Stack>
  );
}

function LivenessFacts({ liveness }: { liveness: NonNullable<Session['results']['liveness']> }) {
  const { t } = useTranslation('sessions');
  const { score, thresholds, active } = liveness;
  return (
    <List size="sm">
      <List.Item>
        {score === null
          ? t('faces.livenessUnknown')
          : t('faces.liveness', {
              score: formatNumber(score, { maximumFractionDigits: 0 }),
              review: thresholds.review,
              decline: thresholds.decline,
            })}
      </List.Item>
      {active === null && score !== null && <List.Item>{t('faces.passive')}</List.Item>}
      {active !== null && (
        <List.Item>
          {t('faces.active', {
            done: active.actions.filter(({ frame }) => frame !== null).length,
            total: active.actions.length,
          })}
        </List.Item>
      )}
    </List>
  );
}

/** Portrait and selfie side by side, and what their comparison means. */
export function FacesSection({ session, showPictures }: { session: Session; showPictures: boolean }) {
  const { t } = useTranslation('sessions');
  const { document, liveness, faceMatch } = session.results;
  if (liveness === null && faceMatch === null) return null;
  const portrait = document?.portrait ?? null;
  const side = document?.sides.find((each) => each.side === portrait?.side);
  const card = findSideFile(session.evidence, document?.checkId, portrait?.side ?? 'front');
  const [selfie] = findFaceFiles(session.evidence, session.results);
  return (
    <Section title={t('faces.title')}>
      <Stack>
        {showPictures && (
          <SimpleGrid cols={2} maw={640}>
            {portrait !== null && side !== undefined && card !== undefined && (
              <Box>
                <Group mih={28} mb={4}>
                  <Text size="sm" fw={600}>
                    {t('faces.portrait')}
                  </Text>
                </Group>
                <SessionPicture
                  sessionId={session.id}
                  evidenceId={card.id}
                  label={t('faces.portrait')}
                  size={side}
                  rotation={side.rotation}
                  crop={addMargin(portrait.box)}
                />
              </Box>
            )}
            {selfie !== undefined && (
              <SessionPicture
                sessionId={session.id}
                evidenceId={selfie.id}
                label={t('faces.selfie')}
                rotation={liveness?.rotation}
              />
            )}
          </SimpleGrid>
        )}
        {faceMatch !== null && <Comparison match={faceMatch} />}
        {liveness !== null && <LivenessFacts liveness={liveness} />}
      </Stack>
    </Section>
  );
}
